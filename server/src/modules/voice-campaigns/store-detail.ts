import type { Disposition } from '@ghanti/contract/campaign-status.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/db.ts'
import { frozenWith } from '../../db/live.ts'
import { firstIdSince } from '../../db/search/ids.ts'
import { readPage } from '../../db/lists/list.ts'
import { numberLike } from '../../db/search/numbers.ts'
import { within, type Scope } from '../../policy.ts'

export function findDetail(db: Db, scope: Scope, campaignId: number) {
  return db
    .selectFrom('campaign as c')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'c.id')
    .innerJoin('base', 'base.id', 'd.base_id')
    .select([
      'base.deleted_at as file_gone_at',
      'c.account_id',
      frozenWith('c.account_id').as('frozen_with'),
      'c.channels',
      'c.reserve_paisa',
      'c.retries',
      'c.dial_until',
      'c.not_after',
      'c.by_operator',
      'd.retry_interval_minutes',
      'd.created_at',
      'd.composed',
      'd.sms',
      'd.rows_in_file',
      'd.invalid',
      'd.duplicate',
      'd.refused_of_file',
    ])
    .where('c.id', '=', campaignId)
    .where('c.is_test', '=', false)
    .where(within(scope, 'c.account_id'))
    .executeTakeFirst()
}
export type Detail = NonNullable<Awaited<ReturnType<typeof findDetail>>>

/** At most this much of the queue is read for it. */
const queueLookedAt = 100_000

/** Rows that wait because their number is in another call or was called too often today. */
export async function putOff(db: Db, campaignId: number): Promise<{ numberBusy: number; calledToday: number }> {
  const row = await db
    .selectFrom((from) =>
      from
        .selectFrom('contact_retry')
        .select('put_off')
        .where('campaign_id', '=', campaignId)
        .limit(queueLookedAt)
        .as('q'),
    )
    .select([
      sql<number>`(count(*) filter (where put_off = 0))::int`.as('numberBusy'),
      sql<number>`(count(*) filter (where put_off > 0))::int`.as('calledToday'),
    ])
    .executeTakeFirstOrThrow()
  return row
}

export type StreamLeft = { stream: number; waiting: number; inCall: number; reason: string | null }

/** What is left of each operator's numbers. Later rows of a number count when those before them are final. */
export async function leftByOperator(db: Db, campaignId: number): Promise<StreamLeft[]> {
  const { rows } = await sql<StreamLeft>`
    select s.stream, s.reason, s.fresh_end - s.fresh_next + q.rows as waiting, o.calls as "inCall" from campaign_stream s
      cross join lateral (select count(*)::int as rows from (
        select from contact_retry r where r.campaign_id = s.campaign_id and r.stream = s.stream limit ${queueLookedAt}) queued) q
      cross join lateral (select count(*)::int as calls from attempt_open a where a.campaign_id = s.campaign_id and a.stream = s.stream) o
    where s.campaign_id = ${campaignId} order by s.stream = 0, s.stream`.execute(db)
  return rows
}

export function lastEvents(db: Db, campaignId: number, limit: number) {
  return db
    .selectFrom('campaign_event as e')
    .leftJoin('users as u', 'u.id', 'e.by_user_id')
    .select(['e.at', 'e.from_status', 'e.to_status', 'e.reason', 'u.username as by'])
    .where('e.campaign_id', '=', campaignId)
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute()
}
export type Event = Awaited<ReturnType<typeof lastEvents>>[number]

/** Whether the viewer sees the campaign. What belongs to it is then read by its id alone. */
export type Visible = { ownerId: number; name: string }
export function findVisible(db: Db, scope: Scope, campaignId: number): Promise<Visible | undefined> {
  return db
    .selectFrom('campaign')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'campaign.id')
    .select(['campaign.account_id as ownerId', 'd.name'])
    .where('campaign.id', '=', campaignId)
    .where('campaign.is_test', '=', false)
    .where(within(scope, 'campaign.account_id'))
    .executeTakeFirst()
}

type Attempts = { campaignId: number; disposition: Disposition | undefined; started: RawBuilder<boolean>[] }

const and = (all: readonly RawBuilder<boolean>[]) =>
  all.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(all, sql` and `)}`

function attemptRows(db: Db, { campaignId, disposition, started }: Attempts, search: string | undefined) {
  return db
    .selectFrom('attempt as a')
    .leftJoin('campaign_contact as r', (on) =>
      on.onRef('r.campaign_id', '=', 'a.campaign_id').onRef('r.no', '=', 'a.no'),
    )
    .leftJoin('recording as s', 's.id', 'a.recording')
    .leftJoin('recording_due as d', 'd.id', 'a.recording')
    .leftJoin('recording_removed as g', 'g.id', 'a.recording')
    .leftJoin('recording_withheld as w', 'w.attempt_id', 'a.id')
    .leftJoin('attempt_proof as p', 'p.attempt_id', 'a.id')
    .select([
      'a.id',
      'a.no',
      'p.attempt_id as proof',
      'p.talk_ms as proven_ms',
      'r.line',
      'a.phone',
      'a.attempt_no',
      'a.disposition',
      'a.keys',
      'a.trail',
      'a.started_at',
      'a.answered_at',
      'a.ended_at',
      'a.bill_ms',
      'a.pulses',
      'a.cost_paisa',
      'a.agent',
      'a.sip_status',
      'a.q850_cause',
      'a.ended_by',
      'a.unheard',
      'a.patch_bill_ms',
      'a.agent_missed',
      'a.recording',
      'w.why as withheld',
      'g.at as removed_at',
      'g.after_days as removed_after',
      sql<boolean>`s.id is not null`.as('is_stored'),
      sql<boolean>`d.id is not null`.as('is_due'),
      sql<boolean>`coalesce(d.tries > 0, false)`.as('is_late'),
      sql<boolean>`d.given_up_at is not null`.as('is_given_up'),
    ])
    .where('a.campaign_id', '=', campaignId)
    .$if(disposition !== undefined, (rows) => rows.where('a.disposition', '=', disposition ?? 'ANSWER'))
    .where(and(started))
    .$if(search !== undefined, (rows) =>
      rows.where(numberLike(sql.ref('a.phone'), search ?? '', { indexed: true, begins: false })),
    )
}
export type AttemptLine = Awaited<ReturnType<ReturnType<typeof attemptRows>['execute']>>[number]

type AttemptFilter = {
  campaignId: number
  dispositions?: readonly Disposition[] | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** How far a dialer's clock may differ from the database's, whose order the ids follow. */
const clocksApartMs = 3600_000

/** A filter's days. Bounds the ids first, which grow with time, so that a day is not searched for in a million attempts. */
async function startedBetween(db: Db, { campaignId, from, to }: AttemptFilter): Promise<RawBuilder<boolean>[]> {
  const rows = { table: sql`attempt`, where: sql<boolean>`campaign_id = ${campaignId}`, at: sql`claimed_at` }
  const idAt = (time: Date, apart: number) => firstIdSince(db, rows, new Date(time.getTime() + apart))
  const [first, last] = await Promise.all([from && idAt(from, -clocksApartMs), to && idAt(to, clocksApartMs)])
  return [
    ...(from ? [sql<boolean>`a.id >= ${first ?? 0} and a.started_at >= ${from}`] : []),
    ...(to ? [sql<boolean>`a.id < ${last ?? 0} and a.started_at < ${to}`] : []),
  ]
}

/** Each disposition is a part, read in the order of ids from its own index. */
export async function pageOfAttempts(db: Db, filter: AttemptFilter, query: ListQuery) {
  const { campaignId, dispositions = [undefined] } = filter
  const started = await startedBetween(db, filter)
  const parts = dispositions.map((disposition) => attemptRows(db, { campaignId, disposition, started }, query.search))
  return readPage(db, parts, query, {
    keys: { attemptId: sql`a.id` },
    id: sql<number>`a.id`,
    fallback: '-attemptId',
  })
}

export function refusedCounts(db: Db, campaignId: number) {
  return db
    .selectFrom('campaign_detail as d')
    .innerJoin('base', 'base.id', 'd.base_id')
    .select(['d.invalid', 'd.duplicate', 'd.refused_of_file', 'base.deleted_at as file_gone_at'])
    .where('d.campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow()
}

type RefusedLine = { line: number; text: string; reason: string }

/** Refused lines after `afterLine`, in the order of the file: the campaign's own and its file's, unless it has copies of those. */
export async function refusedLines(db: Db, campaignId: number, afterLine: number, limit: number) {
  const { rows } = await sql<RefusedLine>`
    (select line, text, reason from campaign_refused where campaign_id = ${campaignId} and line > ${afterLine} order by line limit ${limit})
    union all
    (select f.line, f.text, f.reason from base_refused f
     where f.base_id = (select base_id from campaign_detail where campaign_id = ${campaignId} and refused_of_file is not null)
       and f.line > ${afterLine} order by f.line limit ${limit})
    order by line limit ${limit}`.execute(db)
  return rows
}
