import { setTimeout as sleep } from 'node:timers/promises'
import { mebibyte } from '@ghanti/contract/values.ts'

/** Of one owner, at each API. Rows are read far more slowly, so nobody waits longer for a file. */
export const bytesPerSecond = 8 * mebibyte
/** What is taken at once from an owner who sent nothing lately. */
const aheadMs = 250

/**
 * How fast the files of one owner are taken: an account, or a network without one. Receiving, hashing and writing what comes as fast as a network
 * of one building carries it would keep the answers to others waiting.
 */
export class BodyPace {
  /** When each owner's pieces so far will have been paid for; owners who owe nothing are absent. */
  readonly #paidAt = new Map<string, number>()
  readonly #now: () => number
  readonly #wait: (ms: number) => Promise<unknown>

  constructor(now: () => number = () => performance.now(), wait: (ms: number) => Promise<unknown> = sleep) {
    this.#now = now
    this.#wait = wait
  }

  /** Resolves when a piece of so many bytes may be taken from the owner. */
  async take(owner: string, bytes: number): Promise<void> {
    const now = this.#now()
    if (this.#paidAt.size > 1000) for (const [other, at] of this.#paidAt) if (at <= now) this.#paidAt.delete(other)
    const paidAt = Math.max(now, this.#paidAt.get(owner) ?? 0) + (bytes / bytesPerSecond) * 1000
    this.#paidAt.set(owner, paidAt)
    if (paidAt - now > aheadMs) await this.#wait(paidAt - now - aheadMs)
  }
}
