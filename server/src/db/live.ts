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
