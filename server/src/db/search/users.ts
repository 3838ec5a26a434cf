import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db.ts'
import { searchedOfUser } from '../lists/list.ts'

/**
 * Whether one of these columns of `users` contains the text of `like`, which is in lower case. The index covers one text with everything that is
 * searched of an account, and so finds the few whose columns are checked.
 */
export function isNamed(like: string, columns: readonly ('username' | 'name' | 'company')[]): RawBuilder<boolean> {
  const each = columns.map((column) => sql`lower(${sql.ref(`users.${column}`)}) like ${like}`)
  return sql<boolean>`${searchedOfUser} like ${like} and (${sql.join(each, sql` or `)})`
}

/** Whether the account in `column` is `root` or below it. These accounts are looked up first, as one array. */
export function isInTree(root: number, column: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${column} = any (array(select tree.id from users tree where tree.path @> array[${root}::int]))`
}

/** A word that most accounts have in their names is not looked up account by account. */
const fewUsers = 500

/**
 * Whether the account in `column` is one of these. They are looked up once and not again in each statement, and thousands of ids travel back
 * as the text that they came as.
 */
export async function isOneOf(
  db: Db,
  column: RawBuilder<unknown>,
  users: RawBuilder<{ id: number }>,
): Promise<RawBuilder<boolean>> {
  const { rows } = await sql<{ ids: string | null; count: number }>`
    select array_agg(id)::text as ids, count(*)::int as count from (${users}) found`.execute(db)
  const { ids, count } = rows[0] ?? { ids: null, count: 0 }
  if (ids === null) return sql<boolean>`false`
  return count > fewUsers
    ? sql<boolean>`${column} in (select unnest(${ids}::int[]))`
    : sql<boolean>`${column} = any (${ids}::int[])`
}
