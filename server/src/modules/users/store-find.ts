import { findMax, type Found } from '@ghanti/contract/find.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { containing, searchedOfUser } from '../../db/lists/list.ts'
import { isInIndex, oneOfNewest } from '../../db/search/words.ts'
import { withinTree, type Scope } from '../../policy.ts'
import { wordsOf } from './store-list.ts'

const consideredMax = 1000

/** Uses the index users_search, or looks at the newest accounts for what no index finds. Of very many matches a thousand are ranked; usernames that start with the search come first. */
export async function findUsers(db: Db, scope: Scope, viewerId: number, search: string): Promise<Found['users']> {
  const words = wordsOf(search)
  const named = sql<boolean>`${searchedOfUser} like ${containing(words)}`
  const { rows } = await sql<Found['users'][number]>`
    with considered as materialized (
      select users.id, users.username, users.name, users.company, users.parent_id from users
       where ${isInIndex(words) ? named : oneOfNewest(scope, named)} and users.deleted_at is null and users.role <> 'superAdmin'
         and users.id <> ${viewerId} and ${withinTree(scope, 'users')} limit ${consideredMax})
    select id as "userId", username, name, company, coalesce(parent_id = ${viewerId}, false) as "isChild" from considered
     order by starts_with(lower(username), ${words}) desc, lower(username), id limit ${findMax}`.execute(db)
  return rows
}
