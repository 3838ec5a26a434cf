import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { containing, readPage } from '../../db/lists/list.ts'
import type { Page } from '../../http/types.ts'

export type SuperAdmin = {
  userId: number
  username: string
  name: string
  emailid: string
  createdAt: Date
  expiresAt: Date | null
  disabledAt: Date | null
  disabledReason: string | null
  /** Null for the operator on the server. */
  disabledBy: string | null
  sessions: number
  hasSecondFactor: boolean
}

function rows(db: Db) {
  return db
    .selectFrom('users')
    .leftJoin('users as by', 'by.id', 'users.disabled_by')
    .select([
      'users.id as userId',
      'users.username',
      'users.name',
      'users.emailid',
      'users.created_at as createdAt',
      'users.expires_at as expiresAt',
      'users.disabled_at as disabledAt',
      'users.disabled_reason as disabledReason',
      'by.username as disabledBy',
      sql<number>`(select count(*)::int from session where session.user_id = users.id)`.as('sessions'),
      sql<boolean>`exists (select from totp where totp.user_id = users.id)
        or exists (select from passkey where passkey.user_id = users.id)`.as('hasSecondFactor'),
    ])
    .where('users.role', '=', 'superAdmin')
    .where('users.deleted_at', 'is', null)
}

/** Also one that was deleted; the demo's do not count. */
export async function hasOtherSuperAdmin(tx: Tx, userId: number): Promise<boolean> {
  const other = tx.selectFrom('users').select('id').where('role', '=', 'superAdmin').where('is_demo', '=', false)
  return (await other.where('id', '<>', userId).limit(1).executeTakeFirst()) !== undefined
}

export function superAdmins(db: Db): Promise<SuperAdmin[]> {
  return rows(db).orderBy('users.id').execute()
}

export async function listSuperAdmins(
  db: Db,
  state: 'active' | 'disabled' | undefined,
  query: ListQuery,
): Promise<Page<SuperAdmin>> {
  let found = rows(db)
  if (state) found = found.where('users.disabled_at', state === 'active' ? 'is' : 'is not', null)
  if (query.search) {
    const pattern = containing(query.search.trim().toLowerCase())
    found = found.where(
      sql<boolean>`lower(users.username || chr(10) || users.name || chr(10) || users.emailid) like ${pattern}`,
    )
  }
  return readPage(db, found, query, {
    keys: { username: sql`lower(users.username)`, name: sql`lower(users.name)`, userId: sql.ref('users.id') },
    id: sql<number>`users.id`,
    fallback: 'userId',
  })
}
