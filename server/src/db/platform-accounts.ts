import type { Db } from './db.ts'

async function idOf(db: Db, kind: 'mint' | 'revenue'): Promise<number> {
  const { id } = await db.selectFrom('account').select('id').where('kind', '=', kind).executeTakeFirstOrThrow()
  return id
}

/** The account that issues credits (docs/design.md#ledger). Super admins act in its name; their blacklist and plans are the platform's. */
export function mintId(db: Db): Promise<number> {
  return idOf(db, 'mint')
}

/** The account to which the last account of every chain pays. The platform's counters are kept under it. */
export function revenueId(db: Db): Promise<number> {
  return idOf(db, 'revenue')
}
