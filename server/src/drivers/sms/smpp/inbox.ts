import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../clock.ts'
import type { GatewayEvents, Receipt } from '../driver.ts'
import { textOf } from './codec.ts'
import { readDelivered } from './delivered.ts'
import { Reassembly, type Held } from './reassembly.ts'
import type { Alphabet } from './texts.ts'

type Fields = Readonly<Record<string, unknown>>
type Acknowledge = (status: number) => void
type HeldReceipt = { receipt: Receipt; acknowledge: Acknowledge }

const batchMax = 500
/** With more unstored messages than this, nothing is read until half of them are stored. */
const heldMax = 2000
/** Delays the refusal of messages that cannot be stored: a gateway that repeats them at once would keep everybody busy. */
const refusedMs = 500
const laterPlease = 0x64
/** The same text from the same person within this time counts as the same message, sent again. */
const sameMs = 600_000

/** Holds incoming messages until they are stored. Only stored ones are acknowledged; the gateway is asked to send the others again. */
export class Inbox {
  readonly #events: GatewayEvents
  readonly #clock: Clock
  readonly #alphabet: Alphabet
  readonly #listener: { full(isFull: boolean): void; notStored(): void }
  readonly #receipts: HeldReceipt[] = []
  readonly #messages: Held[] = []
  readonly #reassembly = new Reassembly((held) => this.#add(held))
  #storing: Promise<void> | null = null

  constructor(
    events: GatewayEvents,
    clock: Clock,
    alphabet: Alphabet,
    listener: { full(isFull: boolean): void; notStored(): void },
  ) {
    this.#events = events
    this.#clock = clock
    this.#alphabet = alphabet
    this.#listener = listener
  }

  take(fields: Fields, acknowledge: Acknowledge): void {
    const at = this.#clock.now()
    const delivered = readDelivered(fields, this.#alphabet, at)
    if (delivered.kind === 'other') return acknowledge(0)
    if (delivered.kind === 'message')
      return this.#reassembly.add({ message: delivered, key: keyOf(delivered, fields, at), at, acknowledge })
    this.#receipts.push({ receipt: delivered.receipt, acknowledge })
    this.#store()
  }

  /** Resolves when everything received is stored or refused. */
  async close(): Promise<void> {
    this.#reassembly.flush()
    await this.#storing
  }

  #add(held: Held[]): void {
    this.#messages.push(...held)
    this.#store()
  }

  #store(): void {
    if (this.#receipts.length + this.#messages.length >= heldMax) this.#listener.full(true)
    this.#storing ??= this.#storeAll().finally(() => {
      this.#storing = null
    })
  }

  async #storeAll(): Promise<void> {
    await Promise.resolve() // collects what was read at once
    while (this.#receipts.length + this.#messages.length > 0) {
      const receipts = this.#receipts.splice(0, batchMax)
      await this.#settle(receipts, () => this.#events.receipts(receipts.map(({ receipt }) => receipt)))
      const messages = this.#messages.splice(0, batchMax)
      await this.#settle(messages, () => this.#events.incoming(messages.map(({ message }) => message)))
      if (this.#receipts.length + this.#messages.length < heldMax / 2) this.#listener.full(false)
    }
  }

  async #settle(held: readonly { acknowledge: Acknowledge }[], store: () => Promise<void>): Promise<void> {
    if (held.length === 0) return
    let status = 0
    try {
      await store()
    } catch {
      status = laterPlease
      this.#listener.notStored()
      await sleep(refusedMs)
    }
    for (const { acknowledge } of held) acknowledge(status)
  }
}

/** The gateway's own id if it gives one; otherwise sender, receiver, text and approximate time. */
function keyOf(
  { from, to, text, piece }: { from: string; to: string; text: string; piece: unknown },
  fields: Fields,
  at: Date,
): string {
  const id = textOf(fields, 'receipted_message_id')
  const when = Math.floor(at.getTime() / sameMs)
  const what = id === '' ? JSON.stringify([from, to, text, piece, when]) : JSON.stringify([id])
  return createHash('sha256').update(what).digest('hex').slice(0, 32)
}
