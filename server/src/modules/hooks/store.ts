import { sql } from 'kysely'
import type { DeliveryState, HookEvent } from '@ghanti/contract/hooks.ts'
import type { Db, Tx } from '../../db/db.ts'

export type Hook = {
  hookId: number
  host: string | null
  events: HookEvent[]
  state: 'unverified' | 'active' | 'resting' | 'off'
  reason: string | null
  isPaused: boolean
  restUntil: Date | null
  beforeUntil: Date | null
  createdAt: Date
  deliveredAt: Date | null
}

const columns = [
  'id as hookId',
  'host',
  'state',
  'reason',
  'is_paused as isPaused',
  'rest_until as restUntil',
  'before_until as beforeUntil',
  'created_at as createdAt',
  'delivered_at as deliveredAt',
] as const
const events = sql<HookEvent[]>`events`.as('events')

/** The account's own, the newest first. */
export function hooksOf(db: Db, userId: number): Promise<Hook[]> {
  return db
    .selectFrom('hook')
    .select(columns)
    .select(events)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

/** Locked; undefined where the account has none with this id. */
export function hookToChange(tx: Tx, userId: number, hookId: number) {
  return tx
    .selectFrom('hook')
    .select(columns)
    .select([events, 'secret_sealed as secretSealed'])
    .where('id', '=', hookId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

export async function isHookOf(db: Db, userId: number, hookId: number): Promise<boolean> {
  const found = db.selectFrom('hook').select('id').where('id', '=', hookId).where('user_id', '=', userId)
  return (await found.executeTakeFirst()) !== undefined
}

/** The caller has locked the account, so that two at once count each other. */
export async function countHooks(tx: Tx, userId: number): Promise<number> {
  const { hooks } = await tx
    .selectFrom('hook')
    .select((e) => e.fn.countAll<number>().as('hooks'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return hooks
}

type Address = { host: string; urlSealed: string }
export type NewHook = { userId: number; events: readonly HookEvent[]; now: Date } & {
  address: (Address & { secretSealed: string }) | null
}

/** Without an address it is active at once. */
export async function insertHook(tx: Tx, { userId, events, now, address }: NewHook): Promise<number> {
  const { id } = await tx
    .insertInto('hook')
    .values({
      user_id: userId,
      host: address?.host ?? null,
      url_sealed: address?.urlSealed ?? null,
      secret_sealed: address?.secretSealed ?? null,
      events: [...events],
      state: address ? 'unverified' : 'active',
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function setEvents(tx: Tx, hookId: number, events: readonly HookEvent[]): Promise<void> {
  await tx
    .updateTable('hook')
    .set({ events: [...events] })
    .where('id', '=', hookId)
    .execute()
}

/** Nothing is known of the new address. */
export async function setAddress(tx: Tx, hookId: number, { host, urlSealed }: Address): Promise<void> {
  const unknown = { reason: null, failures: 0, failing_since: null, rest_until: null, delivered_at: null }
  await tx
    .updateTable('hook')
    .set({ host, url_sealed: urlSealed, state: 'unverified', ...unknown })
    .where('id', '=', hookId)
    .execute()
}

export async function setSecret(tx: Tx, hookId: number, secretSealed: string, beforeUntil: Date): Promise<void> {
  await sql`
    update hook
    set before_sealed = secret_sealed, before_until = ${beforeUntil}, secret_sealed = ${secretSealed}
    where id = ${hookId}`.execute(tx)
}

/** Its deliveries go with it. Returns how many there were. */
export async function deleteHook(tx: Tx, userId: number, hookId: number): Promise<number> {
  const deleted = tx.deleteFrom('hook').where('id', '=', hookId).where('user_id', '=', userId)
  return Number((await deleted.executeTakeFirstOrThrow()).numDeletedRows)
}

/** An event of the hook alone, and its delivery. */
export async function insertTest(tx: Tx, userId: number, hookId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into hook_event (user_id, type, at, of_messages, ids)
      values (${userId}, 'hook.test', clock_timestamp(), false, array[${hookId}]::bigint[])
      returning id
    )
    insert into hook_delivery (hook_id, event_id, is_test)
    select ${hookId}, id, true
    from made
    returning id`.execute(tx)
  return rows[0]?.id ?? 0
}

export type Delivery = {
  deliveryId: number
  key: string
  type: string
  at: Date
  state: DeliveryState
  tries: number
  dueAt: Date
  triedAt: Date | null
  status: number | null
  ms: number | null
  reason: string | null
}

type Wanted = { before?: number | undefined; state?: DeliveryState | undefined }
export function deliveriesOf(db: Db, hookId: number, { before, state }: Wanted, limit: number): Promise<Delivery[]> {
  let query = db
    .selectFrom('hook_delivery as d')
    .innerJoin('hook_event as e', 'e.id', 'd.event_id')
    .select(['d.id as deliveryId', 'e.key', 'e.type', 'e.at', 'd.state', 'd.tries', 'd.due_at as dueAt'])
    .select(['d.tried_at as triedAt', 'd.status', 'd.ms', 'd.reason'])
    .where('d.hook_id', '=', hookId)
    .orderBy('d.id', 'desc')
    .limit(limit)
  if (before !== undefined) query = query.where('d.id', '<', before)
  if (state !== undefined) query = query.where('d.state', '=', state)
  return query.execute()
}

/** Of a delivery of the account's that has ended: whether its campaign is deleted. Undefined: it has none with this id. */
export async function endedDelivery(tx: Tx, userId: number, deliveryId: number) {
  const { rows } = await sql<{ isDeleted: boolean }>`
    select
      case
        when e.of_messages then exists (
          select from sms_campaign_deleted x where x.campaign_id = e.campaign_id
        )
        else exists (select from campaign_deleted x where x.campaign_id = e.campaign_id)
      end as "isDeleted"
    from hook_delivery d
    join hook h on h.id = d.hook_id
    join hook_event e on e.id = d.event_id
    where d.id = ${deliveryId} and h.user_id = ${userId}`.execute(tx)
  return rows[0]
}

const again = sql`state = 'waiting', tries = 0, due_at = now(), reason = null`

/** One that waits is sent at once; one that is being sent may arrive twice. */
export async function sendAgain(tx: Tx, deliveryId: number): Promise<void> {
  await sql`update hook_delivery set ${again} where id = ${deliveryId}`.execute(tx)
}

type Failed = { userId: number; since: Date; hookId: number | undefined; limit: number }

/** The oldest first. What was about a deleted campaign stays as it is. Returns how many. */
export async function sendFailedAgain(tx: Tx, { userId, since, hookId, limit }: Failed): Promise<number> {
  const { numAffectedRows } = await sql`
    update hook_delivery
    set ${again}
    where id = any (
      array(
        select d.id
        from hook_delivery d
        join hook h on h.id = d.hook_id
        join hook_event e on e.id = d.event_id
        where h.user_id = ${userId}
          and (${hookId ?? null}::int is null or h.id = ${hookId ?? null})
          and d.state = 'failed'
          and e.at >= ${since}
          and not exists (
            select
            from campaign_deleted x
            where not e.of_messages and x.campaign_id = e.campaign_id
          )
          and not exists (
            select
            from sms_campaign_deleted x
            where e.of_messages and x.campaign_id = e.campaign_id
          )
        order by d.id
        limit ${limit}
      )
    )`.execute(tx)
  return Number(numAffectedRows)
}

export type StoredEvent = {
  id: number
  key: string
  account_id: number
  type: string
  at: Date
  of_messages: boolean
  campaign_id: number | null
  ids: number[]
  state: string | null
}

/** What happened, without the tests of hooks, the oldest first. */
export async function eventsAfter(db: Db, userId: number, after: number, limit: number): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select id, key, user_id as account_id, type, at, of_messages, campaign_id, ids, state
    from hook_event
    where user_id = ${userId} and id > ${after} and type <> 'hook.test'
    order by id
    limit ${limit}`.execute(db)
  return rows
}

/** Deliveries go with their events. Returns how many. */
export async function deleteOldEvents(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from hook_event
    where id = any (array(select id from hook_event where at < ${before} order by at limit ${limit}))`.execute(db)
  return Number(numAffectedRows)
}

export async function deleteOfDeleted(db: Db): Promise<void> {
  await sql`
    delete from hook h using users u where u.id = h.user_id and u.deleted_at is not null`.execute(db)
}

/** Who is told that a hook went off, is told by mail too, unless they choose otherwise. */
export async function chooseMail(tx: Tx, userId: number): Promise<void> {
  await sql`
    insert into notice_choice (user_id, kind, on_screen, by_mail)
    values (${userId}, 'hookOff', true, true)
    on conflict do nothing`.execute(tx)
}
