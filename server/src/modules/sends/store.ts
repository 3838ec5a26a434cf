import type { AccountType } from '@ghanti/contract/roles.ts'
import type { Approval } from '@ghanti/contract/sms-approval.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import type { CampaignStatus } from '../../db/tables.ts'
import { within, type Scope } from '../../policy.ts'

/** All that a send depends on, but for its text. */
type Known = {
  account_type: AccountType
  /** Nepal's, by the database's clock. */
  day: string
  sender_id: number | null
  sender_name: string | null
  sender_status: Approval | null
  operators: number[] | null
  feed_id: number | null
  feed_status: CampaignStatus | null
  feed_reason: string | null
  /** Why an administrator stops all messages of the account or the platform. */
  blocked: string | null
  /** Platform settings by key, those that somebody set. */
  settings: Record<string, unknown> | null
  /** How many messages the number had today: of this account, and of all. */
  had: number
  had_of_all: number
}

type Asked = { accountId: number; sender: string; phone: number; settings: readonly string[] }

export async function lookUp(db: Db, { accountId, sender, phone, settings }: Asked): Promise<Known | undefined> {
  const { rows } = await sql<Known>`
    select u.account_type, t.day::text, s.id as sender_id, s.name as sender_name, s.status as sender_status, s.operators,
      c.id as feed_id, c.status as feed_status, c.reason as feed_reason,
      (select b.reason from dial_block b where b.lifted_at is null and b.what <> 'calls'
        and (b.kind = 'platform' or b.kind = 'account' and b.target_id = any (u.path)) order by b.id limit 1) as blocked,
      (select json_object_agg(p.key, p.value) from platform_setting p where p.key = any (${settings}::text[])) as settings,
      coalesce(n.own, 0) as had, coalesce(n.every, 0) as had_of_all
    from users u
    cross join (select nepal_day(now()) as day) t
    left join sms_sender s on s.account_id = u.id and lower(s.name) = lower(${sender}) and s.deleted_at is null
    left join sms_campaign c on c.account_id = u.id and lower(c.sender) = lower(${sender}) and c.feed = t.day
    left join lateral (
      select sum(d.sent) filter (where d.account_id = u.id)::int as own, sum(d.sent)::int as every
      from sms_number_day d where d.phone = ${phone} and d.day = t.day
    ) n on true
    where u.id = ${accountId}`.execute(db)
  return rows[0]
}

export type Accepting = {
  feedId: number
  keyId: number | null
  phone: number
  operator: number
  segments: number
  text: string
  reference: string | null
  validSeconds: number
  isUrgent: boolean
}

/** `freePaisa` null: the feed takes nothing now. `no` null: its account has less money than it costs. */
type Accepted = { no: number | null; paisa: number | null; freePaisa: number | null }

/** See `server/sql/accept_message_1.sql`. */
export async function accept(db: Db, of: Accepting): Promise<Accepted> {
  const { rows } = await sql<Accepted>`
    select o_no as no, o_paisa as paisa, o_free_paisa as "freePaisa" from accept_message_1(
      p_campaign => ${of.feedId}, p_key => ${of.keyId}, p_phone => ${of.phone}, p_operator => ${of.operator}::smallint,
      p_segments => ${of.segments}::smallint, p_text => ${of.text}, p_reference => ${of.reference},
      p_valid_seconds => ${of.validSeconds}, p_is_urgent => ${of.isUrgent})`.execute(db)
  return rows[0] ?? { no: null, paisa: null, freePaisa: null }
}

export async function feedState(db: Db, feedId: number) {
  return db
    .selectFrom('sms_campaign as c')
    .innerJoin('account as a', 'a.id', 'c.account_id')
    .select(['c.status', 'c.reason', 'a.frozen'])
    .where('c.id', '=', feedId)
    .executeTakeFirstOrThrow()
}

export async function savedText(db: Db, accountId: number, textId: number): Promise<string | undefined> {
  const found = await db
    .selectFrom('sms_text')
    .select('text')
    .where('id', '=', textId)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found?.text
}

/** Of deleted campaigns nothing is left. `paid_paisa`: null while the end of its sending is not known. */
function messages(db: Db, scope: Scope) {
  return db
    .selectFrom('api_send as s')
    .innerJoin('sms_campaign as c', 'c.id', 's.campaign_id')
    .innerJoin('sms_campaign_progress as p', 'p.campaign_id', 's.campaign_id')
    .innerJoin('sms_message as m', (on) => on.onRef('m.campaign_id', '=', 's.campaign_id').onRef('m.no', '=', 's.no'))
    .select(['s.campaign_id', 's.no', 's.at', 's.reference', 'p.name', 'c.sender', 'c.price_paisa'])
    .select(['m.phone', 'm.state', 'm.segments', 'm.submitted_at', 'm.final_at', 'm.reason'])
    .select(sql<number | null>`(select e.cost_paisa from sms_sent e where e.id = m.sms_id)`.as('paid_paisa'))
    .where(sql<boolean>`not exists (select from sms_campaign_deleted g where g.campaign_id = s.campaign_id)`)
    .where(within(scope, 's.account_id'))
}
export type Found = Awaited<ReturnType<ReturnType<typeof messages>['execute']>>[number]

export function findMessage(db: Db, scope: Scope, of: { campaignId: number; no: number }): Promise<Found | undefined> {
  return messages(db, scope).where('s.campaign_id', '=', of.campaignId).where('s.no', '=', of.no).executeTakeFirst()
}

export function findByReference(db: Db, scope: Scope, reference: string, limit: number): Promise<Found[]> {
  return messages(db, scope)
    .where('s.reference', '=', reference)
    .orderBy('s.campaign_id', 'desc')
    .orderBy('s.no', 'desc')
    .limit(limit)
    .execute()
}
