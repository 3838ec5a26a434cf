/** How many calls there were at once and in a second, by the network. */
import type { EngineDb } from './fixtures.ts'

/** Unix ms in our time. */
export type Span = { from: number; to: number }

/** When the calls over these trunks began and ended, in order. `speed`: of the network. */
export async function callsOver(
  { pool }: Pick<EngineDb, 'pool'>,
  trunkIds: readonly number[],
  speed: number,
): Promise<Span[]> {
  const { rows } = await pool.query<{ started_at: Date; ended_at: Date }>(
    `select started_at, ended_at from attempt where trunk_id = any ($1::int[]) and disposition <> 'CANCEL' order by 1`,
    [trunkIds],
  )
  return rows.map(({ started_at, ended_at }) => {
    const from = started_at.getTime()
    return { from, to: from + (ended_at.getTime() - from) / speed }
  })
}

/** A call may begin in the millisecond in which another one ends: beginnings are known in whole milliseconds, ends more exactly. */
export function mostAtOnce(calls: readonly Span[]): number {
  return Math.max(
    ...calls.map(({ from }) => calls.filter((other) => other.from <= from && other.to >= from + 1).length),
  )
}

/** `calls` in order. What was asked of the network a moment before or after the end of a second may begin on its other side. */
export function mostASecond(calls: readonly Span[]): number {
  let [most, first] = [0, 0]
  for (const [n, { from }] of calls.entries()) {
    while (from - (calls[first]?.from ?? from) >= 1000) first += 1
    most = Math.max(most, n - first + 1)
  }
  return most
}
