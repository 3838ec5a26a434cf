import type { CampaignStatus, HoldCause } from '../../../db/tables.ts'
import { byCursor, runByCursor } from '../../model/campaigns/streams.sql.ts'
import {
  arraysOf,
  fenced,
  leaseFence,
  run,
  statement,
  type Lease,
  type Queryable,
} from '../../../dispatch/statement.ts'

export type Move = {
  campaignId: number
  from: readonly CampaignStatus[]
  to: CampaignStatus
  /** A sentence for a person. Null: nothing to say. */
  reason: string | null
  holdCause?: HoldCause | null
}

/**
 * A step of the engine in a campaign's life. It waits for claims under way, and no claim commits after a campaign left 'running'. Once a
 * campaign dials or is over, an administrator's hold on it ends. A hold for refusals raises an alert for as long as it lasts. A ready campaign
 * starts only in its time: its owner may have put it off since the snapshot.
 */
const moveStatement = statement<{ id: number }>(
  'move_campaign',
  `with ${leaseFence}, move as (
update campaign c set status = $6, reason = $7, hold_cause = $8,
  held_by = case when $6::campaign_status in ('running', 'complete', 'cancelled', 'failed') then null else c.held_by end
from lease where c.id = $4 and c.dialer_id = $1 and c.status = any ($5::campaign_status[])
  and (c.status <> 'ready' or $6::campaign_status <> 'running' or c.start_at <= now()) returning c.id, c.hold_cause, c.reason
), new_alert as (
  insert into alert (kind, subject, detail) select 'campaign_held', 'campaign ' || id, reason from move where hold_cause = 'refusals'
), old_alert as (
  update alert a set cleared_at = now() from move m
  where a.kind = 'campaign_held' and a.subject = 'campaign ' || m.id and a.cleared_at is null and m.hold_cause is distinct from 'refusals'
)
select id from move`,
)

/** False: the campaign's status has changed meanwhile. */
export async function move(db: Queryable, lease: Lease, step: Move): Promise<boolean> {
  const values = [step.campaignId, step.from, step.to, step.reason, step.holdCause ?? null]
  return (await run(db, moveStatement, [...fenced(lease), ...values])).length === 1
}

/** Stores why campaigns are not dialling, for the screens. $4 campaigns $5 status in which the reason was found $6 reasons. */
const explainStatement = statement(
  'explain_campaigns',
  `with ${leaseFence}, reports as materialized (
  select * from unnest($4::int[], $5::campaign_status[], $6::text[]) as t (id, status, reason)
), changes as (
  update campaign c set reason = t.reason from reports t, lease
  where c.id = t.id and c.dialer_id = $1 and c.status = t.status and c.reason is distinct from t.reason returning c.id, c.reason
)
update campaign_progress p set reason = c.reason, changed_at = clock_timestamp() from changes c where p.campaign_id = c.id`,
)

export type Explanation = { campaignId: number; status: CampaignStatus; reason: string | null }

export async function explain(db: Queryable, lease: Lease, explanations: readonly Explanation[]): Promise<void> {
  if (explanations.length === 0) return
  await run(db, explainStatement, [...fenced(lease), ...arraysOf(explanations, 'campaignId', 'status', 'reason')])
}

/** The same for each operator's rows. $4 campaigns $5 streams $6 reasons */
const explainStreamsStatement = statement(
  'explain_streams',
  `with ${leaseFence}
update campaign_stream s set reason = t.reason from unnest($4::int[], $5::smallint[], $6::text[]) as t (id, stream, reason), lease, campaign c
where s.campaign_id = t.id and s.stream = t.stream and c.id = t.id and c.dialer_id = $1 and s.reason is distinct from t.reason`,
)

export type StreamExplanation = { campaignId: number; stream: number; reason: string | null }

export async function explainStreams(
  db: Queryable,
  lease: Lease,
  explanations: readonly StreamExplanation[],
): Promise<void> {
  if (explanations.length === 0) return
  await run(db, explainStreamsStatement, [
    ...fenced(lease),
    ...arraysOf(explanations, 'campaignId', 'stream', 'reason'),
  ])
}

/**
 * The campaign's last day is over: rows that were never tried expire, and rows that wait for a retry are done. Repeat until it answers 0; rows
 * in call end by themselves. $4 campaign $5 rows at most $6 slot $7 the stream, where it has several
 */
const expireStatements = byCursor<{ closed: number }>(
  'expire',
  `with ${leaseFence}, payer as materialized (
  select {cursor}.fresh_next, {cursor}.fresh_end from lease, campaign c{joined} where c.id = $4 and c.dialer_id = $1 and c.dial_until <= now() for no key update of {locked}
), queue_rows as materialized (
  select r.ctid from contact_retry r where r.campaign_id = $4 and r.stream = {stream} order by r.due_at, r.no limit (select count(*) * $5::int from payer) for update skip locked
), removals as (
  delete from contact_retry r where r.ctid = any (array(select ctid from queue_rows)) returning r.no
), advance as (
  update {table} c set fresh_next = least(p.fresh_next + $5::int - g.n, p.fresh_end) from payer p, (select count(*)::int n from removals) g
  where {line} and g.n < $5::int and p.fresh_next < p.fresh_end returning p.fresh_next as lo, c.fresh_next as hi
), expiries as (
  update campaign_contact c set state = case c.state when 'fresh' then 'expired'::row_state else 'done' end
  where c.campaign_id = $4 and c.state in ('fresh', 'waiting')
    and c.no = any (array(select no from removals union all select generate_series(m.lo, m.hi - 1) from advance m)) returning c.state, c.follower_no
), followers as (
  insert into contact_retry (campaign_id, stream, due_at, no) select $4, {stream}, now(), follower_no from expiries where follower_no is not null
), counts as (
  insert into campaign_count as k (campaign_id, slot, fresh, waiting, expired, done)
  select $4, $6, -count(*) filter (where state = 'expired'), -count(*) filter (where state = 'done'), count(*) filter (where state = 'expired'), count(*) filter (where state = 'done')
  from expiries having count(*) > 0
  on conflict (campaign_id, slot) do update set fresh = k.fresh + excluded.fresh, waiting = k.waiting + excluded.waiting,
    expired = k.expired + excluded.expired, done = k.done + excluded.done
)
select count(*)::int as closed from expiries`,
  '$7',
)

/** `stream` null: the campaign has one cursor. */
export async function expire(
  db: Queryable,
  lease: Lease,
  { campaignId, stream, rowsMax, slot }: { campaignId: number; stream: number | null; rowsMax: number; slot: number },
): Promise<number> {
  const values = [...fenced(lease), campaignId, rowsMax, slot]
  const [row] = await runByCursor(db, expireStatements, values, stream)
  return row?.closed ?? 0
}

/**
 * Retry: one more attempt for each row that never answered. LOST and EXPIRED rows are included, INVALID ones by choice, DND ones never.
 * Rows of one number wait for each other again, with a new chain that skips rows which are not dialled, in the stream of the first. Rows keep the mark that they met
 * congestion, so their redials do not count against the trunk.
 * A batch takes the heads of chains with `$5 <= no < $5 + $6`, and all that follow them. The last batch lets claims in, and gives the campaign
 * $8 ms more if its time is over. A batch that is repeated does nothing. $4 campaign $7 slot.
 */
const requeueStatement = statement<{ next: number | null; requeued: number }>(
  'requeue_for_retry',
  `with recursive ${leaseFence}, one as materialized (
  select c.fresh_end, c.retry_invalid from lease, campaign c where c.id = $4 and c.dialer_id = $1 and c.retry_requested for no key update of c
), chain as (
  select c.no as head, c.no, c.follower_no, c.state, c.disposition from campaign_contact c
  where c.campaign_id = $4 and c.no >= $5::int and c.no < (select least($5::int + $6::int, fresh_end) from one)
  union all
  select p.head, c.no, c.follower_no, c.state, c.disposition from chain p join campaign_contact c on c.campaign_id = $4 and c.no = p.follower_no
), retries as materialized (
  select head, no, state, lead(no) over number as next_no, row_number() over number = 1 as leads
  from chain where state in ('done', 'expired') and (disposition is null or disposition <> 'ANSWER' and (disposition <> 'INVALID' or (select retry_invalid from one)))
  window number as (partition by head order by no)
), contacts as (
  update campaign_contact c set state = 'waiting', congestions = 0, failures = c.failures + (c.congestions > 0)::int, follower_no = s.next_no from retries s where c.campaign_id = $4 and c.no = s.no
), unlinks as (
  update campaign_contact c set follower_no = null where c.campaign_id = $4 and c.no = any (array(
    select h.no from chain h where h.follower_no is not null and h.state <> 'waiting' and not exists (select from retries s where s.no = h.no)))
), queue as (
  insert into contact_retry (campaign_id, stream, due_at, no) select $4, coalesce(s.stream, 0), now(), h.no
  from retries h left join campaign_stream s on s.campaign_id = $4 and h.head >= s.fresh_from and h.head < s.fresh_end where h.leads
), counts as (
  insert into campaign_count as k (campaign_id, slot, waiting, done, expired)
  select $4, $7, count(*), -count(*) filter (where state = 'done'), -count(*) filter (where state = 'expired') from retries having count(*) > 0
  on conflict (campaign_id, slot) do update set waiting = k.waiting + excluded.waiting, done = k.done + excluded.done, expired = k.expired + excluded.expired
), campaign_end as (
  update campaign c set retry_requested = false,
    dial_until = case when c.dial_until <= now() then now() + $8::bigint * interval '1 ms' else c.dial_until end,
    not_after = c.not_after and c.dial_until > now()
  from one where c.id = $4 and one.fresh_end <= $5::int + $6::int
)
select case when one.fresh_end > $5::int + $6::int then $5::int + $6::int end as next, (select count(*) from retries)::int as requeued from one`,
)

/** Runs one batch. `next` is the `from` of the next batch, or null when all rows are queued. */
export async function requeueForRetry(
  db: Queryable,
  lease: Lease,
  batch: { campaignId: number; from: number; rows: number; slot: number; moreMs: number },
): Promise<{ next: number | null; requeued: number }> {
  const values = [batch.campaignId, batch.from, batch.rows, batch.slot, batch.moreMs]
  const [row] = await run(db, requeueStatement, [...fenced(lease), ...values])
  return row ?? { next: null, requeued: 0 }
}
