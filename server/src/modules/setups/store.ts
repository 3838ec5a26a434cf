import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'

/** Stored fields that this release does not read are null. */
export function list(db: Db, accountId: number) {
  return db
    .selectFrom('setup as s')
    .leftJoin('base as b', (join) => join.on('b.id', '=', numberIn('baseId')).on('b.deleted_at', 'is', null))
    .select([
      's.id',
      's.name',
      numberIn('templateId').as('templateId'),
      sql<string | null>`s.fields ->> 'cli'`.as('cli'),
      'b.name as baseName',
      's.changed_at',
    ])
    .where('s.account_id', '=', accountId)
    .orderBy(sql`lower(s.name)`)
    .execute()
}

function numberIn(field: string) {
  const value = sql`s.fields ->> ${sql.lit(field)}`
  return sql<number | null>`case when ${value} ~ '^[0-9]{1,9}$' then (${value})::int end`
}

export function find(db: Db, accountId: number, setupId: number) {
  return db
    .selectFrom('setup')
    .select(['id', 'name', 'fields'])
    .where('account_id', '=', accountId)
    .where('id', '=', setupId)
    .executeTakeFirst()
}

/** Serialises changes of the account's set-ups, so that their limit holds. */
export async function lock(tx: Tx, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('set-ups'), ${accountId})`.execute(tx)
}

export async function count(tx: Tx, accountId: number): Promise<number> {
  const { setups } = await tx
    .selectFrom('setup')
    .select(({ fn }) => fn.countAll<number>().as('setups'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(setups)
}

/** Ignores case. `but`: the set-up's own id. */
export async function nameTaken(tx: Tx, accountId: number, name: string, but = 0): Promise<boolean> {
  const other = await tx
    .selectFrom('setup')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('id', '<>', but)
    .executeTakeFirst()
  return other !== undefined
}

export async function insert(tx: Tx, accountId: number, name: string, fields: object, at: Date): Promise<number> {
  const { id } = await tx
    .insertInto('setup')
    .values({ account_id: accountId, name, fields: JSON.stringify(fields), changed_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function rename(tx: Tx, setupId: number, name: string, at: Date): Promise<void> {
  await tx.updateTable('setup').set({ name, changed_at: at }).where('id', '=', setupId).execute()
}

/** Its name; undefined when there is none. */
export async function remove(tx: Tx, accountId: number, setupId: number): Promise<string | undefined> {
  const gone = await tx
    .deleteFrom('setup')
    .where('account_id', '=', accountId)
    .where('id', '=', setupId)
    .returning('name')
    .executeTakeFirst()
  return gone?.name
}

/** What the owner composed a campaign of, and whether its contact file is a stored one. */
export function composedOf(db: Db, accountId: number, campaignId: number) {
  return db
    .selectFrom('campaign as c')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'c.id')
    .innerJoin('base as b', 'b.id', 'd.base_id')
    .select(['d.composed', 'b.pasted'])
    .where('c.id', '=', campaignId)
    .where('c.account_id', '=', accountId)
    .where('c.is_test', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('campaign_deleted as x').select('x.campaign_id').whereRef('x.campaign_id', '=', 'c.id'))),
    )
    .executeTakeFirst()
}

/** Names of the owner's voice files that a campaign cannot use: deleted, or not approved any more. */
export async function gonePrompts(db: Db, accountId: number, promptIds: readonly number[]): Promise<string[]> {
  if (promptIds.length === 0) return []
  const rows = await db
    .selectFrom('prompt')
    .select('name')
    .where('id', 'in', promptIds)
    .where('owner_id', '=', accountId)
    .where(({ or, eb }) => or([eb('deleted_at', 'is not', null), eb('status', '<>', 'approved')]))
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

export async function goneBase(db: Db, accountId: number, baseId: number): Promise<string | undefined> {
  const base = await db
    .selectFrom('base')
    .select('name')
    .where('id', '=', baseId)
    .where('owner_id', '=', accountId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  return base?.name
}
