import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../clock.ts'
import { SimulatedTime } from '../../telephony/simulator/simulated-time.ts'
import type { GatewayEvents, IncomingMessage, Receipt } from '../driver.ts'
import type { PartAnswer } from '../parts.ts'
import { words } from '../words.ts'
import { fateOf, type Fate } from './numbers.ts'

/** Simulated milliseconds. */
const answerMs = 100
const receiptMs = 9000
const writesMs = 15_000
const secondReceiptMs = 1500

const batchMax = 500
/** With more unstored receipts than this, it answers nothing: real gateways do not keep everything in memory either. */
const unstoredMax = 20_000
/** Real time until a receiver that could not store is tried again. */
const againMs = 500
const throttledKept = 10_000

export type Segment = { from: string; to: string; number: number; of: number }

/** The message centre behind a simulated gateway: it answers segments, sends receipts until they are stored, and sends the telephones' replies. */
export class MessageCentre {
  readonly #time: SimulatedTime
  readonly #events: GatewayEvents
  readonly #clock: Clock
  readonly #throttled = new Set<string>()
  readonly #receipts: Receipt[] = []
  readonly #incoming: IncomingMessage[] = []
  /** Starts where no id of the previous process was, since receipts for those may still be awaited. */
  #id = (Date.now() % 0xffff_ffff) * 0x1000 + 0x1000
  #storing: Promise<void> | null = null
  readonly #ended = new AbortController()

  constructor(speed: number, events: GatewayEvents, clock: Clock) {
    this.#time = new SimulatedTime(speed)
    this.#events = events
    this.#clock = clock
  }

  /** `answer` is not called for segments that are never answered; 'cut' breaks the connection. */
  take(segment: Segment, answer: (answer: PartAnswer | 'cut') => void): void {
    const fate = fateOf(segment.to)
    const later = (what: () => PartAnswer | 'cut'): void =>
      void this.after(answerMs, () => this.#answer(() => answer(what())))
    if (fate.answer === 'never') return
    if (fate.answer === 'cut') return later(() => 'cut')
    if (fate.answer === 'refused' || (fate.refusesLater && segment.number > 1)) return later(() => invalidNumber)
    if (fate.answer === 'refusedByGateway') return later(() => systemError)
    if (fate.answer === 'throttledOnce' && this.#firstTime(segment.to)) return later(() => ({ kind: 'throttled' }))
    const id = this.#newId()
    if (fate.receiptComes === 'early') this.#receipt(id, fate)
    later(() => {
      this.#delivered(id, segment, fate)
      return { kind: 'accepted', id }
    })
  }

  /** Stops everything, after a last attempt to store what is due. */
  async close(): Promise<void> {
    this.#time.close()
    this.#ended.abort()
    await this.#storing
  }

  after(ms: number, run: () => void): () => void {
    this.#time.catchUp()
    const item = this.#time.after(ms, run)
    return () => this.#time.cancel(item)
  }

  /** Waits until there is room for the receipts that follow. */
  #answer(run: () => void): void {
    if (this.#receipts.length < unstoredMax) run()
    else this.#time.after(answerMs, () => this.#answer(run))
  }

  #delivered(id: string, segment: Segment, fate: Fate): void {
    if (fate.receipt && fate.receiptComes !== 'early') this.#time.after(receiptMs, () => this.#receipt(id, fate))
    if (fate.receiptComes === 'twice') this.#time.after(receiptMs + secondReceiptMs, () => this.#receipt(id, fate))
    const { writes } = fate
    if (writes !== undefined && segment.number === segment.of)
      this.#time.after(writesMs, () => {
        const at = this.#clock.now()
        this.#incoming.push({ key: id, from: segment.to, to: segment.from, text: writes, at, part: null })
        this.#store()
      })
  }

  #receipt(id: string, fate: Fate): void {
    if (!fate.receipt) return
    this.#receipts.push({ id: shownId(id, fate), ...fate.receipt, at: this.#clock.now() })
    this.#store()
  }

  #store(): void {
    this.#storing ??= this.#storeAll().finally(() => {
      this.#storing = null
    })
  }

  async #storeAll(): Promise<void> {
    await Promise.resolve() // collects receipts that are due at the same time
    while (this.#receipts.length + this.#incoming.length > 0) {
      const stored =
        (await storeSome(this.#receipts, (these) => this.#events.receipts(these))) &&
        (await storeSome(this.#incoming, (these) => this.#events.incoming(these)))
      if (this.#ended.signal.aborted && !stored) return
      if (!stored) await sleep(againMs, undefined, { signal: this.#ended.signal }).catch(() => undefined)
    }
  }

  #firstTime(number: string): boolean {
    if (this.#throttled.has(number)) return false
    if (this.#throttled.size >= throttledKept) this.#throttled.clear()
    this.#throttled.add(number)
    return true
  }

  #newId(): string {
    this.#id += 1
    return this.#id.toString(16).toUpperCase()
  }
}

const refused = (whose: 'message' | 'gateway', code: string, why: string): PartAnswer => ({
  kind: 'refused',
  whose,
  code,
  reason: words.refused(why, code),
})
const invalidNumber = refused('message', '0x0B', 'the number is not valid')
const systemError = refused('gateway', '0x08', 'it has a fault')

function shownId(id: string, { receiptComes }: Fate): string {
  if (receiptComes === 'inSmallLetters') return id.toLowerCase()
  return receiptComes === 'inDecimal' ? BigInt(`0x${id}`).toString() : id
}

/** Removes stored items from the list; false when storing failed. */
async function storeSome<Item>(list: Item[], store: (these: Item[]) => Promise<void>): Promise<boolean> {
  const these = list.slice(0, batchMax)
  if (these.length === 0) return true
  try {
    await store(these)
    list.splice(0, these.length)
    return true
  } catch {
    return false
  }
}
