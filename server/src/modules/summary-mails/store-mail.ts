import type { UnsentReason } from '@ghanti/contract/summary-mails.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { isLive } from '../../db/live.ts'
import type { Viewer } from '../../policy.ts'
import type { Written } from './store.ts'

/** An account that is owed summaries, and the confirmed addresses they go to. `campaignId` null: a daily mail, about several campaigns. */
export type Owed = Written & { userId: number; addressIds: number[]; campaignId: number | null }

const confirmed = sql`a.user_id = c.user_id and a.confirmed_at is not null and a.stopped_at is null and a.removed_at is null`

/**
 * Takes campaigns that were complete before `before`; each goes to one process only. Those that were deleted, or whose account is disabled, are
 * dropped for good: their news would come too late once the account is enabled again.
 */
export async function takeCompleted(tx: Tx, before: Date, limit: number): Promise<Owed[]> {
  const { rows } = await sql<Owed>`
    with due as materialized (
      select campaign_id from summary_due where at < ${before} order by at limit ${limit} for update skip locked
    ), taken as (delete from summary_due d using due where d.campaign_id = due.campaign_id returning d.campaign_id)
    select c.user_id as "userId", c.formats, c.language, c.calendar, k.id as "campaignId",
           array(select a.id from summary_address a where ${confirmed} order by a.id) as "addressIds"
      from taken t join campaign k on k.id = t.campaign_id join summary_choice c on c.user_id = k.account_id and c.on_completion
      join users u on u.id = c.user_id
     where ${isLive('u.path')} and not exists (select from campaign_deleted g where g.campaign_id = k.id) order by k.id`.execute(
    tx,
  )
  return rows
}

/** Takes accounts whose hour has come on this day in Nepal; each goes to one process only, once a day. */
export async function takeDaily(tx: Tx, { day, hour, limit }: { day: string; hour: number; limit: number }) {
  const { rows } = await sql<Owed>`
    with due as materialized (
      select user_id from summary_choice where daily_hour <= ${hour} and (daily_done is null or daily_done < ${day}::date)
       order by daily_done nulls first, user_id limit ${limit} for update skip locked
    ), taken as (update summary_choice c set daily_done = ${day}::date from due where c.user_id = due.user_id returning c.*)
    select c.user_id as "userId", c.formats, c.language, c.calendar, null::int as "campaignId",
           array(select a.id from summary_address a where ${confirmed} order by a.id) as "addressIds"
      from taken c join users u on u.id = c.user_id where ${isLive('u.path')} order by c.user_id`.execute(tx)
  return rows
}

/** The account's campaigns that called on that day in Nepal, most calls first, and how many there are in all. Leaves out tests and deleted ones. */
export async function calledOn(db: Db, userId: number, day: string, limit: number) {
  const { rows } = await sql<{ id: number; of: number }>`
    select k.key::int as id, (count(*) over ())::int as of from call_count k
     where k.slice = 'day' and k.kind = 'campaign' and k.account_id = ${userId} and k.at = ${day}::date - '1970-01-01'::date
       and exists (select from campaign c where c.id = k.key and c.account_id = ${userId} and not c.is_test)
       and not exists (select from campaign_deleted g where g.campaign_id = k.key)
     order by k.attempts desc, k.key limit ${limit}`.execute(db)
  return { ids: rows.map(({ id }) => id), all: rows[0]?.of ?? 0 }
}

type NewMail = Written & {
  userId: number
  addressIds: readonly number[]
  kind: 'daily' | 'completion' | 'asked'
  day: string | null
  campaignId: number | null
  at: Date
}

/** Inserts one mail per address and returns the ids of the new ones: a completion, or a day, is mailed to an address only once. */
export async function insert(tx: Tx, mail: NewMail): Promise<number[]> {
  const { userId, addressIds, kind, day, campaignId, at, formats, language, calendar } = mail
  const { rows } = await sql<{ id: number }>`
    insert into summary_mail (user_id, address_id, kind, day, campaign_id, formats, language, calendar, queued_at)
    select ${userId}, id, ${kind}, ${day}::date, ${campaignId}::int, ${formats}, ${language}, ${calendar}, ${at}
      from unnest(${addressIds}::int[]) as address (id)
    on conflict do nothing returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Those of the mails, all of one occasion, that are still queued. Mails that a dead process was sending end as unknown, since they may have arrived. */
export async function take(db: Db, mailIds: readonly number[], at: Date): Promise<Occasion | undefined> {
  await sql`
    update summary_mail set state = 'unknown', reason = 'inDoubt', ended_at = ${at} where id = any (${mailIds}::bigint[]) and state = 'sending'`.execute(
    db,
  )
  const { rows } = await sql<Occasion>`
    select m.kind, m.day::text as day, m.campaign_id as "campaignId", m.formats, m.language, m.calendar,
           u.id as "userId", u.username, u.role, u.parent_id as "parentId", ${isLive('u.path')} as "isLive", array_agg(m.id order by m.id) as "mailIds"
      from summary_mail m join users u on u.id = m.user_id
     where m.id = any (${mailIds}::bigint[]) and m.state = 'queued' group by m.kind, m.day, m.campaign_id, m.formats, m.language, m.calendar, u.id`.execute(
    db,
  )
  return rows[0]
}
export type Occasion = Written &
  Viewer & {
    kind: 'daily' | 'completion' | 'asked'
    day: string | null
    campaignId: number | null
    isLive: boolean
    mailIds: number[]
  }

type Recipient = { address: string; addressId: number }
/**
 * Marks the mail as being sent, before its first byte leaves. Undefined: it was dropped, because its reader wants no more mails, its account
 * was disabled or its campaign deleted, or another process has it.
 */
export async function beginSending(db: Db, mailId: number, at: Date): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient & { state: string }>`
    update summary_mail m set state = case when f.reason is null then 'sending' else 'dropped' end, reason = f.reason,
           ended_at = case when f.reason is null then null else ${at}::timestamptz end
      from (select a.id, a.address,
                   case when a.confirmed_at is null or a.stopped_at is not null or a.removed_at is not null then 'unwanted'
                        when not ${isLive('u.path')} or exists (select from campaign_deleted g where g.campaign_id = n.campaign_id) then 'gone' end as reason
              from summary_mail n join summary_address a on a.id = n.address_id join users u on u.id = n.user_id where n.id = ${mailId}) f
     where m.id = ${mailId} and m.state = 'queued' returning f.address, f.id as "addressId", m.state`.execute(db)
  const [row] = rows
  return row?.state === 'sending' ? row : undefined
}

/** Also corrects a mail that another process took for unknown while this one was still sending it. */
export async function markSent(db: Db, mailId: number, at: Date): Promise<void> {
  await sql`update summary_mail set state = 'sent', reason = null, ended_at = ${at} where id = ${mailId} and state in ('sending', 'unknown')`.execute(
    db,
  )
}

const endOf = {
  tooMany: 'dropped',
  unwanted: 'dropped',
  gone: 'dropped',
  refused: 'failed',
  notTaken: 'failed',
  inDoubt: 'unknown',
} satisfies Record<UnsentReason, string>

export async function end(db: Db, mailIds: readonly number[], reason: UnsentReason, at: Date): Promise<void> {
  await sql`
    update summary_mail set state = ${endOf[reason]}, reason = ${reason}, ended_at = ${at}
     where id = any (${mailIds}::bigint[]) and state in ('queued', 'sending')`.execute(db)
}

/** After the last retry. A mail whose sending had begun may have arrived, so it ends as unknown. */
export async function giveUp(db: Db, mailIds: readonly number[], at: Date): Promise<void> {
  await sql`
    update summary_mail set ended_at = ${at},
           state = case state when 'sending' then 'unknown' else 'failed' end, reason = case state when 'sending' then 'inDoubt' else 'notTaken' end
     where id = any (${mailIds}::bigint[]) and state in ('queued', 'sending')`.execute(db)
}

/** Queues a mail again that the mail server certainly did not take. */
export async function sendLater(db: Db, mailId: number): Promise<void> {
  await sql`update summary_mail set state = 'queued' where id = ${mailId} and state = 'sending'`.execute(db)
}
