/** How many receipts of one gateway that match nothing are kept: a flood of them fills no disk. */
export const earlyReceiptsMax = 100_000

/** Of a gateway that sends so many segments a second: two receipts of each, and what people write back. */
const callbacksPerSecond = (tps: number): number => 50 + 2 * tps
const burstSeconds = 2

type Bucket = { left: number; atMs: number }

/** How often each gateway may call back, in this process. Only gateways that showed their secret are asked for, so there are as many as gateways. */
export class CallbackRateLimiter {
  readonly #buckets = new Map<number, Bucket>()

  /** False: not now. */
  take({ gatewayId, tps }: { gatewayId: number; tps: number }, now: Date): boolean {
    const perSecond = callbacksPerSecond(tps)
    const full = perSecond * burstSeconds
    const nowMs = now.getTime()
    const { left, atMs } = this.#buckets.get(gatewayId) ?? { left: full, atMs: nowMs }
    const there = Math.min(full, left + (Math.max(0, nowMs - atMs) * perSecond) / 1000)
    this.#buckets.set(gatewayId, { left: there >= 1 ? there - 1 : there, atMs: nowMs })
    return there >= 1
  }
}
