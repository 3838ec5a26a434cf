import type { SmsOccasion } from '@ghanti/contract/after-call.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import type { Lane } from './rules-turns.ts'

/** True when this session now holds the lock, which it keeps until it ends. */
export async function lockSending(session: Db): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_lock(hashtext('messages after calls')) as mine`.execute(session)
  return rows[0]?.mine === true
}

export async function unlockSending(session: Db): Promise<void> {
  await sql`select pg_advisory_unlock(hashtext('messages after calls'))`.execute(session)
}

/**
 * Lanes with something due, found by an index skip scan whatever their length. Accounts that are not live and accounts whose messages an
 * administrator stopped are left out.
 */
export async function dueLanes(session: Db): Promise<Lane[]> {
  const { rows } = await sql<Lane>`
    with recursive lanes as (
      (select host, account_id from after_call_message where state = 'waiting' order by host, account_id limit 1)
      union all
      select n.host, n.account_id from lanes l cross join lateral (
        select m.host, m.account_id from after_call_message m where m.state = 'waiting' and (m.host, m.account_id) > (l.host, l.account_id)
        order by m.host, m.account_id limit 1) n
    )
    select l.host, l.account_id from lanes l join users u on u.id = l.account_id
    where exists (select from after_call_message m where m.state = 'waiting' and m.host = l.host and m.account_id = l.account_id and m.due_at <= now())
      and not exists (select from account_stopped_by(u.path))
      and not exists (select from dial_block b where b.lifted_at is null and b.what <> 'calls'
        and (b.kind = 'platform' or b.kind = 'account' and b.target_id = any (u.path)))`.execute(session)
  return rows
}

export type Claimed = {
  campaign_id: number
  no: number
  occasion: SmsOccasion
  account_id: number
  host: string
  /** E.164 without the plus. */
  phone: number
  /** Null when it was forgotten. */
  address_sealed: string | null
  tries: number
}

type Reasons = { stopped: string; blacklisted: string }

/**
 * Claims what may be sent now, at most `wanted` per lane: each counts as started once this commits. Ends messages of stopped campaigns and
 * of numbers blacklisted since their call.
 */
export async function claim(
  session: Db,
  lanes: readonly (Lane & { wanted: number })[],
  reasons: Reasons,
): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with lanes as (
      select * from unnest(${lanes.map(({ host }) => host)}::text[], ${lanes.map(({ account_id: id }) => id)}::int[],
        ${lanes.map(({ wanted }) => wanted)}::int[]) as l (host, account_id, wanted)
    ), picked as materialized (
      select m.* from lanes l cross join lateral (
        select campaign_id, no, occasion, account_id, host from after_call_message
        where state = 'waiting' and host = l.host and account_id = l.account_id and due_at <= now()
        order by due_at limit l.wanted for update skip locked) m
    ), decided as materialized (
      select p.*, r.phone, o.address_sealed,
        case when c.status in ('cancelling', 'cancelled') then ${reasons.stopped}
          when exists (select from blacklist b where b.phone = r.phone and b.owner_id = any (
            array(select unnest(u.path) union select id from account where kind = 'mint'))) then ${reasons.blacklisted} end as over
      from picked p join campaign c on c.id = p.campaign_id join users u on u.id = p.account_id
      join campaign_contact r on r.campaign_id = p.campaign_id and r.no = p.no
      left join after_call_option o on o.campaign_id = p.campaign_id and o.occasion = p.occasion
    ), moved as (
      update after_call_message m set state = case when d.over is null then 'sending'::after_call_state else 'cancelled' end, reason = d.over,
        tries = m.tries + (d.over is null)::int, begun_at = now(), ended_at = case when d.over is not null then now() end
      from decided d where m.campaign_id = d.campaign_id and m.no = d.no and m.occasion = d.occasion
      returning m.campaign_id, m.no, m.occasion, m.account_id, m.host, m.tries, m.state, d.phone, d.address_sealed
    ), counted as (
      insert into after_call_count as k (campaign_id, slot, occasion, cancelled)
      select campaign_id, 0, occasion, count(*) from moved where state = 'cancelled' group by campaign_id, occasion order by campaign_id, occasion
      on conflict (campaign_id, slot, occasion) do update set cancelled = k.cancelled + excluded.cancelled
    )
    select campaign_id, no, occasion, account_id, host, phone, address_sealed, tries from moved where state = 'sending'`.execute(
    session,
  )
  return rows
}

type Key = Pick<Claimed, 'campaign_id' | 'no' | 'occasion' | 'tries'>

/** Stores the outcome of a request that was started. One that was given up meanwhile keeps its state. */
export async function end(
  db: Db,
  of: Key,
  result: { state: 'sent' | 'failed' | 'unknown'; reason: string | null },
): Promise<void> {
  const { state, reason } = result
  await sql`
    with ended as (
      update after_call_message set state = ${state}, reason = ${reason}, ended_at = now()
      where campaign_id = ${of.campaign_id} and no = ${of.no} and occasion = ${of.occasion} and state = 'sending' and tries = ${of.tries} returning 1
    )
    insert into after_call_count as k (campaign_id, slot, occasion, sent, failed, unknown)
    select ${of.campaign_id}::int, 0, ${of.occasion}::sms_occasion, (${state} = 'sent')::int, (${state} = 'failed')::int, (${state} = 'unknown')::int from ended
    on conflict (campaign_id, slot, occasion)
    do update set sent = k.sent + excluded.sent, failed = k.failed + excluded.failed, unknown = k.unknown + excluded.unknown`.execute(
    db,
  )
}

export async function putBack(
  db: Db,
  of: Key,
  { reason, seconds }: { reason: string; seconds: number },
): Promise<void> {
  await sql`
    update after_call_message set state = 'waiting', reason = ${reason}, due_at = now() + ${seconds}::int * interval '1 second'
    where campaign_id = ${of.campaign_id} and no = ${of.no} and occasion = ${of.occasion} and state = 'sending' and tries = ${of.tries}`.execute(
    db,
  )
}

/** Requests started this long ago have no live process that could report their end. */
export async function giveUpCutOff(session: Db, afterMs: number, reason: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with lost as (
      update after_call_message set state = 'unknown', reason = ${reason}, ended_at = now()
      where state = 'sending' and begun_at < now() - ${afterMs}::int * interval '1 ms' returning campaign_id, occasion
    ), counted as (
      insert into after_call_count as k (campaign_id, slot, occasion, unknown)
      select campaign_id, 0, occasion, count(*) from lost group by campaign_id, occasion order by campaign_id, occasion
      on conflict (campaign_id, slot, occasion) do update set unknown = k.unknown + excluded.unknown
    )
    select count(*)::int as n from lost`.execute(session)
  return rows[0]?.n ?? 0
}

/** Ends at most `limit` messages of one lane that have been due for too long. */
export async function endLate(
  session: Db,
  { host, account_id: id }: Lane,
  hours: number,
  reason: string,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with late as materialized (
      select campaign_id, no, occasion from after_call_message
      where state = 'waiting' and host = ${host} and account_id = ${id} and due_at < now() - ${hours}::int * interval '1 hour'
      order by due_at limit ${limit} for update skip locked
    ), ended as (
      update after_call_message m set state = 'failed', reason = ${reason}, ended_at = now() from late l
      where m.campaign_id = l.campaign_id and m.no = l.no and m.occasion = l.occasion returning m.campaign_id, m.occasion
    ), counted as (
      insert into after_call_count as k (campaign_id, slot, occasion, failed)
      select campaign_id, 0, occasion, count(*) from ended group by campaign_id, occasion order by campaign_id, occasion
      on conflict (campaign_id, slot, occasion) do update set failed = k.failed + excluded.failed
    )
    select count(*)::int as n from ended`.execute(session)
  return rows[0]?.n ?? 0
}
