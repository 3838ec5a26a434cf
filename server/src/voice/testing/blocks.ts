import type { Queryable } from '../../dispatch/statement.ts'

type Plan = Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>

/** How many blocks of 8 kB a statement reads, counted as often as it reads them: what it costs, whatever else the machine does. */
export async function blocksRead(
  db: Queryable,
  { text }: { text: string },
  values: readonly unknown[],
): Promise<number> {
  const { rows } = await db.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `explain (analyze, buffers, format json) ${text}`,
    [...values],
  )
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  if (!plan) throw new Error('no plan')
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}
