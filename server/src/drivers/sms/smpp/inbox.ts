import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../clock.ts'
import type { GatewayEvents, IncomingMessage } from '../driver.ts'
import { textOf } from './codec.ts'
import { readDelivered } from './delivered.ts'
import { Reassembly } from './reassembly.ts'
import type { Alphabet } from './texts.ts'

type Fields = Readonly<Record<string, unknown>>
type Acknowledge = (status: number) => void
/** What the listener stores, by the method of GatewayEvents that takes it. */
type Kinds = Pick<GatewayEvents, 'receipts' | 'unmarked' | 'notUnderstood' | 'incoming'>
type Held<Kind extends keyof Kinds> = { what: Parameters<Kinds[Kind]>[0][number]; acknowledge: Acknowledge }
type AllHeld = { [Kind in keyof Kinds]: Held<Kind>[] }

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
  readonly #held: AllHeld = { receipts: [], unmarked: [], notUnderstood: [], incoming: [] }
  readonly #reassembly = new Reassembly((these) => {
    for (const { message, acknowledge } of these) this.#hold('incoming', message, acknowledge)
  })
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
    switch (delivered.kind) {
      case 'other':
        return acknowledge(0)
      case 'message':
        return this.#reassembly.add({ message: delivered, key: keyOf(delivered, fields, at), at, acknowledge })
      case 'receipt':
        return this.#hold('receipts', delivered.receipt, acknowledge)
      case 'notUnderstood':
        return this.#hold('notUnderstood', delivered.sample, acknowledge)
      case 'unmarked': {
        const { from, to, text } = delivered.message
        const key = keyOf(delivered.message, fields, at)
        const message: IncomingMessage = { key, from, to, text, at, part: null }
        return this.#hold('unmarked', { receipt: delivered.receipt, message }, acknowledge)
      }
    }
  }

  /** Resolves when everything received is stored or refused. */
  async close(): Promise<void> {
    this.#reassembly.flush()
    await this.#storing
  }

  #hold<Kind extends keyof Kinds>(kind: Kind, what: Held<Kind>['what'], acknowledge: Acknowledge): void {
    const held: Held<Kind>[] = this.#held[kind]
    held.push({ what, acknowledge })
    if (this.#count >= heldMax) this.#listener.full(true)
    this.#storing ??= this.#storeAll().finally(() => {
      this.#storing = null
    })
  }

  get #count(): number {
    const { receipts, unmarked, notUnderstood, incoming } = this.#held
    return receipts.length + unmarked.length + notUnderstood.length + incoming.length
  }

  async #storeAll(): Promise<void> {
    await Promise.resolve() // collects what was read at once
    while (this.#count > 0) {
      await this.#store('receipts', (these) => this.#events.receipts(these))
      await this.#store('unmarked', (these) => this.#events.unmarked(these))
      await this.#store('notUnderstood', (these) => this.#events.notUnderstood(these))
      await this.#store('incoming', (these) => this.#events.incoming(these))
      if (this.#count < heldMax / 2) this.#listener.full(false)
    }
  }

  async #store<Kind extends keyof Kinds>(
    kind: Kind,
    store: (these: Held<Kind>['what'][]) => Promise<void>,
  ): Promise<void> {
    const held: Held<Kind>[] = this.#held[kind]
    const these = held.splice(0, batchMax)
    await this.#settle(these, () => store(these.map(({ what }) => what)))
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
