/** Campaigns whose route has trunks of several dialers (docs/adr/53). */
import type { Pool } from 'pg'
import type { HoldCause } from '../../db/tables.ts'
import { fenced, leaseHeld, run, statement, type Lease, type Queryable } from '../statement.ts'

/**
 * The calls of caller ID i may go over several dialers. A group counts the channels of its members, and a member may be shown by campaigns of its group:
 * these are counted by the engine of one dialer.
 */
export const mayBeShared = `i.route_id is not null and not i.is_group and not exists (select from cli_member y where y.cli_id = i.id)`

/** What a claim asks of its campaign c (`claimer`), and what limits it beside the rest. */
type ClaimAs = { claimer: string; limit: string }

export function claimAs({ claimer, limit }: ClaimAs, text: string): string {
  return text.replace('{claimer}', () => claimer).replace('{limit}', () => limit)
}

export const ofOneDialer: ClaimAs = { claimer: 'c.dialer_id = $1 and not c.is_shared', limit: '' }

/** A shared campaign that is not over. */
export const isUnfinished = (campaign: string): string =>
  `${campaign}.is_shared and ${campaign}.status not in ('complete', 'cancelled', 'refused', 'failed')`

/** The steps s of the route of campaign c, with their trunks t. */
export const stepsOfRoute = `cli i join call_route_step s on s.route_id = i.route_id join trunk t on t.id = s.trunk_id and t.deleted_at is null`

/** `trunk`: the parameter with the trunk of the claim. Channels of the caller ID are counted for all dialers; in memory, each engine sees its own alone. */
export const ofSeveralDialers = (trunk: string): ClaimAs => ({
  claimer: `c.is_shared and exists (select from ${stepsOfRoute} where i.id = c.cli_id and t.id = ${trunk}::int and t.dialer_id = $1
    and (s.operators is null or not c.by_operator or {stream} = any (s.operators)))`,
  limit: `
    (select i.channels from cli i where i.id = c.cli_id)
      - (select coalesce(sum(k.in_call), 0) from campaign x join campaign_count k on k.campaign_id = x.id where x.cli_id = c.cli_id and ${isUnfinished('x')}),`,
})

/**
 * Claims of one caller ID wait for each other, before they wait for anything else. So each counts the channels of campaign and caller ID as the one before
 * left them, which a statement that waits for the campaign's row alone would not.
 */
export async function underLockOfCli<T>(
  pool: Pick<Pool, 'connect'>,
  cliId: number,
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let failed = true
  try {
    await client.query('begin')
    await client.query("select pg_advisory_xact_lock(hashtext('calls of a caller ID'), $1::int)", [cliId])
    const done = await work(client)
    await client.query('commit')
    failed = false
    return done
  } finally {
    client.release(failed) // ends a connection whose transaction did not end
  }
}

/**
 * Whether the route of campaign $4 has trunks of several dialers now. Claims under way end before it changes. Engines of the version before would count a
 * shared campaign's channels for themselves, so there is none beside them; and one is shared until its caller ID has no calls on other dialers.
 */
const shareStatement = statement<{ id: number }>(
  'share_campaign',
  `with ${leaseHeld}, found as materialized (
  select c.id, exists (select from ${stepsOfRoute} where i.id = c.cli_id and t.dialer_id <> c.dialer_id and ${mayBeShared}) as spans from lease, campaign c where c.id = $4 and c.dialer_id = $1
)
update campaign c set is_shared = f.spans from found f where c.id = f.id and c.is_shared <> f.spans
  and case when f.spans then not exists (select from engine e where not e.shares and e.seen_at > clock_timestamp() - interval '10 seconds')
    else not exists (select from attempt_open o where o.cli_id = c.cli_id and o.dialer_id <> $1) end
returning c.id`,
)

/** True: the campaign is shared from now on, or is no more. */
export async function shareCampaign(db: Queryable, lease: Lease, campaignId: number): Promise<boolean> {
  return (await run(db, shareStatement, [...fenced(lease), campaignId])).length === 1
}

/** What keeps a dialer from the calls of a campaign. */
export type Hindrance = { cause: HoldCause; reason: string }

const sayStatement = statement(
  'say_hindrances',
  `with ${leaseHeld}
insert into campaign_dialer as d (campaign_id, dialer_id, epoch, cause, reason, streams)
select t.id, $1, $3, t.cause, t.reason, t.streams from lease, unnest($4::int[], $5::hold_cause[], $6::text[], $7::jsonb[]) as t (id, cause, reason, streams) order by t.id
on conflict (campaign_id, dialer_id) do update set epoch = excluded.epoch, cause = excluded.cause, reason = excluded.reason, streams = excluded.streams`,
)

/** `streams`: as in OtherDialer, where rows are by operator. */
export type Saying = {
  campaignId: number
  hindrance: Hindrance | null
  streams?: Readonly<Record<string, string | null>> | null
}

/** Tells the engines of the other dialers what keeps this one from its campaigns. Null: nothing does. */
export async function sayHindrances(db: Queryable, lease: Lease, said: readonly Saying[]): Promise<void> {
  if (said.length === 0) return
  const columns = [said.map((one) => one.campaignId), said.map((one) => one.hindrance?.cause ?? null)]
  const reasons = said.map((one) => one.hindrance?.reason ?? null)
  const streams = said.map((one) => (one.streams ? JSON.stringify(one.streams) : null))
  await run(db, sayStatement, [...fenced(lease), ...columns, reasons, streams])
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

/** Of trunk t: a call could begin by its contract on its dialer, or part of the contract is free. */
const hasContractRoom = `(select coalesce(sum(greatest(u.channels, u.legs)) < max(p.channels) or bool_or(u.dialer_id = t.dialer_id and u.channels > u.legs), true)
              from contract_grant u join operator_contract p on p.id = u.contract_id where u.contract_id = t.contract_id)`

/**
 * The other dialers of the route of campaign c, seen by `dialer`: whether each carries its calls, as its engine says, and the trunks there with room. Null:
 * there are none.
 */
export const otherDialers = (dialer: string): string => `(
    select json_agg(json_build_object('name', o.name, 'leads', o.dialer_id = c.dialer_id, 'carries', o.carries, 'unsaid', o.unsaid, 'cause', o.cause, 'reason', o.reason, 'streams', o.streams, 'steps', o.steps) order by o.dialer_id) from (
      select t.dialer_id, e.name, m.cause, m.reason, m.streams, coalesce(l.epoch = m.epoch and m.reason is null, false) as carries, l.epoch is distinct from m.epoch and l.epoch is not null as unsaid,
        json_agg(json_build_object('priority', s.priority, 'costPaisa', s.cost_paisa, 'weight', s.weight, 'operators', s.operators,
          'open', h.held_since is null and n.unusable is null and coalesce(n.channels, 0) < t.channels and coalesce(w.channels, 0) < e.channels
            and (t.contract_id is null or ${hasContractRoom}))) as steps
      from call_route_step s join trunk t on t.id = s.trunk_id and t.deleted_at is null and t.dialer_id <> ${dialer} join dialer e on e.id = t.dialer_id
        left join campaign_dialer m on m.campaign_id = c.id and m.dialer_id = t.dialer_id
        left join dialer_lease l on l.dialer_id = t.dialer_id and l.expires_at > clock_timestamp()
        left join trunk_health h on h.trunk_id = t.id left join trunk_state n on n.trunk_id = t.id left join dialer_state w on w.dialer_id = t.dialer_id
      where s.route_id = i.route_id group by t.dialer_id, e.name, m.cause, m.reason, m.streams, m.epoch, l.epoch) o)`
