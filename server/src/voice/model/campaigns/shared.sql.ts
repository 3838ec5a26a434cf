/** Campaigns whose route has trunks of several dialers (docs/adr/53). */
import type { Pool } from 'pg'
import type { HoldCause } from '../../../db/tables.ts'
import type { OtherDialer } from './sharing.ts'
import { fenced, leaseFence, run, statement, type Lease, type Queryable } from '../../../dispatch/statement.ts'

/** Caller ID i is a group, or a member of one. */
const isOfGroup = `(i.is_group or exists (select from cli_member y where y.cli_id = i.id))`

/** What its calls may show: i itself, or the members of the group i. */
const shownBy = `select y.cli_id from cli_member y where y.group_id = i.id union all select i.id where not i.is_group`

/** Whether another dialer than that of campaign c makes calls that show the caller ID i, or a member of the group i: by its route, or that of a group. */
export const spansDialers = `(exists (select from call_route_step s join trunk t on t.id = s.trunk_id and t.deleted_at is null where s.route_id = i.route_id and t.dialer_id <> c.dialer_id)
  or ${isOfGroup} and exists (select from (${shownBy}) w join lateral (select w.cli_id as id union select y.group_id from cli_member y where y.cli_id = w.cli_id) k on true
    join cli n on n.id = k.id and n.deleted_at is null left join call_route_step s on s.route_id = n.route_id join trunk t on t.id = coalesce(s.trunk_id, n.trunk_id) and t.deleted_at is null
    where t.dialer_id <> c.dialer_id))`

/** The places of a claim's text: what it requires of its campaign c (`claimer`), a further limit, and how many calls can show each caller ID of $22, with a CTE for it. */
type ClaimAs = { claimer: string; limit: string; rooms: string; room: string }

export function claimAs(as: ClaimAs, text: string): string {
  return text.replace(/\{(claimer|limit|rooms|room)\}/g, (_, key: keyof ClaimAs) => as[key])
}

export const ofOneDialer: ClaimAs = {
  claimer: 'c.dialer_id = $1 and not c.is_shared',
  limit: '',
  rooms: '',
  room: '$24::int[]',
}

/** A shared campaign that is not over. */
export const isUnfinished = (campaign: string): string =>
  `${campaign}.is_shared and ${campaign}.status not in ('complete', 'cancelled', 'refused', 'failed')`

/** The steps s of the route of campaign c, with their trunks t. */
export const stepsOfRoute = `cli i join call_route_step s on s.route_id = i.route_id join trunk t on t.id = s.trunk_id and t.deleted_at is null`

/**
 * `trunk`: the parameter with the trunk of the claim. Channels of caller IDs are counted for all dialers; in memory, each engine sees its own alone. Those that
 * a group may show are counted by what is open, since other campaigns show them, too; all others by the counts of their campaigns.
 */
export const ofSeveralDialers = (trunk: string): ClaimAs => ({
  claimer: `c.is_shared and case when (select r.route_id from cli r where r.id = c.cli_id) is null then c.dialer_id = $1
    else exists (select from ${stepsOfRoute} where i.id = c.cli_id and t.id = ${trunk}::int and t.dialer_id = $1
      and (s.operators is null or not c.by_operator or {stream} = any (s.operators))) end`,
  limit: `
    (select case when i.is_group then coalesce((select sum(calls)::int from rooms), 0)
       else i.channels - case when ${isOfGroup} then (select count(*) from attempt_open o where o.cli_id = i.id)
         else (select coalesce(sum(k.in_call), 0) from campaign x join campaign_count k on k.campaign_id = x.id where x.cli_id = i.id and ${isUnfinished('x')}) end end
       from cli i where i.id = c.cli_id),`,
  rooms: `rooms as materialized (
  select k.nth, greatest(0, least(k.room, i.channels - coalesce(n.calls, 0)))::int as calls
  from unnest($22::int[], $24::int[]) with ordinality k (id, room, nth) join cli i on i.id = k.id
    left join (select cli_id, count(*)::int as calls from attempt_open where $22::int[] is not null and cli_id = any ($22::int[]) group by cli_id) n on n.cli_id = k.id
), `,
  room: 'array(select calls from rooms order by nth)',
})

/**
 * Claims that may show one caller ID wait for each other before they wait for anything else. So each counts the channels of campaign and caller ID after the claim
 * before it has committed. A statement that waited for the campaign's row alone would count them from an older snapshot.
 */
export async function underLockOfClis<T>(
  pool: Pick<Pool, 'connect'>,
  cliIds: readonly number[],
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let failed = true
  try {
    await client.query('begin')
    const inOrder = cliIds.toSorted((one, other) => one - other) // so that two groups with the same caller IDs do not wait for each other
    await client.query(
      "select pg_advisory_xact_lock(hashtext('calls of a caller ID'), id) from unnest($1::int[]) with ordinality t (id, nth) order by nth",
      [inOrder],
    )
    const done = await work(client)
    await client.query('commit')
    failed = false
    return done
  } finally {
    client.release(failed) // ends a connection whose transaction did not end
  }
}

/**
 * Whether several dialers make calls that may show what campaign $4 shows now. Claims under way end before it changes. One is shared until
 * its caller ID has no calls on other dialers.
 */
const shareStatement = statement<{ id: number }>(
  'share_campaign',
  `with ${leaseFence}, span as materialized (
  select c.id, ${spansDialers} as spans, array(${shownBy}) as shown
  from lease, campaign c join cli i on i.id = c.cli_id where c.id = $4 and c.dialer_id = $1
)
update campaign c set is_shared = f.spans from span f where c.id = f.id and c.is_shared <> f.spans
  and (f.spans or not exists (select from attempt_open o where o.cli_id = any (f.shown) and o.dialer_id <> $1))
returning c.id`,
)

/** True: the campaign is shared from now on, or is no more. */
export async function shareCampaign(db: Queryable, lease: Lease, campaignId: number): Promise<boolean> {
  return (await run(db, shareStatement, [...fenced(lease), campaignId])).length === 1
}

/** What keeps a dialer from the calls of a campaign. */
export type HoldReason = { cause: HoldCause; reason: string }

const reportStatement = statement(
  'report_hold_reasons',
  `with ${leaseFence}
insert into campaign_dialer as d (campaign_id, dialer_id, epoch, cause, reason, streams, left_rows)
select t.id, $1, $3, t.cause, t.reason, t.streams, t.left_rows || jsonb_build_object('epoch', $3::bigint) from lease, unnest($4::int[], $5::hold_cause[], $6::text[], $7::jsonb[], $8::jsonb[]) as t (id, cause, reason, streams, left_rows) order by t.id
on conflict (campaign_id, dialer_id) do update set epoch = excluded.epoch, cause = excluded.cause, reason = excluded.reason, streams = excluded.streams, left_rows = excluded.left_rows`,
)

/** `streams`, `yielded`: as in OtherDialer. */
export type HoldReport = {
  campaignId: number
  holdReason: HoldReason | null
  streams?: Readonly<Record<string, string | null>> | null
  yielded?: OtherDialer['yielded']
}

/** Tells the engines of the other dialers what keeps this one from its campaigns. Null: nothing does. */
export async function reportHoldReasons(db: Queryable, lease: Lease, said: readonly HoldReport[]): Promise<void> {
  if (said.length === 0) return
  const columns = [said.map((one) => one.campaignId), said.map((one) => one.holdReason?.cause ?? null)]
  const reasons = said.map((one) => one.holdReason?.reason ?? null)
  const streams = said.map((one) => (one.streams ? JSON.stringify(one.streams) : null))
  const yielded = said.map((one) => (one.yielded ? JSON.stringify(one.yielded) : null))
  await run(db, reportStatement, [...fenced(lease), ...columns, reasons, streams, yielded])
}

const cancelledStatement = statement<{ id: number; end_now: boolean }>(
  'cancelled_campaigns',
  `select id, end_now from campaign where id = any ($1::int[]) and status = 'cancelling'`,
)

/** Which of them are being stopped, and whether their answered calls end, too. */
export function cancelledOf(db: Queryable, ids: readonly number[]): Promise<{ id: number; end_now: boolean }[]> {
  return run(db, cancelledStatement, [ids])
}

/** Of the campaigns that other dialers lead: those whose route has a trunk of dialer v. For loadCampaigns. */
export const sharedWithDialer = `unnest($1::int[]) v (dialer_id) join campaign c on ${isUnfinished('c')} and c.dialer_id <> v.dialer_id
  and exists (select from ${stepsOfRoute} where i.id = c.cli_id and t.dialer_id = v.dialer_id)`

/** Whether the contract of trunk t, with its state n, lets a call begin on its dialer, or has a free part. */
const hasContractRoom = `(select coalesce(sum(greatest(u.channels, u.legs)) < max(p.channels) or bool_or(u.dialer_id = t.dialer_id and u.channels > u.legs + coalesce(n.contract_kept, 0)), true)
              from contract_grant u join operator_contract p on p.id = u.contract_id where u.contract_id = t.contract_id)`

/**
 * The rows that the engine with this epoch has yielded to others, of its campaign_dialer m. The column repeats the epoch, because engines of the version before
 * do not replace what an earlier engine wrote there.
 */
export const yieldedBy = (epoch: string): string =>
  `case when (m.left_rows ->> 'epoch')::bigint = ${epoch} then m.left_rows - 'epoch' end`

/**
 * The other dialers of the route of campaign c, seen by `dialer`: whether each carries its calls, as its engine says, and the trunks there with room. Null:
 * there are none.
 */
export const otherDialers = (dialer: string): string => `(
    select json_agg(json_build_object('name', o.name, 'leads', o.dialer_id = c.dialer_id, 'carries', o.carries, 'unreported', o.unreported, 'cause', o.cause, 'reason', o.reason, 'streams', o.streams, 'yielded', o.yielded, 'steps', o.steps) order by o.dialer_id) from (
      select t.dialer_id, e.name, m.cause, m.reason, m.streams, ${yieldedBy('l.epoch')} as yielded, coalesce(l.epoch = m.epoch and m.reason is null, false) as carries, l.epoch is distinct from m.epoch and l.epoch is not null as unreported,
        json_agg(json_build_object('priority', s.priority, 'costPaisa', s.cost_paisa, 'weight', s.weight, 'operators', s.operators,
          'has_room', h.held_since is null and n.unusable is null and coalesce(n.channels + n.kept, 0) < t.channels and coalesce(w.channels + w.kept, 0) < e.channels
            and (t.contract_id is null or ${hasContractRoom}))) as steps
      from call_route_step s join trunk t on t.id = s.trunk_id and t.deleted_at is null and t.dialer_id <> ${dialer} join dialer e on e.id = t.dialer_id
        left join campaign_dialer m on m.campaign_id = c.id and m.dialer_id = t.dialer_id
        left join dialer_lease l on l.dialer_id = t.dialer_id and l.expires_at > clock_timestamp()
        left join trunk_health h on h.trunk_id = t.id left join trunk_state n on n.trunk_id = t.id left join dialer_state w on w.dialer_id = t.dialer_id
      where s.route_id = i.route_id group by t.dialer_id, e.name, m.cause, m.reason, m.streams, m.left_rows, m.epoch, l.epoch) o)`
