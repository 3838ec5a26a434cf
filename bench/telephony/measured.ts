/** The result of a load by the operator's log alone, so that every client is measured alike. */
import type { SinkCall } from './sink.ts'

export type Measured = {
  /** Calls per second that ended within the window. */
  perSecond: number
  calls: number
  inProgressMax: number
  /** From INVITE to ACK, and from ACK to BYE. */
  setUpMs: { p50: number; p99: number }
  lastedMs: { p50: number; p99: number }
  /** Not answered, not ended, or ended before the prompt could have. */
  failures: { unanswered: number; unended: number; short: number }
}

const earlyMs = 50

export function figuresOf(calls: readonly SinkCall[], of: { from: number; to: number; promptMs: number }): Measured {
  const inWindow = calls.filter(({ endedAt }) => endedAt !== null && endedAt >= of.from && endedAt < of.to)
  const lasted = calls.flatMap(({ answeredAt, endedAt }) => (answeredAt && endedAt ? [endedAt - answeredAt] : []))
  const spans = calls.flatMap(({ invitedAt, endedAt }) => (endedAt ? [endedAt - invitedAt] : []))
  const setUps = calls.flatMap(({ invitedAt, answeredAt }) => (answeredAt ? [answeredAt - invitedAt] : []))
  return {
    perSecond: inWindow.length / ((of.to - of.from) / 1000),
    calls: calls.length,
    inProgressMax: mostAtOnce(calls),
    setUpMs: quantiles(setUps),
    lastedMs: quantiles(lasted),
    failures: {
      unanswered: calls.filter(({ answeredAt }) => answeredAt === null).length,
      unended: calls.filter(({ answeredAt, endedAt }) => answeredAt !== null && endedAt === null).length,
      short: spans.filter((ms) => ms < of.promptMs - earlyMs).length,
    },
  }
}

function mostAtOnce(calls: readonly SinkCall[]): number {
  const changes = calls.flatMap(({ invitedAt, endedAt }) => [
    { at: invitedAt, by: 1 },
    { at: endedAt ?? Infinity, by: -1 },
  ])
  let [most, now] = [0, 0]
  for (const { by } of changes.toSorted((one, other) => one.at - other.at)) most = Math.max(most, (now += by))
  return most
}

function quantiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.ceil(sorted.length * part) - 1] ?? NaN
  return { p50: at(0.5), p99: at(0.99) }
}
