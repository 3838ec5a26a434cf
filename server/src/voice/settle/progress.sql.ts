import { nextDue, streamsOfCampaign } from '../model/campaigns/streams.sql.ts'
import {
  columnsOf,
  leaseFences,
  placedIn,
  run,
  statement,
  type Lease,
  type Queryable,
} from '../../dispatch/statement.ts'

/** Campaigns of a dialer whose sums have changed. */
export type ProgressAsk = { lease: Lease; campaignIds: readonly number[] }

/**
 * One summed row per campaign, for the screens. Of a campaign of several dialers only the engine of
 * the one that leads it writes it. `retry_no` is the highest re-attempt that rows wait for: the rows
 * that are due last wait for it.
 */
const progressStatement = statement(
  'progress',
  `with ${leaseFences}
update campaign_progress p set
  uploaded = c.uploaded,
  processed = k.done + k.expired,
  pending = k.fresh + k.in_call + k.waiting,
  fresh = k.fresh,
  in_call = k.in_call,
  waiting = k.waiting,
  done = k.done,
  dnd = k.dnd,
  expired = k.expired,
  attempts = k.attempts,
  answered = k.answered,
  dtmf = k.dtmf,
  pulses = k.pulses,
  cost_paisa = k.cost_paisa,
  outcomes = k.outcomes,
  next_due_at = q.next_due_at,
  retry_no = coalesce(q.retry_no, 0),
  changed_at = clock_timestamp()
from campaign c
cross join lateral (
  select
    sum(fresh)::int as fresh,
    sum(in_call)::int as in_call,
    sum(waiting)::int as waiting,
    sum(done)::int as done,
    sum(dnd)::int as dnd,
    sum(expired)::int as expired,
    sum(attempts)::int as attempts,
    sum(answered)::int as answered,
    sum(dtmf)::int as dtmf,
    sum(pulses)::bigint as pulses,
    sum(cost_paisa)::bigint as cost_paisa,
    jsonb_strip_nulls(
      jsonb_build_object(
        'ANSWER',
        nullif(sum(answered), 0),
        'NO ANSWER',
        nullif(sum(no_answer), 0),
        'BUSY',
        nullif(sum(busy), 0),
        'CONGESTION',
        nullif(sum(congestion), 0),
        'FAILED',
        nullif(sum(failed), 0),
        'CANCEL',
        nullif(sum(cancel), 0),
        'INVALID',
        nullif(sum(invalid), 0),
        'REJECTED',
        nullif(sum(rejected), 0),
        'LOST',
        nullif(sum(lost), 0)
      )
    ) as outcomes
  from campaign_count x
  where x.campaign_id = c.id
) k
cross join lateral (
  select
    (${nextDue}) as next_due_at,
    (
      select max(t.attempts)
      from ${streamsOfCampaign}
      cross join lateral (
        select no
        from contact_retry r
        where r.campaign_id = c.id
          and r.stream = s.stream
        order by r.due_at desc, r.no desc
        limit 20
      ) r
      join campaign_contact t on t.campaign_id = c.id and t.no = r.no
    ) as retry_no
) q
where c.id = any ($4::int[])
  and c.dialer_id = any (array(select dialer_id from leases))
  and p.campaign_id = c.id
  and k.fresh is not null`,
)

export async function writeProgress(db: Queryable, asks: readonly ProgressAsk[]): Promise<void> {
  const campaignIds = new Set(asks.flatMap((ask) => ask.campaignIds))
  if (campaignIds.size === 0) return
  await run(db, progressStatement, [...columnsOf(placedIn(asks).leases), [...campaignIds]])
}
