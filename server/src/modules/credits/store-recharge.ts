import type { Role } from '@ghanti/contract/roles.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { within, type Scope } from '../../policy.ts'

export type Child = {
  id: number
  username: string
  parentId: number | null
  parentName: string | null
  parentRole: Role | null
}

/** A locked account cannot be deleted before the transaction ends. */
export function findChild(db: Db, scope: Scope, userId: number, lock: 'share' | null): Promise<Child | undefined> {
  const found = db
    .selectFrom('users')
    .leftJoin('users as parent', 'parent.id', 'users.parent_id')
    .select([
      'users.id',
      'users.username',
      'users.parent_id as parentId',
      'parent.username as parentName',
      'parent.role as parentRole',
    ])
    .where('users.id', '=', userId)
    .where('users.deleted_at', 'is', null)
    .where(within(scope, 'users.id'))
  return (lock ? found.forShare('users') : found).executeTakeFirst()
}

type Recharged = { action: 'credit_add' | 'credit_remove'; paisa: number; secondsAgo: number }

export async function lastRecharge(db: Db, accountId: number, fundingId: number): Promise<Recharged | null> {
  const { rows } = await sql<Recharged>`
    select action, abs(amount_paisa) as paisa, greatest(0, extract(epoch from now() - at))::int as "secondsAgo"
      from credit_entry
     where account_id = ${accountId} and other_id = ${fundingId}
     order by at desc, id desc limit 1`.execute(db)
  return rows[0] ?? null
}
