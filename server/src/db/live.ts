import { sql, type RawBuilder } from 'kysely'

/**
 * Is the account live, that is, neither it nor an account above it disabled or deleted? For `where`; `path` is the column with its ancestors and
 * itself. What this means stands in the database (account_stopped_by), where the engine asks too.
 */
export function isLive(path: string): RawBuilder<boolean> {
  return sql<boolean>`not exists (select from account_stopped_by(${sql.ref(path)}))`
}

export function isStopped(path: string): RawBuilder<boolean> {
  return sql<boolean>`not ${isLive(path)}`
}

/** Is it that account or one below, and live if that one were? */
export function onlyStoppedBy(userId: number, path: string): RawBuilder<boolean> {
  const column = sql.ref(path)
  return sql<boolean>`${column} @> array[${userId}::int]
    and not exists (select from account_stopped_by(array_replace(${column}, ${userId}::int, 0)))`
}
