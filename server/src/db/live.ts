import type { Role } from '@ghanti/contract/roles.ts'
import { sql, type RawBuilder } from 'kysely'

/**
 * Whether an account is live: neither it nor an account above it is disabled or deleted. For `where`; `path` is the column with its ancestors
 * and itself. The definition is in the database (account_stopped_by), where the engine asks too.
 */
export function isLive(path: string): RawBuilder<boolean> {
  return sql<boolean>`not exists (select from account_stopped_by(${sql.ref(path)}))`
}

export function isStopped(path: string): RawBuilder<boolean> {
  return sql<boolean>`not ${isLive(path)}`
}

/** Whether the account is the given one or below it, and would be live if the given one were. */
export function onlyStoppedBy(userId: number, path: string): RawBuilder<boolean> {
  const column = sql.ref(path)
  return sql<boolean>`${column} @> array[${userId}::int]
    and not exists (select from account_stopped_by(array_replace(${column}, ${userId}::int, 0)))`
}

/** The frozen account with which an account is frozen, itself or the nearest above, and who froze it (null: the operator). Null: it is not. */
export function frozenWith(accountId: string): RawBuilder<FrozenWith | null> {
  return sql<FrozenWith | null>`(
    select jsonb_build_object('userId', z.id, 'username', z.username,
      'by', case when b.id is not null then jsonb_build_object('id', b.id, 'role', b.role, 'path', b.path) end)
    from users u cross join account_frozen_by(u.path) f join users z on z.id = f.freezer_id left join users b on b.id = z.frozen_by
    where u.id = ${sql.ref(accountId)})`
}
export type FrozenWith = { userId: number; username: string; by: { id: number; role: Role; path: number[] } | null }

/** Whether it is live for the mailed link by which the owner of an account sets a password: what the owner froze ('It was not me') is lifted by it. */
export function isLiveToOwner(users: string): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${users}.${column}`)
  return sql<boolean>`(${isLive(`${users}.path`)} or ${of('frozen_by')} = ${of('id')} and ${of('frozen_disables')}
    and not exists (select from account_stopped_by(array_replace(${of('path')}, ${of('id')}, 0))))`
}
