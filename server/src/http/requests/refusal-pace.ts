import { setTimeout as sleep } from 'node:timers/promises'
import { kibibyte } from '@ghanti/contract/values.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** What of a body is received before anything is decided, and costs nothing more to drop. */
const smallBody = 64 * kibibyte
/** What a refusal costs its owner, in milliseconds: ten a second are answered, or one whose large body nobody read in more than a second. */
const refusalMs = 100
const largeRefusalMs = 1200
/** What is answered at once to an owner who was refused nothing lately: sixty refusals, or five with large bodies, as a person at a screen may meet. */
const aheadMs = 6000
const keptBackMaxMs = 5000
/** Of one owner at once; connections on which more are asked for are closed. */
const keptBackMax = 200

/**
 * How fast the refusals of one owner are answered: an account, or a network without one. A refusal costs its sender nothing, but the server a look at
 * the session, at a limit, or all that it has to receive of a body. So whoever goes on is answered late, and nothing more of a body is received meanwhile.
 */
export class RefusalPace {
  /** When each owner's refusals so far will have been paid for; owners who owe nothing are absent. */
  readonly #paidAt = new Map<string, number>()
  readonly #keptBack = new Map<string, number>()
  readonly #accounts = new WeakMap<FastifyRequest, number>()
  readonly #aheadMs: number

  /** `ahead`: in milliseconds; tests that are refused thousands of times have more. */
  constructor(ahead = aheadMs) {
    this.#aheadMs = ahead
  }

  /** Whose session a request has. */
  isOf(request: FastifyRequest, userId: number): void {
    this.#accounts.set(request, userId)
  }

  /** `networkOf`: of an address, for requests without a session. */
  answerLate(http: FastifyInstance, networkOf: (ip: string) => string): void {
    http.addHook('onSend', async (request, reply) => {
      if (reply.statusCode < 400 || reply.statusCode >= 500) return
      const userId = this.#accounts.get(request)
      await this.#keepBack(userId === undefined ? `network ${networkOf(request.ip)}` : `account ${userId}`, request)
    })
  }

  async #keepBack(owner: string, request: FastifyRequest): Promise<void> {
    const waitMs = this.#waitMsOf(owner, isUnread(request) ? largeRefusalMs : refusalMs)
    if (waitMs <= 0) return
    const others = this.#keptBack.get(owner) ?? 0
    if (others >= keptBackMax) return void request.raw.socket.destroy()
    this.#keptBack.set(owner, others + 1)
    await sleep(waitMs, undefined, { ref: false })
    const left = (this.#keptBack.get(owner) ?? 1) - 1
    if (left > 0) this.#keptBack.set(owner, left)
    else this.#keptBack.delete(owner)
  }

  #waitMsOf(owner: string, costMs: number): number {
    const now = performance.now()
    if (this.#paidAt.size > 1000) for (const [other, at] of this.#paidAt) if (at <= now) this.#paidAt.delete(other)
    const paidAt = Math.max(now, this.#paidAt.get(owner) ?? 0) + costMs
    this.#paidAt.set(owner, Math.min(paidAt, now + this.#aheadMs + keptBackMaxMs))
    return Math.min(paidAt - now - this.#aheadMs, keptBackMaxMs)
  }
}

/** A large body that was refused before it was read. */
function isUnread({ raw, headers }: FastifyRequest): boolean {
  const isLarge = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBody
  return isLarge && !raw.complete
}
