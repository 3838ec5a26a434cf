import type { CallDimension, Grain, MessageDimension } from '@ghanti/contract/insight.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/db.ts'
import type { CountKind } from '../../db/tables.ts'
import type { Days } from './rules.ts'
import { callSums, messageSums, type CallSums, type MessageSums } from './rules-figures.ts'

export function accountOf(db: Db, userId: number) {
  return db.selectFrom('users').select(['role', 'username']).where('id', '=', userId).executeTakeFirstOrThrow()
}

/** The filters of a request. The counters by hour have operator, trunk and template as keys; those of a campaign are by day only. */
export type CallsAsked = {
  accountId: number
  /** Whether the account is the platform's, which has no users below it. */
  isPlatform: boolean
  operators?: number[] | undefined
  trunkId?: number | undefined
  template?: number | undefined
  campaignId?: number | undefined
}
export type MessagesAsked = { accountId: number; operators?: number[] | undefined }

/** Whether only the counters by hour can answer it. */
function isCombined({ operators, trunkId, template }: Partial<CallsAsked>): boolean {
  return operators !== undefined || trunkId !== undefined || template !== undefined
}

/** Day 0 is Thursday, 1 January 1970; weekday 0 is Sunday. */
const weekHour = sql<number>`(at / 24 + 4) % 7 * 24 + at % 24`
const at = sql<number>`at`
const dayOfHour = sql<number>`at / 24`

type Slice = 'minute' | 'hour' | 'day'
/** The rows of one slice and kind in a range of days: one range of the primary key for each account. */
export function inside(accountId: number, days: Days, slice: Slice, kind: CountKind): RawBuilder<boolean> {
  const perDay = { minute: 1440, hour: 24, day: 1 }[slice]
  return sql<boolean>`slice = ${sql.lit(slice)} and kind = ${sql.lit(kind)} and account_id = ${accountId}
    and at between ${days.from * perDay} and ${(days.to + 1) * perDay - 1}`
}

function narrowedTo({ operators, trunkId, template }: Partial<CallsAsked>): RawBuilder<boolean> {
  const conditions = [
    operators && sql<boolean>`operator = any (${operators}::smallint[])`,
    trunkId !== undefined && sql<boolean>`trunk_id = ${trunkId}`,
    template !== undefined && sql<boolean>`template_id = ${template}`,
  ].filter((condition) => condition !== false && condition !== undefined)
  return conditions.length === 0 ? sql<boolean>`true` : sql.join(conditions, sql` and `)
}

export const sumsOf = (names: readonly string[]) =>
  sql.join(names.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`))

function bucketsOf(by: Grain, combined: boolean): { slice: Slice; bucket: RawBuilder<number> } {
  if (by === 'minute') return { slice: 'minute', bucket: at }
  if (by === 'hour') return { slice: 'hour', bucket: at }
  if (by === 'weekday') return { slice: 'hour', bucket: weekHour }
  return combined ? { slice: 'hour', bucket: dayOfHour } : { slice: 'day', bucket: at }
}

export async function callSeries(
  db: Db,
  asked: CallsAsked,
  days: Days,
  by: Grain,
): Promise<(CallSums & { bucket: number })[]> {
  const { slice, bucket } = bucketsOf(by, isCombined(asked))
  const { accountId, campaignId } = asked
  const ofWhat =
    campaignId === undefined
      ? inside(accountId, days, slice, 'all')
      : sql<boolean>`${inside(accountId, days, 'day', 'campaign')} and key = ${campaignId}`
  const { rows } = await sql<CallSums & { bucket: number }>`
    select ${bucket} as bucket, ${sumsOf(callSums)} from call_count where ${ofWhat} and ${narrowedTo(asked)} group by 1 order by 1`.execute(
    db,
  )
  return rows
}

export async function messageSeries(
  db: Db,
  asked: MessagesAsked,
  days: Days,
  by: Grain,
): Promise<(MessageSums & { bucket: number })[]> {
  const { slice, bucket } = bucketsOf(by, isCombined(asked))
  const { rows } = await sql<MessageSums & { bucket: number }>`
    select ${bucket} as bucket, ${sumsOf(messageSums)} from sms_count
     where ${inside(asked.accountId, days, slice, 'all')} and ${narrowedTo(asked)} group by 1 order by 1`.execute(db)
  return rows
}

export type Keyed<S> = S & { key: number; keys: number }

const hourColumns: Partial<Record<CallDimension | MessageDimension, string>> = {
  operator: 'operator',
  trunk: 'trunk_id',
  template: 'template_id',
}
/** Whether a dimension can be combined with filters of the counters by hour. */
export const isOfHours = (of: CallDimension): boolean => hourColumns[of] !== undefined

export async function callRows(
  db: Db,
  asked: CallsAsked,
  days: Days,
  of: CallDimension,
  most: number,
): Promise<Keyed<CallSums>[]> {
  const column = isCombined(asked) ? hourColumns[of] : undefined
  const { accountId } = asked
  if (column === undefined)
    return await dayRows(db, { table: 'call_count', sums: callSums, by: 'attempts' }, { accountId, days, of, most })
  const { rows } = await sql<Keyed<CallSums>>`
    select ${sql.ref(column)}::bigint as key, ${sumsOf(callSums)}, count(*) over ()::int as keys from call_count
     where ${inside(accountId, days, 'hour', 'all')} and ${narrowedTo(asked)} group by 1 order by sum(attempts) desc, 1 limit ${most}`.execute(
    db,
  )
  return rows
}

export async function messageRows(
  db: Db,
  { accountId }: MessagesAsked,
  days: Days,
  of: MessageDimension,
  most: number,
): Promise<Keyed<MessageSums>[]> {
  return await dayRows(db, { table: 'sms_count', sums: messageSums, by: 'messages' }, { accountId, days, of, most })
}

type Ranking = { accountId: number; days: Days; of: CountKind; most: number }

/**
 * The keys with the highest figures. An account may have ten thousand campaigns a day, so the keys are ranked by one figure, and all figures
 * are read only for those that are shown: one row of the primary key for each day.
 */
async function dayRows<S>(
  db: Db,
  { table, sums, by }: { table: string; sums: readonly (keyof S & string)[]; by: string },
  { accountId, days, of, most }: Ranking,
): Promise<Keyed<S>[]> {
  const counts = sql.table(table)
  const { rows } = await sql<Keyed<S>>`
    with ranked as materialized (
      select key, sum(${sql.ref(by)}) as most, count(*) over ()::int as keys from ${counts} where ${inside(accountId, days, 'day', of)}
       group by key order by 2 desc, key limit ${most}
    )
    select r.key, r.keys, ${sumsOf(sums)} from ranked r, generate_series(${days.from}::int, ${days.to}::int) day
      join lateral (select * from ${counts} where ${inside(accountId, days, 'day', of)} and at = day and key = r.key) c on true
     group by r.key, r.keys, r.most order by r.most desc, r.key`.execute(db)
  return rows
}

export async function namesOf(
  db: Db,
  what: 'calls' | 'messages',
  of: CallDimension | MessageDimension,
  keys: readonly number[],
): Promise<Map<number, string>> {
  const query = nameQueries[what === 'messages' && of === 'campaign' ? 'smsCampaign' : of]
  if (!query || keys.length === 0) return new Map()
  const { rows } = await sql<{ id: number; name: string }>`${query} = any (${keys}::int[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const nameQueries: Readonly<Record<string, RawBuilder<unknown>>> = {
  customer: sql`select id, username as name from users where id`,
  campaign: sql`select campaign_id as id, name from campaign_detail where campaign_id`,
  smsCampaign: sql`select campaign_id as id, name from sms_campaign_detail where campaign_id`,
  trunk: sql`select id, name from trunk where id`,
  cli: sql`select id, number as name from cli where id`,
  gateway: sql`select id, name from sms_gateway where id`,
  sender: sql`select id, name from sms_sender where id`,
}
