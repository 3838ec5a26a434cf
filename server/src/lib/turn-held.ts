/** Whether a request's turn is held: who waits for a slow thing meanwhile would keep others from the database. */
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'

const held = new AsyncLocalStorage<true>()

export function holdingTurn<T>(work: () => Promise<T>): Promise<T> {
  return held.run(true, work)
}

/** Fails where a turn is held. The route's kind of work needs a line of its own then (limited-routes.ts). */
export function requireNoTurn(what: string): void {
  assert(held.getStore() === undefined, `${what} would keep a turn of the database waiting`)
}
