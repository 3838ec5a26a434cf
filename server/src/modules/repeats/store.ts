import type { CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { DayOutcome, RepeatState } from '@ghanti/contract/repeats.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { readPage } from '../../db/lists/list.ts'
import { isLive } from '../../db/live.ts'
import type { FieldError } from '../../errors.ts'
import type { Page } from '../../http/types.ts'
import type { Viewer } from '../../policy.ts'

/** Gives days as text, because they are days in Nepal and not instants. */
const columns = [
  'r.id',
  'r.account_id',
  'r.name',
  'r.fields',
  'r.base_id',
  sql<'weekly' | 'column'>`r.rule`.as('rule'),
  'r.weekdays',
  'r.date_column as column',
  'r.offset_days as offsetDays',
  sql<string>`to_char(make_time(r.at_minute / 60, r.at_minute % 60, 0), 'HH24:MI')`.as('time'),
  sql<string>`r.from_day::text`.as('fromDay'),
  sql<string>`r.until_day::text`.as('untilDay'),
  sql<RepeatState>`r.state`.as('state'),
  sql<string | null>`r.next_day::text`.as('nextDay'),
] as const

export function list(db: Db, accountId: number) {
  return listed(db, accountId)
    .orderBy(sql`array_position(array['active', 'paused', 'ended'], r.state)`)
    .orderBy('r.next_at')
    .orderBy('r.id')
    .execute()
}

function listed(db: Db, accountId: number) {
  return db
    .selectFrom('repeating as r')
    .innerJoin('base as b', 'b.id', 'r.base_id')
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('repeating_day as d')
          .select([sql<string>`d.day::text`.as('day'), sql<DayOutcome>`d.outcome`.as('outcome')])
          .whereRef('d.repeating_id', '=', 'r.id')
          .orderBy('d.day', 'desc')
          .limit(1)
          .as('l'),
      (join) => join.onTrue(),
    )
    .select(columns)
    .select(['b.name as baseName', 'l.day as lastDay', 'l.outcome as lastOutcome'])
    .where('r.account_id', '=', accountId)
}
export type Listed = Awaited<ReturnType<typeof list>>[number]

export function find(db: Db, accountId: number, repeatId: number): Promise<Listed | undefined> {
  return listed(db, accountId).where('r.id', '=', repeatId).executeTakeFirst()
}

/** Active ones whose next day is not after `day`. */
export function activeBefore(db: Db, accountId: number, day: string) {
  return db
    .selectFrom('repeating as r')
    .select(columns)
    .where('r.account_id', '=', accountId)
    .where('r.state', '=', 'active')
    .where('r.next_day', '<=', sql<string>`${day}::date`)
    .execute()
}

/** Locked until the transaction ends, so that no job composes meanwhile. */
export function lockOwn(tx: Tx, accountId: number, repeatId: number) {
  return tx
    .selectFrom('repeating as r')
    .select(columns)
    .where('r.account_id', '=', accountId)
    .where('r.id', '=', repeatId)
    .forUpdate()
    .executeTakeFirst()
}
export type Repeating = NonNullable<Awaited<ReturnType<typeof lockOwn>>>

/** Serialises changes of the account's repeating campaigns, so that their limit holds. */
export async function lockAccount(tx: Tx, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('repeating campaigns'), ${accountId})`.execute(tx)
}

export async function count(tx: Tx, accountId: number): Promise<number> {
  const { all } = await tx
    .selectFrom('repeating')
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(all)
}

export async function nameTaken(tx: Tx, accountId: number, name: string): Promise<boolean> {
  const other = await tx
    .selectFrom('repeating')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst()
  return other !== undefined
}

export type NewRepeat = {
  accountId: number
  name: string
  fields: object
  baseId: number
  rule: 'weekly' | 'column'
  weekdays: readonly number[]
  column: string | null
  offsetDays: number
  atMinute: number
  fromDay: string
  untilDay: string
  nextDay: string
  nextAt: Date
  at: Date
}

export async function insert(tx: Tx, repeat: NewRepeat): Promise<number> {
  const { id } = await tx
    .insertInto('repeating')
    .values({
      account_id: repeat.accountId,
      name: repeat.name,
      fields: JSON.stringify(repeat.fields),
      base_id: repeat.baseId,
      rule: repeat.rule,
      weekdays: [...repeat.weekdays],
      date_column: repeat.column,
      offset_days: repeat.offsetDays,
      at_minute: repeat.atMinute,
      from_day: repeat.fromDay,
      until_day: repeat.untilDay,
      next_day: repeat.nextDay,
      next_at: repeat.nextAt,
      created_at: repeat.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Next = { state: 'active'; day: string; at: Date } | { state: 'paused' | 'ended' }

export async function move(tx: Tx, repeatId: number, next: Next): Promise<void> {
  const { day, at } = next.state === 'active' ? next : { day: null, at: null }
  await tx
    .updateTable('repeating')
    .set({ state: next.state, next_day: day, next_at: at, queued_at: null })
    .where('id', '=', repeatId)
    .execute()
}

export async function lastDay(tx: Tx, repeatId: number): Promise<string | undefined> {
  const last = await tx
    .selectFrom('repeating_day')
    .select(sql<string>`day::text`.as('day'))
    .where('repeating_id', '=', repeatId)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.day
}

export async function remove(tx: Tx, repeatId: number): Promise<void> {
  await tx.deleteFrom('repeating').where('id', '=', repeatId).execute()
}

type DayRow = {
  day: string
  outcome: DayOutcome
  campaignId: number | null
  campaignName: string | null
  campaignStatus: CampaignStatus | null
  rows: number | null
  errors: FieldError[]
}

export function days(db: Db, repeatId: number, query: ListQuery): Promise<Page<DayRow>> {
  const rows = db
    .selectFrom('repeating_day as d')
    .leftJoin('campaign_progress as p', (join) =>
      join
        .onRef('p.campaign_id', '=', 'd.campaign_id')
        .on(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('campaign_deleted as x')
                .select('x.campaign_id')
                .whereRef('x.campaign_id', '=', 'p.campaign_id'),
            ),
          ),
        ),
    )
    .select([
      sql<string>`d.day::text`.as('day'),
      sql<DayOutcome>`d.outcome`.as('outcome'),
      'p.campaign_id as campaignId',
      'p.name as campaignName',
      'p.status as campaignStatus',
      'd.rows',
      sql<FieldError[]>`d.errors`.as('errors'),
    ])
    .where('d.repeating_id', '=', repeatId)
  const id = sql<number>`(d.day - date '1970-01-01')`
  return readPage(db, rows, query, { keys: { day: sql.ref('d.day') }, id, fallback: '-day' })
}

export function setupFields(tx: Tx, accountId: number, setupId: number) {
  return tx
    .selectFrom('setup')
    .select('fields')
    .where('account_id', '=', accountId)
    .where('id', '=', setupId)
    .forShare()
    .executeTakeFirst()
}

/** Takes days that are to be composed now; each goes to one process only. A job that was lost is queued again after an hour. */
export async function takeDue(tx: Tx, now: Date, limit: number) {
  const { rows } = await sql<{ repeatId: number; accountId: number; day: string }>`
    with due as materialized (
      select id from repeating where state = 'active' and next_at <= ${now}
         and (queued_at is null or queued_at < ${now}::timestamptz - interval '1 hour')
       order by next_at limit ${limit} for update skip locked
    )
    update repeating r set queued_at = ${now} from due where r.id = due.id
    returning r.id as "repeatId", r.account_id as "accountId", r.next_day::text as day`.execute(tx)
  return rows
}

export type Due = Repeating & Viewer & { isLive: boolean; isDeleted: boolean }

/** The repeating campaign, with its owner, if that day is its next one. */
export function findDue(db: Db, repeatId: number, day: string): Promise<Due | undefined> {
  return db
    .selectFrom('repeating as r')
    .innerJoin('users as u', 'u.id', 'r.account_id')
    .select(columns)
    .select([
      'u.id as userId',
      'u.username',
      'u.role',
      'u.parent_id as parentId',
      isLive('u.path').as('isLive'),
      sql<boolean>`u.deleted_at is not null`.as('isDeleted'),
    ])
    .where('r.id', '=', repeatId)
    .where('r.state', '=', 'active')
    .where('r.next_day', '=', day)
    .executeTakeFirst()
}

/** Locks it until the transaction ends; false when that day is not its next one any more. */
export async function holdDue(tx: Tx, repeatId: number, day: string): Promise<boolean> {
  const held = await tx
    .selectFrom('repeating')
    .select('id')
    .where('id', '=', repeatId)
    .where('state', '=', 'active')
    .where('next_day', '=', day)
    .forUpdate()
    .executeTakeFirst()
  return held !== undefined
}

export type Ended = { outcome: DayOutcome; campaignId?: number; rows?: number; errors?: readonly FieldError[] }

export async function insertDay(tx: Tx, repeatId: number, day: string, ended: Ended, at: Date): Promise<void> {
  await tx
    .insertInto('repeating_day')
    .values({
      repeating_id: repeatId,
      day,
      outcome: ended.outcome,
      campaign_id: ended.campaignId ?? null,
      rows: ended.rows ?? null,
      errors: JSON.stringify(ended.errors ?? []),
      at,
    })
    .execute()
}
