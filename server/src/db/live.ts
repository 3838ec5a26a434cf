import { sql, type RawBuilder } from 'kysely'

/**
 * Neither the account nor one above it is disabled or deleted. `path`: its ancestors and itself. The definition is in the database
 * (account_stopped_by), where the engine asks too.
 */
export function isLive(path: string): RawBuilder<boolean> {
  return sql<boolean>`not exists (select from account_stopped_by(${sql.ref(path)}))`
}

export function isStopped(path: string): RawBuilder<boolean> {
  return sql<boolean>`not ${isLive(path)}`
}

/** At or below the given account, and live if that one were. */
export function onlyStoppedBy(userId: number, path: string): RawBuilder<boolean> {
  const column = sql.ref(path)
  return sql<boolean>`${column} @> array[${userId}::int]
    and not exists (select from account_stopped_by(array_replace(${column}, ${userId}::int, 0)))`
}
