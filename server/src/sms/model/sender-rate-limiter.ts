/** How far ahead a gateway may be: enough for the next ticks. */
const aheadSeconds = 0.5

type Account = { segments: number; at: number }

/** How many segments of each sender ID one gateway may take now. A long message may exceed the limit, which delays the next ones. */
export class SenderRateLimiter {
  readonly #accounts = new Map<string, Account>()

  /** `perSecond` null: unlimited. */
  room(sender: string, perSecond: number | null, now = performance.now()): number {
    if (perSecond === null) return Infinity
    const key = sender.toLowerCase()
    const before = this.#accounts.get(key) ?? { segments: 0, at: -Infinity }
    const ahead = Math.max(1, perSecond * aheadSeconds)
    const segments = Math.min(ahead, before.segments + ((now - before.at) / 1000) * perSecond)
    this.#accounts.set(key, { segments, at: now })
    return Math.max(0, Math.floor(segments))
  }

  took(sender: string, segments: number): void {
    const account = this.#accounts.get(sender.toLowerCase())
    if (account) account.segments -= segments
  }

  /** Drops the state of sender IDs that send no more. */
  forget(senders: ReadonlySet<string>): void {
    for (const key of this.#accounts.keys()) if (!senders.has(key)) this.#accounts.delete(key)
  }
}
