import { sql, type RawBuilder } from 'kysely'
import { withinTree, type Scope } from '../../policy.ts'

/**
 * Whether the indexes of words (pg_trgm) can find the text: it has three letters from a to z, or digits, in a row. In the locale of the database
 * no other letter counts, so neither `...` nor Devanagari has anything that an index could look for, and all rows would be read.
 */
export function isInIndex(text: string): boolean {
  return /[a-z0-9]{3}/i.test(text)
}

export const notSearchable = 'takes too long: type three letters (a to z) or digits in a row'
/** How many rows are looked at for a text that no index finds. */
export const newestMax = 10_000

/** Whether the account is one of the scope's newest of which `found` is true, for texts that no index finds. */
export function oneOfNewest(scope: Scope, found: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql<boolean>`users.id = any (array(select users.id from (
    select users.* from users where ${withinTree(scope, 'users')} order by users.id desc limit ${newestMax}) users where ${found}))`
}
