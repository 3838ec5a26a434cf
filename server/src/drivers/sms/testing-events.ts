import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewayEvents, GatewayState, IncomingMessage, Receipt, UnmarkedReceipt } from './driver.ts'
import { idKey } from './driver.ts'

export class RecordedEvents implements GatewayEvents {
  readonly receiptsStored: Receipt[] = []
  readonly incomingStored: IncomingMessage[] = []
  readonly unmarkedStored: UnmarkedReceipt[] = []
  readonly samples: string[] = []
  readonly states: GatewayState[] = []
  /** How many more times storing fails, for each kind: a receipt must not use up what a reply is to meet. */
  readonly refusals = { receipts: 0, incoming: 0 }

  async receipts(these: Receipt[]): Promise<void> {
    this.#mayRefuse('receipts')
    this.receiptsStored.push(...these)
  }

  async incoming(these: IncomingMessage[]): Promise<void> {
    this.#mayRefuse('incoming')
    this.incomingStored.push(...these)
  }

  async unmarked(these: UnmarkedReceipt[]): Promise<void> {
    this.unmarkedStored.push(...these)
  }

  async notUnderstood(these: string[]): Promise<void> {
    this.samples.push(...these)
  }

  state(state: GatewayState): void {
    this.states.push(state)
  }

  receiptsOf(ids: readonly string[]): Receipt[] {
    const keys = new Set(ids.map(idKey))
    return this.receiptsStored.filter(({ id }) => keys.has(idKey(id)))
  }

  #mayRefuse(what: 'receipts' | 'incoming'): void {
    if (this.refusals[what] === 0) return
    this.refusals[what] -= 1
    throw new Error('nothing can be stored now')
  }
}

/** The first result that is not empty. Without one, the test's own time limit ends the wait. */
export async function eventually<Value>(ask: () => Value | undefined | false | null): Promise<Value> {
  for (;;) {
    const value = ask()
    if (value !== undefined && value !== false && value !== null) return value
    await sleep(10)
  }
}
