import { pulsesOf } from '@ghanti/contract/money.ts'
import { expect } from 'vitest'
import { threeLevels, type EngineDb, type Fixtures } from './fixtures.ts'

/** A call: how long the customer was on the line, and agents; null: nobody answered. */
export type Talk = { customerMs: number | null; agentMs: number | null }

/** What users, their resellers and the top reseller owe for calls at the prices of `threeLevels`: nobody more than is paid to them. */
export function owedFor(talks: readonly Talk[]): number[] {
  const owed = threeLevels.map(() => 0)
  for (const { customerMs, agentMs } of talks) {
    let paidBelow = Infinity
    for (const [level, { pulseMs, pulsePaisa }] of threeLevels.entries()) {
      const pulses = [customerMs, agentMs].reduce<number>((n, ms) => n + (ms === null ? 0 : pulsesOf(ms, pulseMs)), 0)
      paidBelow = Math.min(paidBelow, pulses * pulsePaisa)
      owed[level] = (owed[level] ?? 0) + paidBelow
    }
  }
  return owed
}

/** What everybody owns now, against what they were given and what the calls cost; nothing is reserved any more, no channel taken. */
export async function expectPaid(
  at: EngineDb,
  fixtures: Fixtures,
  [users = 0, resellers = 0, tops = 0]: number[],
): Promise<void> {
  const ids = (viewers: readonly { userId: number }[]) => viewers.map((viewer) => viewer.userId)
  const groups = [ids(fixtures.users), ids(fixtures.resellers), ids([fixtures.top])]
  const { rows } = await at.pool.query<{ id: number; paisa: number; reserved_paisa: number; in_call: number }>(
    `select a.id, a.balance_paisa + coalesce((select sum(paisa) from account_income i where i.account_id = a.id), 0)
       - coalesce((select sum(amount_paisa) from transfer t where t.payee_id = a.id and t.kind <> 'calls'), 0) as paisa,
       reserved_paisa, calls_in_progress(a.id) as in_call
     from account a where a.id = any ($1)`,
    [groups.flat()],
  )
  for (const row of rows) expect(row).toMatchObject({ reserved_paisa: 0, in_call: 0 })
  const gained = groups.map((group) =>
    rows.filter((row) => group.includes(row.id)).reduce((sum, row) => sum + row.paisa, 0),
  )
  expect(gained).toEqual([0 - users, users - resellers, resellers - tops])
}
