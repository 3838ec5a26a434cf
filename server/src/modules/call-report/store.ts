import { searchedDigits } from '@ghanti/contract/caller-id.ts'
import type { Disposition } from '@ghanti/contract/campaign-status.ts'
import { dialable, phoneDigits, withoutSeparators } from '@ghanti/contract/phone.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { ArchivedRecord } from '../../db/archive-file.ts'
import type { Db } from '../../db/db.ts'
import { firstIdSince } from '../../db/search/ids.ts'
import { cursorOf, encodeCursor, exactRows, notOurCursor, windowOf } from '../../db/lists/list.ts'
import type { Attempt, AttemptKind } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'
import { within, type Scope } from '../../policy.ts'
import {
  and,
  countOf,
  firstIds,
  ofEachFirst,
  reachOf,
  rowsOf,
  upTo,
  type Order,
  type Source,
  type Where,
} from './store-source.ts'

export type CallFilter = {
  from?: Date | undefined
  to?: Date | undefined
  campaignId?: number | undefined
  dispositions?: readonly Disposition[] | undefined
  key?: string | undefined
  operators?: readonly number[] | undefined
  trunkId?: number | undefined
  cli?: string | undefined
  agent?: string | undefined
  minSeconds?: number | undefined
  maxSeconds?: number | undefined
  kinds?: readonly AttemptKind[] | undefined
  recorded?: boolean | undefined
  search?: string | undefined
}

/** Conditions that no index answers are checked on this many calls at most, as many as a list pages through. */
const lookedMax = exactRows
/** How far a dialer's clock may differ from the database's, whose order the ids follow. */
const clocksApartMs = 3600_000
const lastDigitsMin = 4

/** Matches a whole number or its last digits, at least as many as are indexed; any other text matches nothing. */
function numbered(search: string): Where {
  const whole = dialable(search)
  const digits = whole ? String(phoneDigits(whole)) : withoutSeparators(search)
  if (!/^\d{4,13}$/.test(digits)) return sql<boolean>`false`
  const ends = sql<boolean>`a.phone % 10000 = ${Number(digits.slice(-lastDigitsMin))}`
  if (whole) return and([ends, sql<boolean>`a.phone = ${phoneDigits(whole)}`])
  return digits.length === lastDigitsMin
    ? ends
    : and([ends, sql<boolean>`a.phone % ${10 ** digits.length} = ${Number(digits)}`])
}

function conditions(filter: CallFilter): Where[] {
  const { from, to, dispositions, key, operators, trunkId, cli, minSeconds, maxSeconds, kinds, recorded } = filter
  // A scalar subquery, because PostgreSQL may turn `exists` into a scan of every recording of the platform.
  const hasRecording = sql`a.recording is not null and (select true from recording s where s.id = a.recording) is true`
  const numbers = cli === undefined ? [] : (searchedDigits(cli)?.begins ?? [cli])
  return [
    ...(from ? [sql<boolean>`a.started_at >= ${from}`] : []),
    ...(to ? [sql<boolean>`a.started_at < ${to}`] : []),
    ...(dispositions ? [sql<boolean>`a.disposition = any (${dispositions}::disposition[])`] : []),
    ...(key === undefined ? [] : [sql<boolean>`strpos(a.keys, ${key}) > 0`]),
    ...(operators ? [sql<boolean>`a.operator = any (${operators}::smallint[])`] : []),
    ...(trunkId === undefined ? [] : [sql<boolean>`a.trunk_id = ${trunkId}`]),
    ...(cli === undefined
      ? []
      : [sql<boolean>`a.cli_id = any (array(select id from cli where number = any (${numbers})))`]),
    ...(minSeconds === undefined ? [] : [sql<boolean>`coalesce(a.bill_ms, 0) > ${(minSeconds - 1) * 1000}`]),
    ...(maxSeconds === undefined ? [] : [sql<boolean>`coalesce(a.bill_ms, 0) <= ${maxSeconds * 1000}`]),
    ...(kinds ? [sql<boolean>`a.kind = any (${kinds}::attempt_kind[])`] : []),
    ...(recorded === undefined ? [] : [sql<boolean>`(${hasRecording}) = ${recorded}`]),
  ]
}

const everyCall = { table: sql`attempt`, where: sql<boolean>`true`, at: sql`claimed_at` }

/** Ids grow with time, so days become a range of ids with a margin. */
async function idsBetween(db: Db, { from, to }: CallFilter): Promise<Where[]> {
  const idAt = async (time: Date, apart: number) =>
    (await firstIdSince(db, everyCall, new Date(time.getTime() + apart))) ?? 0
  return [
    ...(from ? [sql<boolean>`a.id >= ${await idAt(from, -clocksApartMs)}`] : []),
    ...(to ? [sql<boolean>`a.id < ${await idAt(to, clocksApartMs)}`] : []),
  ]
}

/**
 * How to find the calls: the index that has them in order, the remaining conditions, and whether so few match that all are read and sorted.
 */
type Plan = { source: Source; ids: Where[]; narrowed: Where[]; isFew: boolean }

/** Hides a condition from the planner's choice of index: it would read a thousand accounts to find one agent's calls. */
const lookedAt = (where: Where): Where => sql<boolean>`case when ${where} then true else false end`

async function planOf(db: Db, scope: Scope, filter: CallFilter): Promise<Plan> {
  const { campaignId, agent, search } = filter
  const [ids, narrowed] = [await idsBetween(db, filter), conditions(filter)]
  const inScope = scope.kind === 'platform' ? [] : [within(scope, 'a.account_id')]
  const ofCampaign = campaignId === undefined ? [] : [sql<boolean>`a.campaign_id = ${campaignId}`]
  const withAgent = agent === undefined ? [] : [sql<boolean>`a.agent = ${agent}`]
  const one = (where: Where, more: Where[], isFew = false): Plan => {
    return { source: { kind: 'one', where }, ids, narrowed: [...more, ...narrowed], isFew }
  }
  if (search) return one(numbered(search), [...inScope, ...ofCampaign, ...withAgent], true)
  if (withAgent[0]) return one(withAgent[0], [...inScope, ...ofCampaign].map(lookedAt))
  if (ofCampaign[0]) return one(ofCampaign[0], [])
  if (scope.kind === 'subtree') return { source: { kind: 'accounts', scope }, ids, narrowed, isFew: false }
  return one(and(inScope), [])
}

type Ids = Omit<Page<{ id: number }>, 'searchedTo' | 'archivedTo'> & { reach: number | null }
type Cut = { order: Order; size: number; offset: number; behind: Where[] }

async function fewIds(db: Db, plan: Plan, { order, size, offset, behind }: Cut): Promise<Ids> {
  if (plan.source.kind !== 'one') throw new Error('few calls are those of one index')
  const direction = sql.raw(order)
  const where = and([plan.source.where, ...plan.ids, ...plan.narrowed])
  const { rows } = await sql<{ id: number | null; total: number }>`
    with found as materialized (select a.id from attempt a where ${where} limit ${exactRows + 1})
    select page.id, counted.total from (select count(*)::int as total from found) counted left join (
      select a.id from found a where ${and(behind)} order by a.id ${direction} limit ${size} offset ${offset}) page on true
     order by page.id ${direction}`.execute(db)
  return pageOfIds(rows, null)
}

/** Checks the first `lookedMax` calls after the cursor. */
async function narrowedIds(db: Db, plan: Plan, { order, size, offset, behind }: Cut): Promise<Ids> {
  const asked = { ids: [...plan.ids, ...behind], order }
  const reach = await reachOf(db, plan.source, asked, lookedMax)
  const looked = { order, ids: [...asked.ids, ...(reach === null ? [] : [upTo(sql`${reach}::bigint`, order)])] }
  const direction = sql.raw(order)
  const { rows } = await sql<{ id: number | null; total: number }>`
    with found as materialized (select id from ${rowsOf(plan.source, looked, plan.narrowed, exactRows)} f)
    select page.id, counted.total from (select count(*)::int as total from found) counted left join (
      select id from found order by id ${direction} limit ${size} offset ${offset}) page on true
     order by page.id ${direction}`.execute(db)
  return pageOfIds(rows, reach)
}

function pageOfIds(rows: readonly { id: number | null; total: number }[], reach: number | null): Ids {
  const total = rows[0]?.total ?? 0
  const found = rows.flatMap(({ id }) => (id === null ? [] : [{ id }]))
  return { rows: found, total: Math.min(total, exactRows), exact: total <= exactRows && reach === null, reach }
}

async function everyId(db: Db, { source, ids }: Plan, { order, size, offset, behind }: Cut): Promise<Ids> {
  const direction = sql.raw(order)
  const ofEach = await ofEachFirst(db, source, offset + size)
  const [total, { rows }] = await Promise.all([
    countOf(db, source, ids, exactRows + 1),
    sql<{ id: number }>`
      select id from ${firstIds(source, { ids: [...ids, ...behind], order }, offset + size, ofEach)} f
       order by id ${direction} limit ${size} offset ${offset}`.execute(db),
  ])
  return { rows, total: Math.min(total, exactRows), exact: total <= exactRows, reach: null }
}

const sortKey = 'attemptId'
const orderOf = ({ sort, order }: ListQuery): Order => order ?? (sort === undefined ? 'desc' : 'asc')
const behindId = (id: number, order: Order): Where =>
  order === 'desc' ? sql<boolean>`a.id < ${id}` : sql<boolean>`a.id > ${id}`

/** The ids of the page that `query` asks for, and how far back it looked if not all the way. */
export async function pageOfCalls(
  db: Db,
  scope: Scope,
  filter: CallFilter,
  query: ListQuery,
): Promise<Omit<Ids, 'reach'> & { searchedTo: Date | null }> {
  const order = orderOf(query)
  const { size, offset } = windowOf(query)
  const last = query.after === undefined ? null : cursorOf(query.after, sortKey, order)[1]
  if (last !== null && !Number.isSafeInteger(last)) throw notOurCursor()
  const cut: Cut = { order, size, offset, behind: last === null ? [] : [behindId(last, order)] }
  const plan = await planOf(db, scope, filter)
  const ids = plan.isFew ? fewIds : plan.narrowed.length > 0 ? narrowedIds : everyId
  const { reach, ...page } = await ids(db, plan, cut)
  const isFull = page.rows.length === size
  const end = isFull ? page.rows.at(-1)?.id : (reach ?? undefined)
  return {
    ...page,
    next: end === undefined ? undefined : encodeCursor([String(end), end, `${order} ${sortKey}`]),
    searchedTo: reach === null ? null : await startOf(db, reach),
  }
}

/**
 * Accounts that called the number, or had the agent, that a question names, whatever else narrows it down: an empty page's total, too, tells
 * whether they did. As many calls are looked at as a total counts.
 */
export async function ownersOfNumber(db: Db, scope: Scope, { search, agent }: CallFilter): Promise<number[]> {
  const named = [...(search ? [numbered(search)] : []), ...(agent ? [sql<boolean>`a.agent = ${agent}`] : [])]
  if (scope.kind === 'own' || named.length === 0) return []
  const { rows } = await sql<{ account_id: number }>`
    select distinct account_id
      from (select a.account_id from attempt a
             where ${and([...named, lookedAt(within(scope, 'a.account_id'))])}
             order by a.id desc
             limit ${exactRows + 1}) f`.execute(db)
  return rows.map((row) => row.account_id)
}

async function startOf(db: Db, id: number): Promise<Date | null> {
  const row = await db.selectFrom('attempt').select('started_at').where('id', '=', id).executeTakeFirst()
  return row?.started_at ?? null
}

/** Larger batches would delay other requests. */
const describedAtOnce = 1000

/** The ids of all matching calls, newest first, `atOnce` per batch. Holds no connection while the reader is slow. */
export async function* everyCallOf(
  db: Db,
  scope: Scope,
  filter: CallFilter,
  atOnce = describedAtOnce,
): AsyncGenerator<number[]> {
  const plan = await planOf(db, scope, filter)
  let last: number | null = Number.MAX_SAFE_INTEGER
  while (last !== null) {
    const cut: Cut = { order: 'desc', size: lookedMax, offset: 0, behind: [behindId(last, 'desc')] }
    const { rows, reach } = await (plan.isFew ? fewIds : narrowedIds)(db, plan, cut)
    const ids = rows.map(({ id }) => id)
    for (let from = 0; from < ids.length; from += atOnce) yield ids.slice(from, from + atOnce)
    last = plan.isFew && ids.length === lookedMax ? (ids.at(-1) ?? null) : reach
  }
}

export function described(db: Db, ids: readonly number[]) {
  return describe(db, ids, sql`attempt`)
}

/** Calls that are in an archive, by their columns as text. */
export function describedRecords(db: Db, records: readonly ArchivedRecord[]) {
  const ids = records.map(({ id }) => Number(id))
  return describe(db, ids, sql`(select * from json_populate_recordset(null::attempt, ${JSON.stringify(records)}))`)
}

async function describe(db: Db, ids: readonly number[], calls: RawBuilder<unknown>) {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom((calls as RawBuilder<Selectable<Attempt>>).as('a'))
    .innerJoin('campaign as c', 'c.id', 'a.campaign_id')
    .innerJoin('campaign_detail as t', 't.campaign_id', 'a.campaign_id')
    .innerJoin('users as u', 'u.id', 'c.account_id')
    .innerJoin('cli', (on) => on.on(sql<boolean>`cli.id = coalesce(a.cli_id, c.cli_id)`))
    .innerJoin('trunk', (on) => on.on(sql<boolean>`trunk.id = coalesce(a.trunk_id, c.trunk_id)`))
    .leftJoin('campaign_contact as r', (on) =>
      on.onRef('r.campaign_id', '=', 'a.campaign_id').onRef('r.no', '=', 'a.no'),
    )
    .leftJoin('recording as s', 's.id', 'a.recording')
    .leftJoin('recording_due as d', 'd.id', 'a.recording')
    .leftJoin('recording_removed as g', 'g.id', 'a.recording')
    .leftJoin('recording_withheld as w', 'w.attempt_id', 'a.id')
    .leftJoin('attempt_proof as p', 'p.attempt_id', 'a.id')
    .select(['a.id', 'a.no', 'a.campaign_id', 'a.phone', 'a.attempt_no', 'a.disposition', 'a.keys', 'a.trail'])
    .select(['a.started_at', 'a.answered_at', 'a.ended_at', 'a.bill_ms', 'a.pulses', 'a.cost_paisa', 'a.agent'])
    .select(['a.sip_status', 'a.q850_cause', 'a.ended_by', 'a.unheard', 'a.patch_bill_ms', 'a.agent_missed'])
    .select(['a.recording', 'a.operator', 'r.line', 't.name as campaign_name', 'cli.number as cli'])
    .select(['trunk.name as trunk_name', 'u.id as owner_id', 'u.username'])
    .select(
      sql<
        string[] | null
      >`(select array_agg(o.name order by x.at) from unnest(a.tried) with ordinality x (id, at) join trunk o on o.id = x.id)`.as(
        'tried_names',
      ),
    )
    .select(['p.attempt_id as proof', 'p.talk_ms as proven_ms'])
    .select([
      sql<AttemptKind>`coalesce(a.kind, case when c.is_test then 'test' else 'campaign' end::attempt_kind)`.as('kind'),
      'w.why as withheld',
      'g.at as removed_at',
      'g.after_days as removed_after',
      sql<boolean>`s.id is not null`.as('is_stored'),
      sql<boolean>`d.id is not null`.as('is_due'),
      sql<boolean>`coalesce(d.tries > 0, false)`.as('is_late'),
      sql<boolean>`d.given_up_at is not null`.as('is_given_up'),
    ])
    .where('a.id', '=', sql<number>`any (${ids}::bigint[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
export type CallLine = Awaited<ReturnType<typeof describe>>[number]
