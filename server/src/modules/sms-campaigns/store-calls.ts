import type { AfterCallMessage, SmsOccasion } from '@ghanti/contract/after-call.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { textsOfRow } from './rules.ts'

export type TextMessage = {
  attempt_id: number
  occasion: SmsOccasion
  key: string | null
  state: AfterCallMessage['state']
  sender: string
  reason: string | null
  at: Date
}

/**
 * The texts that these calls led to. A message belongs to a row and a text; its call is the row's last one that could cause it and ended
 * before it was sent. Looked up row by row, with the row's calls by number through `attempt_number`.
 */
export async function messagesOfCalls(
  db: Db,
  calls: readonly { campaign_id: number; no: number; id: number }[],
): Promise<TextMessage[]> {
  const [campaigns, nos, ids] = [calls.map((c) => c.campaign_id), calls.map((c) => c.no), calls.map((c) => c.id)]
  const found = await sql<TextMessage>`
    select a.id as attempt_id, t.occasion, t.key, after_call_state(m.state) as state, c.sender, m.reason, coalesce(m.final_at, m.submitted_at, a.settled_at) as at
    from (select distinct campaign_id, no from unnest(${campaigns}::int[], ${nos}::int[]) as asked (campaign_id, no)) r
      join sms_campaign c on c.call_campaign_id = r.campaign_id join call_text t on t.campaign_id = r.campaign_id
      join sms_message m on m.campaign_id = c.id and m.no = r.no * ${textsOfRow}::int + t.no
      cross join lateral (
        select a.id, a.settled_at from attempt a
        where a.phone % 10000 = m.phone % 10000 and a.account_id = c.account_id and a.phone = m.phone
          and a.campaign_id = c.call_campaign_id and a.no = r.no and a.disposition <> 'LOST'
          and (a.disposition = 'ANSWER') = (t.occasion <> 'fail') and a.settled_at <= coalesce(m.submitted_at, m.final_at, now())
        order by a.id desc limit 1) a
    where a.id = any (${ids}::bigint[]) order by a.id, t.no`.execute(db)
  return found.rows
}

/**
 * Texts that these calls would have led to, and why their rows do not get them. The call is the row's last one: an answered row is not
 * called again, and a text of failure is due when nothing follows.
 */
export async function withheldOfCalls(
  db: Db,
  calls: readonly { campaign_id: number; no: number; id: number }[],
): Promise<TextMessage[]> {
  const [campaigns, nos, ids] = [calls.map((c) => c.campaign_id), calls.map((c) => c.no), calls.map((c) => c.id)]
  const found = await sql<TextMessage>`
    select a.id as attempt_id, t.occasion, t.key, 'withheld' as state, c.sender, w.withheld[t.no + 1] as reason, a.settled_at as at
    from (select distinct campaign_id, no from unnest(${campaigns}::int[], ${nos}::int[]) as asked (campaign_id, no)) r
      join call_text_row w on w.campaign_id = r.campaign_id and w.no = r.no and w.withheld is not null
      join campaign_contact k on k.campaign_id = r.campaign_id and k.no = r.no
      join sms_campaign c on c.call_campaign_id = r.campaign_id
      cross join lateral (
        select a.* from attempt a
        where a.phone % 10000 = k.phone % 10000 and a.account_id = c.account_id and a.phone = k.phone
          and a.campaign_id = r.campaign_id and a.no = r.no and a.disposition <> 'LOST'
        order by a.id desc limit 1) a
      join call_text t on t.campaign_id = r.campaign_id and w.withheld[t.no + 1] is not null and ${isDue}
    where a.id = any (${ids}::bigint[]) order by a.id, t.no`.execute(db)
  return found.rows
}

/** Whether the end of call `a` of row `k` makes text `t` due; the same rule as in server/sql/text_calls_1.sql. */
const isDue = sql<boolean>`case t.occasion when 'success' then a.disposition = 'ANSWER' and a.bill_ms >= t.min_ms
  when 'dtmf' then a.disposition = 'ANSWER' and left(a.keys, 1) = t.key else k.state = 'done' and a.disposition not in ('ANSWER', 'CANCEL') end`

export async function findOfCalls(db: Db, callCampaignId: number) {
  return db
    .selectFrom('sms_campaign as c')
    .innerJoin('sms_campaign_progress as p', 'p.campaign_id', 'c.id')
    .innerJoin('sms_campaign_detail as d', 'd.campaign_id', 'c.id')
    .selectAll('p')
    .select('d.withheld')
    .where('c.call_campaign_id', '=', callCampaignId)
    .executeTakeFirst()
}
