import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { containing, readPage } from '../../db/lists/list.ts'

type Exception = {
  hours: unknown
  reason: string
  changedAt: Date
  changedBy: string
  userId: number
  username: string
  company: string
}

export async function exceptions(db: Db, query: ListQuery) {
  let rows = db
    .selectFrom('account_calling_hours as own')
    .innerJoin('users', 'users.id', 'own.account_id')
    .innerJoin('users as changer', 'changer.id', 'own.changed_by')
    .select([
      'own.hours',
      'own.reason',
      'own.changed_at as changedAt',
      'changer.username as changedBy',
      'own.account_id as userId',
      'users.username',
      'users.company',
    ])
    .$castTo<Exception>()
    .where('users.deleted_at', 'is', null)
  if (query.search) {
    const pattern = containing(query.search.trim())
    rows = rows.where(
      sql<boolean>`(users.username ilike ${pattern} or users.company ilike ${pattern} or own.reason ilike ${pattern})`,
    )
  }
  const keys = { username: sql`lower(users.username)`, changedAt: sql.ref('own.changed_at') }
  return readPage(db, rows, query, { keys, id: sql<number>`own.account_id`, fallback: 'username' })
}

/** Leaves out super admins, who call nobody. */
export async function accountNamed(tx: Tx, userId: number): Promise<string | undefined> {
  const row = await tx
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .where('role', '<>', 'superAdmin')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.username
}

export async function writeException(
  tx: Tx,
  line: { userId: number; hours: unknown; reason: string; byUserId: number; at: Date },
): Promise<void> {
  const set = { hours: JSON.stringify(line.hours), reason: line.reason, changed_by: line.byUserId, changed_at: line.at }
  await tx
    .insertInto('account_calling_hours')
    .values({ account_id: line.userId, ...set })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(set))
    .execute()
}

export async function removeException(tx: Tx, userId: number): Promise<boolean> {
  const removed = await tx.deleteFrom('account_calling_hours').where('account_id', '=', userId).executeTakeFirst()
  return removed.numDeletedRows === 1n
}
