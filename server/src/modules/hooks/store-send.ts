import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { isLive } from '../../db/live.ts'

/** True when this session now holds the lock, which it keeps until it ends. */
export async function lockSending(session: Db): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_lock(hashtext('hooks')) as mine`.execute(session)
  return rows[0]?.mine === true
}

export async function unlockSending(session: Db): Promise<void> {
  await sql`select pg_advisory_unlock(hashtext('hooks'))`.execute(session)
}

/** Makes events and deliveries of what happened. Returns how many. */
export async function makeEvents(session: Db, wanted: number): Promise<number> {
  const { rows } = await sql<{ made: number }>`select make_hook_events(${wanted}) as made`.execute(session)
  return rows[0]?.made ?? 0
}

type HookLane = { hook_id: number; host: string; account_id: number; is_resting: boolean }

/** Whether the hook takes more than tests now. */
const takesMore = sql<boolean>`(h.state = 'active' or h.state = 'resting' and h.rest_until <= now())`
const due = sql<boolean>`d.hook_id = h.id and d.state = 'waiting' and d.due_at <= now()`

/** Hooks with something due, without those of accounts that are not live. */
export async function dueHooks(session: Db): Promise<HookLane[]> {
  const { rows } = await sql<HookLane>`
    select h.id as hook_id, h.host, h.user_id as account_id, h.state = 'resting' as is_resting
    from hook h
    join users u on u.id = h.user_id
    where h.url_sealed is not null
      and not h.is_paused
      and (
        exists (select from hook_delivery d where ${due} and d.is_test)
        or ${takesMore} and exists (select from hook_delivery d where ${due} and not d.is_test)
      )
      and (u.expires_at is null or u.expires_at > now())
      and ${isLive('u.path')}`.execute(session)
  return rows
}

export type Claimed = {
  delivery_id: number
  hook_id: number
  account_id: number
  host: string
  url_sealed: string
  secret_sealed: string
  /** Of the secret before, while it signs as well. */
  before_sealed: string | null
  is_test: boolean
  tries: number
  /** When it is taken for lost; whoever ends it must still find this. */
  lost_at: Date
  key: string
  type: string
  at: Date
  of_messages: boolean
  campaign_id: number | null
  ids: number[]
  state: string | null
}

/** Takes what is due, at most `wanted` of each hook. What is not ended before `lost_at` is sent again. */
export async function claim(
  session: Db,
  lanes: readonly { hook_id: number; wanted: number }[],
  lostAfterMs: number,
): Promise<Claimed[]> {
  const ids = lanes.map(({ hook_id: id }) => id)
  const wanted = lanes.map((lane) => lane.wanted)
  const { rows } = await sql<Claimed>`
    with lost as materialized (
      select date_trunc('milliseconds', now() + ${lostAfterMs}::int * interval '1 ms') as at
    ),
    picked as materialized (
      select h.id as hook_id, p.id
      from unnest(${ids}::int[], ${wanted}::int[]) l (hook_id, wanted)
      join hook h on h.id = l.hook_id
      cross join lateral (
        select d.id
        from hook_delivery d
        where ${due} and (d.is_test or ${takesMore})
        order by d.is_test desc, d.due_at
        limit l.wanted
        for update of d skip locked
      ) p
    ),
    probed as (
      update hook h
      set rest_until = lost.at
      from lost
      where h.state = 'resting' and h.id in (select hook_id from picked)
    ),
    taken as (
      update hook_delivery d
      set due_at = lost.at
      from picked p, lost
      where d.id = p.id
      returning d.id, d.hook_id, d.event_id, d.is_test, d.tries, d.due_at
    )
    select
      t.id as delivery_id,
      t.hook_id,
      h.user_id as account_id,
      h.host,
      h.url_sealed,
      h.secret_sealed,
      case when h.before_until > now() then h.before_sealed end as before_sealed,
      t.is_test,
      t.tries,
      t.due_at as lost_at,
      e.key,
      e.type,
      e.at,
      e.of_messages,
      e.campaign_id,
      e.ids,
      e.state
    from taken t
    join hook h on h.id = t.hook_id
    join hook_event e on e.id = t.event_id
    order by t.id`.execute(session)
  return rows
}

type Try = Pick<Claimed, 'delivery_id' | 'hook_id' | 'lost_at' | 'url_sealed' | 'is_test'>

/** It arrived: the hook is active, though one that is not yet, or no more, only by a test of the present address. */
export async function endDelivered(db: Db, of: Try, { status, ms }: { status: number; ms: number }): Promise<void> {
  await sql`
    with ended as (
      update hook_delivery
      set state = 'delivered', tries = tries + 1, tried_at = now(), status = ${status}, ms = ${ms}, reason = null
      where id = ${of.delivery_id} and state = 'waiting' and due_at = ${of.lost_at}
      returning 1
    )
    update hook h
    set state = 'active', failures = 0, failing_since = null, rest_until = null, reason = null, delivered_at = now()
    where h.id = ${of.hook_id}
      and h.url_sealed = ${of.url_sealed}
      and (${of.is_test} or h.state in ('active', 'resting'))
      and (h.state <> 'active' or h.failures > 0 or h.delivered_at is null or h.delivered_at < now() - interval '1 minute')
      and exists (select from ended)`.execute(db)
}

type Failure = {
  status: number | null
  ms: number | null
  reason: string
  /** Null: it is not tried again. */
  waitMs: number | null
}

/** False when somebody else has ended it meanwhile, or it was sent again. */
export async function endFailed(tx: Tx, of: Try, { status, ms, reason, waitMs }: Failure): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update hook_delivery
    set
      state = ${waitMs === null ? 'failed' : 'waiting'},
      tries = tries + 1,
      due_at = now() + ${Math.round(waitMs ?? 0)}::bigint * interval '1 ms',
      tried_at = now(),
      status = ${status},
      ms = ${ms},
      reason = ${reason}
    where id = ${of.delivery_id} and state = 'waiting' and due_at = ${of.lost_at}`.execute(tx)
  return numAffectedRows === 1n
}

/** What it was about is deleted: it ends without a try. */
export async function endDeleted(db: Db, of: Try, reason: string): Promise<void> {
  await sql`
    update hook_delivery
    set state = 'failed', reason = ${reason}
    where id = ${of.delivery_id} and state = 'waiting' and due_at = ${of.lost_at}`.execute(db)
}

type Standing = { state: string; failures: number; failingSince: Date | null }

/** Locked; undefined when it was deleted, or has another address now. */
export function hookToChange(tx: Tx, of: Try): Promise<Standing | undefined> {
  return tx
    .selectFrom('hook')
    .select(['state', 'failures', 'failing_since as failingSince'])
    .where('id', '=', of.hook_id)
    .where('url_sealed', '=', of.url_sealed)
    .forUpdate()
    .executeTakeFirst()
}

/** Of one that is not used: why its test failed. */
export async function setReason(tx: Tx, hookId: number, reason: string): Promise<void> {
  await tx.updateTable('hook').set({ reason }).where('id', '=', hookId).execute()
}

type Change = {
  state: 'active' | 'resting' | 'off'
  reason: string | null
  failures: number
  failingSince: Date | null
  restUntil: Date | null
}
export async function changeHook(tx: Tx, hookId: number, change: Change): Promise<void> {
  const { state, reason, failures, failingSince, restUntil } = change
  await tx
    .updateTable('hook')
    .set({ state, reason, failures, failing_since: failingSince, rest_until: restUntil })
    .where('id', '=', hookId)
    .execute()
}
