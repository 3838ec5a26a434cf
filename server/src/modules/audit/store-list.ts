import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type SqlBool } from 'kysely'
import type { Db } from '../../db/db.ts'
import { containing, readBatches, readPage } from '../../db/list.ts'
import { doneWithin, type Scope } from '../../policy.ts'

/** Each is what it must be; undefined: any. */
export type Filter = {
  actor?: string | undefined
  /** 'campaign.stop', or 'campaign' for all of its kind. */
  action?: string | undefined
  target?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  search?: string | undefined
}

const key = sql.ref('audit_log.at')
const id = sql<number>`audit_log.id`

function select(db: Db, scope: Scope, { actor, action, target, from, to, search }: Filter) {
  // Of few accounts, so that the index on them is used: usernames are looked up first.
  const named = (pattern: string) =>
    sql`(select id from users found where lower(found.username) like lower(${pattern}) limit 1000)`
  let rows = db
    .selectFrom('audit_log')
    .leftJoin('users as actor', 'actor.id', 'audit_log.actor_id')
    .select([
      'audit_log.id',
      'audit_log.at',
      'actor.username',
      'audit_log.action',
      'audit_log.target',
      'audit_log.ip',
      'audit_log.detail',
      sql<string | null>`case when audit_log.target ~ '^user \\d{1,9}$'
        then (select u.username from users u where u.id = substr(audit_log.target, 6)::int)
        else audit_log.detail ->> 'name' end`.as('targetName'),
    ])
    .where(doneWithin(scope, { doer: 'audit_log.actor_id', path: 'audit_log.actor_path' }))
  if (actor !== undefined)
    rows = rows.where(sql<SqlBool>`audit_log.actor_id = any (array${named(actor.replace(/[\\%_]/g, String.raw`\$&`))})`)
  if (action !== undefined) {
    const kind = containing(`${action}.`).slice(1)
    rows = rows.where((where) => where.or([where('action', '=', action), where('action', 'like', kind)]))
  }
  if (target !== undefined) rows = rows.where('audit_log.target', '=', target)
  if (from !== undefined) rows = rows.where('audit_log.at', '>=', from)
  if (to !== undefined) rows = rows.where('audit_log.at', '<', to)
  const wanted = search?.trim()
  if (wanted)
    rows = rows.where(
      sql<SqlBool>`(audit_log.said ilike ${containing(wanted)} or audit_log.actor_id = any (array${named(containing(wanted))}))`,
    )
  return rows
}

export function list(db: Db, scope: Scope, filter: Filter, query: ListQuery) {
  return readPage(db, select(db, scope, filter), query, { keys: { at: key }, id, fallback: '-at' })
}

export function all(db: Db, scope: Scope, filter: Filter) {
  return readBatches(db, select(db, scope, filter), { key, id })
}
