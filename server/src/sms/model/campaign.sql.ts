import { accountState, stoppers, type AccountState } from '../../dispatch/stopped-account.ts'
import type { Approval, CampaignStatus, HoldCause } from '../../db/tables.ts'
import { arraysOf, run, statement, type Queryable } from '../../dispatch/statement.ts'
import { fenced, leaseFence, type SmsLease } from './lease.sql.ts'

/** A campaign that is not over, as the coordinator finds it. */
export type SmsCampaignRow = AccountState & {
  id: number
  account_id: number
  status: CampaignStatus
  hold_cause: HoldCause | null
  reason: string | null
  sender: string
  /** Its start time has come. */
  due: boolean
  /** Its rows are stored. */
  prepared: boolean
  /** Its last day is over, or the time after which its owner wants no message. */
  over: boolean
  not_after: boolean
  price_paisa: number
  /** With lowBalance: the cost of the message that could not be paid. */
  need_paisa: number
  retry_requested: boolean
  /** Rows whose columns wait for approval. No counter includes them. */
  unapproved: number
  values_decision: Approval
  fresh: number
  waiting: number
  in_flight: number
  free_paisa: number
  sweepable_paisa: number
  /** Messages and calls of the account that hold a reservation and are under way. */
  unsettled: number
  /** The user and their resellers, from the user upwards. */
  payer_ids: number[]
  mint_id: number
  /**
   * For each operator: what could be sent, and when the first row of its queue is due; also how many messages that row's number had, where it
   * waits for this.
   */
  streams: SmsStreamRow[]
  template: number
  text: string
  /** The status of the campaign whose calls its messages follow. Null: it follows none. */
  call_status: CampaignStatus | null
  /** It takes messages that programs send one by one, as long as its day lasts. */
  is_feed: boolean
  /** The day of a feed is over, and no message is on its way into it. */
  is_day_over: boolean
  /** Messages of a feed wait whose time is over. */
  has_late: boolean
  /** With calls: their texts by number (modules/voice-compose/rules-texts.ts). */
  call_texts: Record<string, string> | null
  /** Operators that its sender ID is approved for. Null: the sender ID is not approved at all, or gone. */
  sender_operators: number[] | null
  /** How many segments a second leave under its sender ID, for all accounts together. Null: as fast as the gateways. */
  sender_tps: number | null
}

export type SmsStreamRow = {
  operator: number
  fresh_left: number
  /** Rows of the queue that are due, counted to 1,000. */
  due: number
  /** How many of these are sent at any hour, counted to 1,000. */
  due_urgent: number
  next_due_at: string | null
  next_put_off: number | null
}

const campaignsStatement = statement<SmsCampaignRow>(
  'sms_load_campaigns',
  `select c.id, c.account_id, c.status, c.hold_cause, c.reason, c.sender, c.start_at <= now() as due, d.rows_in_file is not null as prepared, c.send_until <= now() as over, c.not_after,
  c.price_paisa, c.need_paisa, c.retry_requested, c.unapproved, c.values_decision, k.fresh, k.waiting, k.in_flight, a.balance_paisa - a.reserved_paisa as free_paisa,
  case when a.balance_paisa - a.reserved_paisa < greatest(c.need_paisa, 10 * c.price_paisa) then (select coalesce(sum(paisa), 0)::bigint from account_income e where e.account_id = a.id) else 0 end as sweepable_paisa,
  calls_in_progress(c.account_id) + (select coalesce(sum(x.in_flight), 0)::int from sms_campaign o join sms_campaign_count x on x.campaign_id = o.id
    where o.account_id = c.account_id and o.status not in ('complete', 'cancelled', 'refused', 'failed')) as unsettled,
  ${accountState},
  (select array_agg(l.payer_id order by l.level) from sms_campaign_level l where l.campaign_id = c.id) as payer_ids, (select id from account where kind = 'mint') as mint_id,
  (select coalesce(json_agg(json_build_object('operator', t.operator, 'fresh_left', t.fresh_end - t.fresh_next, 'due', q.due, 'due_urgent', g.due, 'next_due_at', n.due_at, 'next_put_off', n.put_off) order by t.operator), '[]')
    from sms_stream t
    cross join lateral (select count(*)::int as due from (select from sms_retry r where r.campaign_id = c.id and r.operator = t.operator and r.due_at <= now() limit 1000) x) q
    cross join lateral (
      select count(*)::int as due
      from (
        select
        from sms_retry r
        where r.campaign_id = c.id
          and r.operator = t.operator
          and r.due_at <= now()
          and r.is_urgent
        limit 1000
      ) u
    ) g
    left join lateral (select due_at, put_off from sms_retry r where r.campaign_id = c.id and r.operator = t.operator order by due_at, no limit 1) n on true
    where t.campaign_id = c.id) as streams,
  c.feed is not null as is_feed,
  coalesce(c.feed < nepal_day(now() - interval '1 minute'), false) as is_day_over,
  c.feed is not null and exists (
    select
    from sms_retry r
    where r.campaign_id = c.id
      and r.until <= now()
  ) as has_late,
  d.template, d.text, v.status as call_status, (select json_object_agg(t.no, t.text) from call_text t where t.campaign_id = c.call_campaign_id) as call_texts,
  case when d.sender_id is null then '{0,1,2,3}'::smallint[] else (select operators from sms_sender e where e.id = d.sender_id and e.deleted_at is null and e.status = 'approved') end as sender_operators,
  (select min(e.tps) from sms_sender e where lower(e.name) = lower(c.sender) and e.deleted_at is null and e.status = 'approved') as sender_tps
from sms_campaign c join sms_campaign_detail d on d.campaign_id = c.id join account a on a.id = c.account_id join users u on u.id = c.account_id left join campaign v on v.id = c.call_campaign_id
  ${stoppers}
  cross join lateral (select coalesce(sum(fresh), 0)::int fresh, coalesce(sum(waiting), 0)::int waiting, coalesce(sum(in_flight), 0)::int in_flight from sms_campaign_count k where k.campaign_id = c.id) k
where c.status not in ('complete', 'cancelled', 'refused', 'failed') and ($1::boolean or c.status = 'running')
  and (c.status in ('running', 'cancelling', 'pausing', 'resuming', 'processing', 'lowBalance', 'onHold', 'paused') or c.status = 'ready' and c.start_at <= now())
  and ( -- of a feed into which nothing came, nothing is to be done
    c.feed is null
    or c.status not in ('running', 'paused')
    or c.feed < nepal_day(now() - interval '1 minute')
    or exists (select from sms_retry r where r.campaign_id = c.id)
  )
order by c.id`,
)

/** `all` false: only running campaigns. */
export function loadSmsCampaigns(db: Queryable, { all }: { all: boolean }): Promise<SmsCampaignRow[]> {
  return run(db, campaignsStatement, [all])
}

export type SmsMove = {
  campaignId: number
  from: readonly CampaignStatus[]
  to: CampaignStatus
  reason: string | null
  holdCause?: HoldCause | null
  /** Only with lowBalance. */
  needPaisa?: number
}

/** Waits for claims under way, and no claim commits after a campaign left 'running'. One that was put off meanwhile does not start. The holder of any lease of ours may move one. */
const moveStatement = statement<{ id: number }>(
  'sms_move_campaign',
  `with ${leaseFence}
update sms_campaign c set status = $6, reason = $7, hold_cause = $8, need_paisa = coalesce($9, c.need_paisa),
  held_by = case when $6::campaign_status in ('running', 'complete', 'cancelled', 'failed') then null else c.held_by end
from lease where c.id = $4 and c.status = any ($5::campaign_status[])
  and ($6::campaign_status <> 'complete' or not c.retry_requested)
  and (c.status <> 'ready' or $6::campaign_status <> 'running' or c.start_at <= now()) returning c.id`,
)

/** False: the campaign's status has changed meanwhile. */
export async function moveSmsCampaign(db: Queryable, lease: SmsLease, step: SmsMove): Promise<boolean> {
  const values = [step.campaignId, step.from, step.to, step.reason, step.holdCause ?? null, step.needPaisa ?? null]
  return (await run(db, moveStatement, [...fenced(lease), ...values])).length === 1
}

/** Stores why campaigns send nothing, for the screens. $4 campaigns $5 status in which the reason was found $6 reasons */
const explainStatement = statement(
  'sms_explain_campaigns',
  `with ${leaseFence}, reports as materialized (
  select * from unnest($4::int[], $5::campaign_status[], $6::text[]) as t (id, status, reason)
), changes as (
  update sms_campaign c set reason = t.reason from reports t, lease
  where c.id = t.id and c.status = t.status and c.reason is distinct from t.reason returning c.id, c.reason
)
update sms_campaign_progress p set reason = c.reason, changed_at = clock_timestamp() from changes c where p.campaign_id = c.id`,
)

export type SmsExplanation = { campaignId: number; status: CampaignStatus; reason: string | null }

export async function explainSms(
  db: Queryable,
  lease: SmsLease,
  explanations: readonly SmsExplanation[],
): Promise<void> {
  if (explanations.length === 0) return
  const columns = arraysOf(explanations, 'campaignId', 'status', 'reason')
  await run(db, explainStatement, [...fenced(lease), ...columns])
}

/**
 * The campaign's last day is over, or its messages after calls or of a feed are stopped: rows that were not sent expire, and their reserved money is released.
 * Repeat until it answers 0. $4 campaign $5 rows at most $6 slot $7 reason
 */
const expireStatement = statement<{ closed: number }>(
  'sms_expire',
  `with ${leaseFence}, one as materialized (
  select c.id, c.account_id from lease, sms_campaign c
  where c.id = $4 and (c.send_until <= now() or (c.call_campaign_id is not null or c.feed is not null) and c.status in ('cancelling', 'cancelled', 'complete')) for no key update of c
), payer as materialized (
  select a.id, a.balance_paisa, a.reserved_paisa from one join account a on a.id = one.account_id for no key update of a
), queue_rows as materialized (
  select r.ctid from sms_retry r where r.campaign_id = $4 order by r.operator, r.due_at, r.no limit (select count(*) * $5::int from payer) for update skip locked
), removals as (
  delete from sms_retry r where r.ctid = any (array(select ctid from queue_rows)) returning r.no, r.held_paisa
), followers as (
  update account a set balance_paisa = p.balance_paisa, reserved_paisa = p.reserved_paisa - n.paisa
  from payer p, (select coalesce(sum(held_paisa), 0)::bigint as paisa from removals) n where a.id = p.id and n.paisa > 0
), streams as materialized (
  select s.operator, s.fresh_next, s.fresh_end from payer, sms_stream s where s.campaign_id = $4 and s.fresh_next < s.fresh_end order by s.operator limit 1 for no key update of s
), advance as (
  update sms_stream s set fresh_next = least(t.fresh_next + $5::int - g.n, t.fresh_end) from streams t, (select count(*)::int n from removals) g
  where s.campaign_id = $4 and s.operator = t.operator and g.n < $5::int returning t.fresh_next as lo, s.fresh_next as hi
), expiries as (
  update sms_message m set state = 'expired', final_at = now(), reason = $7
  where m.campaign_id = $4 and m.state in ('fresh', 'waiting') and m.no = any (array(select no from removals union all select generate_series(v.lo, v.hi - 1) from advance v))
  returning m.campaign_id, m.no, old.state
), told as ( -- hooks: no history has rows that end here
  insert into hook_news (user_id, type, of_messages, campaign_id, ids)
  select o.account_id, 'messages.changed', true, e.campaign_id, array_agg(e.no order by e.no)
  from one o, expiries e
  where hooks_want(o.account_id, 'messages.changed')
  group by o.account_id, e.campaign_id
), counts as (
  insert into sms_campaign_count as k (campaign_id, slot, fresh, waiting, expired)
  select $4, $6, -count(*) filter (where state = 'fresh'), -count(*) filter (where state = 'waiting'), count(*) from expiries having count(*) > 0
  on conflict (campaign_id, slot) do update set fresh = k.fresh + excluded.fresh, waiting = k.waiting + excluded.waiting, expired = k.expired + excluded.expired
)
select count(*)::int as closed from expiries`,
)

export async function expireSms(
  db: Queryable,
  lease: SmsLease,
  batch: { campaignId: number; rows: number; slot: number; reason: string },
): Promise<number> {
  const values = [batch.campaignId, batch.rows, batch.slot, batch.reason]
  return (await run(db, expireStatement, [...fenced(lease), ...values]))[0]?.closed ?? 0
}

const leftStatement = statement<{ id: number }>(
  'sms_left',
  `select p.campaign_id as id from sms_campaign_progress p join sms_campaign c on c.id = p.campaign_id and (c.call_campaign_id is not null or c.feed is not null)
where p.finished_at > now() - interval '1 day' and exists (select from sms_retry r where r.campaign_id = c.id)`,
)

/** Campaigns that ended lately, with messages in their queues that calls or programs left. */
export async function leftInQueues(db: Queryable): Promise<number[]> {
  return (await run(db, leftStatement, [])).map((row) => row.id)
}

/**
 * Retry: sends each row that failed or expired once more, but not delivered, unknown, unreachable or blacklisted ones. The last batch lets
 * claims in, and gives the campaign $8 ms more if its time is over. A batch that is repeated does nothing. $4 campaign $5 from $6 rows $7 slot
 */
const requeueStatement = statement<{ next: number | null; requeued: number }>(
  'sms_requeue',
  `with ${leaseFence}, one as materialized (
  select c.uploaded from lease, sms_campaign c where c.id = $4 and c.retry_requested for no key update of c
), retries as (
  update sms_message m set state = 'waiting', faults = 0, parts_left = 0, parts_bad = 0, final_at = null, reason = null
  from one where m.campaign_id = $4 and m.no >= $5::int and m.no < $5::int + $6::int and m.state in ('failed', 'expired') returning m.no, m.operator, old.state
), queue as (
  insert into sms_retry (campaign_id, operator, due_at, no) select $4, operator, now(), no from retries
), counts as (
  insert into sms_campaign_count as k (campaign_id, slot, waiting, failed, expired)
  select $4, $7, count(*), -count(*) filter (where state = 'failed'), -count(*) filter (where state = 'expired') from retries having count(*) > 0
  on conflict (campaign_id, slot) do update set waiting = k.waiting + excluded.waiting, failed = k.failed + excluded.failed, expired = k.expired + excluded.expired
), campaign_end as (
  update sms_campaign c set retry_requested = false, not_after = c.not_after and c.send_until > now(),
    send_until = case when c.send_until <= now() then now() + $8::bigint * interval '1 ms' else c.send_until end
  from one where c.id = $4 and one.uploaded <= $5::int + $6::int
)
select case when one.uploaded > $5::int + $6::int then $5::int + $6::int end as next, (select count(*) from retries)::int as requeued from one`,
)

/** Runs one batch. `next` is the `from` of the next batch, or null when all rows are queued. */
export async function requeueSms(
  db: Queryable,
  lease: SmsLease,
  batch: { campaignId: number; from: number; rows: number; slot: number; moreMs: number },
): Promise<{ next: number | null; requeued: number }> {
  const values = [batch.campaignId, batch.from, batch.rows, batch.slot, batch.moreMs]
  const [row] = await run(db, requeueStatement, [...fenced(lease), ...values])
  return row ?? { next: null, requeued: 0 }
}
