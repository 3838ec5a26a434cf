/** How many unmatched receipts of one gateway are kept, so that a flood does not fill the disk. */
export const earlyReceiptsMax = 100_000

/** For a gateway of `tps` segments per second: two receipts for each, plus incoming messages. */
const callbacksPerSecond = (tps: number): number => 50 + 2 * tps
const burstSeconds = 2

type Bucket = { left: number; atMs: number }

/** Limits callbacks per gateway in this process. Only gateways that proved their secret get a bucket, so there are few. */
export class CallbackRateLimiter {
  readonly #buckets = new Map<number, Bucket>()

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
