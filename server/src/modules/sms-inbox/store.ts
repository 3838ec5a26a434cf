import type { InboxAction } from '@ghanti/contract/sms-inbox.ts'
import { asciiDigits } from '@ghanti/contract/phone.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { firstIdSince } from '../../db/search/ids.ts'
import { containing, exactRows, readPage } from '../../db/lists/list.ts'
import { numberLike } from '../../db/search/numbers.ts'
import { isInIndex, newestMax } from '../../db/search/words.ts'
import type { Page } from '../../http/types.ts'
import { within, type Scope } from '../../policy.ts'

export type InboxFilter = {
  actions?: readonly InboxAction[] | undefined
  from?: Date | undefined
  to?: Date | undefined
  /** A campaign's id, or part of its name. */
  campaign?: string | undefined
}

function described(db: Db) {
  return db
    .selectFrom('sms_inbox as i')
    .leftJoin('users as u', 'u.id', 'i.account_id')
    .leftJoin('sms_campaign_detail as d', 'd.campaign_id', 'i.campaign_id')
    .select(['i.id', 'i.phone', 'i.from_number', 'i.to_number', 'i.text', 'i.received_at', 'i.campaign_id', 'i.action'])
    .select(['i.account_id', 'u.username', 'd.name as campaign_name'])
}
export type InboxEntry = Awaited<ReturnType<ReturnType<typeof described>['execute']>>[number]

/** Ids follow the order of arrival, so days are ranges of ids. */
const everything = { table: sql`sms_inbox`, where: sql<boolean>`true`, at: sql`received_at` }

async function conditions(
  db: Db,
  scope: Scope,
  { actions, from, to, campaign }: InboxFilter,
  search: string | undefined,
) {
  const first = from && ((await firstIdSince(db, everything, from)) ?? 0)
  const last = to && ((await firstIdSince(db, everything, to)) ?? 0)
  return [
    ...(actions ? [sql<boolean>`i.action = any (${actions}::sms_inbox_action[])`] : []),
    ...(first === undefined ? [] : [sql<boolean>`i.id >= ${first}`]),
    ...(last === undefined ? [] : [sql<boolean>`i.id < ${last}`]),
    ...(campaign === undefined ? [] : [ofCampaign(scope, campaign)]),
    ...(search === undefined ? [] : [ofNumber(search)]),
  ]
}

/** A whole number matches few messages and is looked up first; a reseller's accounts may have many. */
function ofNumber(search: string) {
  const isWhole = asciiDigits(search).replace(/\D/g, '').length >= 8
  return isWhole
    ? sql<boolean>`i.id = any (array(select n.id from sms_inbox n where ${numberLike(sql.ref('n.phone'), search, { indexed: true })}))`
    : numberLike(sql.ref('i.phone'), search, { indexed: true })
}

/** For a text that no index finds, only the newest campaigns of the scope. */
function progressOf(scope: Scope, campaign: string) {
  return isInIndex(campaign)
    ? sql`sms_campaign_progress`
    : sql`(select * from sms_campaign_progress where ${within(scope, 'account_id')} order by campaign_id desc limit ${newestMax})`
}

const isId = (campaign: string): boolean => /^[1-9]\d{0,8}$/.test(campaign)

function ofCampaign(scope: Scope, campaign: string) {
  return isId(campaign)
    ? sql<boolean>`i.campaign_id = ${Number(campaign)}`
    : sql<boolean>`i.campaign_id = any (array(select campaign_id from ${progressOf(scope, campaign)} p where lower(name) like ${containing(campaign.toLowerCase())}
        and ${within(scope, 'account_id')}))`
}

export async function pageOfInbox(
  db: Db,
  scope: Scope,
  filter: InboxFilter,
  query: ListQuery,
): Promise<Page<InboxEntry>> {
  const filters = await conditions(db, scope, filter, query.search)
  const all = db.selectFrom('sms_inbox as i').select('i.id')
  // A message belongs to its campaign's owner: where campaigns in the scope are named, their index answers the rest, and no message is
  // read.
  const isByName = filter.campaign !== undefined && !isId(filter.campaign)
  const inScope = isByName ? all : all.where(within(scope, 'i.account_id'))
  const id = sql.ref<number>('i.id')
  const page = await readPage(
    db,
    filters.reduce((rows, where) => rows.where(where), inScope),
    query,
    { keys: { inboxId: id }, id, fallback: '-inboxId', isFiltered: filters.length > 0, onlyIds: true },
  )
  const ids = page.rows.map((row) => row.id)
  const rows = await described(db)
    .where('i.id', '=', sql<number>`any (${ids}::bigint[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { ...page, rows: ids.flatMap((one) => byId.get(one) ?? []) }
}

/** Accounts to which the number that a question names wrote, whatever else narrows it down: an empty page's total, too, tells whether it did. */
export async function ownersOfNumber(db: Db, scope: Scope, search: string | undefined): Promise<number[]> {
  if (scope.kind === 'own' || search === undefined) return []
  const { rows } = await sql<{ account_id: number }>`
    select distinct account_id
      from (select i.account_id from sms_inbox i
             where ${ofNumber(search)}
               and ${within(scope, 'i.account_id')}
               and i.account_id is not null
             limit ${exactRows + 1}) f`.execute(db)
  return rows.map((row) => row.account_id)
}

const batchRows = 10_000

/** In batches, because lowering the days may delete a year's messages. */
export async function forgetOld(db: Db, before: Date): Promise<void> {
  const end = await firstIdSince(db, everything, before)
  if (end === null) return
  for (let gone = batchRows; gone === batchRows;) {
    const { numDeletedRows } = await db
      .deleteFrom('sms_inbox')
      .where('id', 'in', (old) =>
        old.selectFrom('sms_inbox').select('id').where('id', '<', end).orderBy('id').limit(batchRows),
      )
      .executeTakeFirstOrThrow()
    gone = Number(numDeletedRows)
  }
}
