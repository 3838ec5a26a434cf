import type { dialBlockKinds, stoppable } from '@ghanti/contract/platform.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'

export type DialBlockKind = (typeof dialBlockKinds)[number]
export type Stopped = (typeof stoppable)[number]

export type DialBlock = {
  id: number
  kind: DialBlockKind
  what: Stopped
  targetId: number | null
  target: string
  reason: string
  by: string
  at: Date
}

export async function openBlocks(db: Db): Promise<DialBlock[]> {
  const { rows } = await sql<DialBlock>`
    select b.id, b.kind, b.what, b.target_id as "targetId", b.reason, u.username as by, b.at,
           coalesce(case b.kind when 'platform' then case b.what when 'calls' then 'All dialling' when 'messages' then 'All messages' else 'All dialling and messages' end
             when 'dialer' then (select name from dialer where id = b.target_id)
             when 'trunk' then (select name from trunk where id = b.target_id)
             when 'gateway' then (select name from sms_gateway where id = b.target_id)
             when 'account' then (select username from users where id = b.target_id) end, b.kind || ' ' || b.target_id) as target
      from dial_block b join users u on u.id = b.by_user_id
     where b.lifted_at is null order by b.id desc`.execute(db)
  return rows
}

/** Which open stops concern which of these accounts (see stopsOf in actions.ts), oldest first. */
export async function concerned(db: Db, userIds: readonly number[]): Promise<{ userId: number; blockId: number }[]> {
  const { rows } = await sql<{ userId: number; blockId: number }>`
    select u.id as "userId", b.id as "blockId"
      from dial_block b join users u on u.id = any (${userIds})
     where b.lifted_at is null
       and case b.kind when 'platform' then true when 'account' then b.target_id = any (u.path)
             when 'gateway' then u.role = 'superAdmin' else u.role = 'superAdmin' or exists (
               select from cli_holder h join cli c on c.id = h.cli_id join trunk t on t.id = c.trunk_id
                where h.account_id = u.id and c.deleted_at is null and t.deleted_at is null
                  and b.target_id = case b.kind when 'trunk' then t.id else t.dialer_id end) end
     order by b.id`.execute(db)
  return rows
}

export type CallEffect = { running: number; toBegin: number; calls: number; underWay: number; elsewhere: number }

/**
 * Campaigns that dial over or for the target, both running and not yet started. `calls` are those not made yet. `elsewhere` are campaigns that continue over
 * other trunks of their route. The other figures leave them out.
 */
export async function dialEffect(db: Db, kind: DialBlockKind, targetId: number | null): Promise<CallEffect> {
  const concerns = {
    platform: sql`true`,
    dialer: sql`(c.dialer_id = ${targetId} or c.is_shared and ${has(sql`t.dialer_id = ${targetId}`)})`,
    trunk: sql`(c.trunk_id = ${targetId} and i.route_id is null or exists (select from call_route_step s where s.route_id = i.route_id and s.trunk_id = ${targetId}))`,
    account: belongsTo(targetId),
    gateway: sql`false`,
  }[kind]
  const goesOn =
    kind === 'trunk'
      ? goesOnWithout(sql`m.id = ${targetId}`)
      : kind === 'dialer'
        ? sql`c.is_shared and ${goesOnWithout(sql`m.dialer_id = ${targetId}`)}`
        : sql`false`
  const underWay =
    kind === 'trunk'
      ? sql`(select count(*) from attempt_open o where o.trunk_id = ${targetId})`
      : kind === 'dialer'
        ? sql`(select count(*) from attempt_open o where o.dialer_id = ${targetId})`
        : sql`coalesce(sum(in_call), 0)`
  const { rows } = await sql<CallEffect>`
    select (count(*) filter (where not goes_on and status in ('running', 'resuming')))::int as running,
           (count(*) filter (where not goes_on and status in ('processing', 'ready')))::int as "toBegin",
           coalesce(sum(calls) filter (where not goes_on), 0)::int as calls, ${underWay}::int as "underWay",
           (count(*) filter (where goes_on))::int as elsewhere
      from (select c.status, p.fresh + p.waiting as calls, p.in_call, ${goesOn} as goes_on
              from campaign c join campaign_progress p on p.campaign_id = c.id join cli i on i.id = c.cli_id
             where c.status not in ('complete', 'cancelled', 'refused', 'failed')
               and c.status in ('processing', 'ready', 'running', 'resuming') and ${concerns}) concerned`.execute(db)
  return rows[0] ?? { running: 0, toBegin: 0, calls: 0, underWay: 0, elsewhere: 0 }
}

type MessageEffect = { running: number; toBegin: number; waiting: number; underWay: number }

/** SMS campaigns of the account or all, running and not yet started; `waiting` are the messages not sent yet. */
export async function messageEffect(db: Db, accountId: number | null): Promise<MessageEffect> {
  const concerns = accountId === null ? sql`true` : belongsTo(accountId)
  const { rows } = await sql<MessageEffect>`
    select (count(*) filter (where c.status in ('running', 'resuming')))::int as running,
           (count(*) filter (where c.status in ('processing', 'ready')))::int as "toBegin",
           coalesce(sum(c.fresh + c.waiting), 0)::int as waiting, coalesce(sum(c.in_flight), 0)::int as "underWay"
      from sms_campaign_progress c where c.status in ('processing', 'ready', 'running', 'resuming') and ${concerns}`.execute(
    db,
  )
  return rows[0] ?? { running: 0, toBegin: 0, waiting: 0, underWay: 0 }
}

export async function gatewayEffect(db: Db, gatewayId: number): Promise<MessageEffect> {
  const { rows } = await sql<{ underWay: number }>`
    select count(*)::int as "underWay" from sms_open where gateway_id = ${gatewayId} and unknown_at is null`.execute(db)
  return { running: 0, toBegin: 0, waiting: 0, underWay: rows[0]?.underWay ?? 0 }
}

/** Whether the route of the caller ID i has, for each operator of such trunks m, another one that nobody stopped. */
const goesOnWithout = (condition: RawBuilder<unknown>) => sql`coalesce((
  select bool_and(exists (select from call_route_step s join trunk m on m.id = s.trunk_id where s.route_id = i.route_id and not (${condition}) and m.deleted_at is null
      and (s.operators is null or operator = any (s.operators))
      and not exists (select from dial_block b where b.lifted_at is null and (b.kind = 'trunk' and b.target_id = m.id or b.kind = 'dialer' and b.target_id = m.dialer_id))))
    from call_route_step own join trunk m on m.id = own.trunk_id, unnest(coalesce(own.operators, '{0,1,2,3}')) operator where own.route_id = i.route_id and ${condition}), false)`

/** Whether the route of the caller ID i has such a trunk t. */
const has = (condition: RawBuilder<unknown>) =>
  sql`exists (select from call_route_step s join trunk t on t.id = s.trunk_id where s.route_id = i.route_id and t.deleted_at is null and ${condition})`

const belongsTo = (accountId: number | null) =>
  sql`c.account_id in (select id from users where path @> array[${accountId}::int])`

export async function targetExists(tx: Db, kind: Exclude<DialBlockKind, 'platform'>, id: number): Promise<boolean> {
  const query = {
    dialer: sql`select from dialer where id = ${id} and deleted_at is null`,
    trunk: sql`select from trunk where id = ${id} and deleted_at is null`,
    account: sql`select from users where id = ${id} and deleted_at is null and role <> 'superAdmin'`,
    gateway: sql`select from sms_gateway where id = ${id} and deleted_at is null`,
  }[kind]
  return (await query.execute(tx)).rows.length > 0
}

export async function targets(
  db: Db,
  kind: Exclude<DialBlockKind, 'platform'>,
  search: string,
): Promise<{ targetId: number; target: string }[]> {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const source = {
    dialer: sql`select id as "targetId", name as target from dialer where deleted_at is null`,
    trunk: sql`select id as "targetId", name as target from trunk where deleted_at is null`,
    account: sql`select id as "targetId", username as target from users where deleted_at is null and role <> 'superAdmin'`,
    gateway: sql`select id as "targetId", name as target from sms_gateway where deleted_at is null`,
  }[kind]
  const { rows } = await sql<{ targetId: number; target: string }>`
    select * from (${source}) t where lower(target) like ${pattern} order by target limit 50`.execute(db)
  return rows
}

/** The new id; undefined when the same, or more, is stopped already. */
export async function insertBlock(
  tx: Tx,
  block: { kind: DialBlockKind; what: Stopped; targetId: number | null; reason: string; byUserId: number },
): Promise<number | undefined> {
  const { kind, what, targetId, reason, byUserId } = block
  const { rows } = await sql<{ id: number }>`
    insert into dial_block (kind, what, target_id, reason, by_user_id)
    select ${kind}, ${what}, ${targetId}::int, ${reason}, ${byUserId}::int
     where not exists (select from dial_block b where b.lifted_at is null and b.kind = ${kind}
       and b.target_id is not distinct from ${targetId}::int and b.what = 'all')
    on conflict do nothing returning id`.execute(tx)
  return rows[0]?.id
}

export async function liftBlock(tx: Tx, lift: { id: number; byUserId: number; at: Date }): Promise<boolean> {
  const lifted = await tx
    .updateTable('dial_block')
    .set({ lifted_at: lift.at, lifted_by: lift.byUserId })
    .where('id', '=', lift.id)
    .where('lifted_at', 'is', null)
    .executeTakeFirst()
  return lifted.numUpdatedRows === 1n
}

export async function findBlock(tx: Tx, id: number): Promise<{ kind: string; target_id: number | null } | undefined> {
  return tx.selectFrom('dial_block').select(['kind', 'target_id']).where('id', '=', id).executeTakeFirst()
}

export async function setting(db: Db, key: string): Promise<unknown> {
  const row = await db.selectFrom('platform_setting').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
}

export async function writeSetting(
  tx: Tx,
  line: { key: string; value: unknown; byUserId: number | null },
): Promise<void> {
  await sql`
    insert into platform_setting (key, value, changed_by) values (${line.key}, ${JSON.stringify(line.value)}::jsonb, ${line.byUserId}::int)
    on conflict (key) do update set value = excluded.value, changed_by = excluded.changed_by, changed_at = now()`.execute(
    tx,
  )
}

/** Those that the system has set at its first start, and nobody since. */
export async function deleteSystemSettings(tx: Tx): Promise<void> {
  await tx.deleteFrom('platform_setting').where('changed_by', 'is', null).execute()
}

/** The hours given to this account or the nearest one above; undefined: the platform's apply. */
export async function accountHours(db: Db, accountId: number): Promise<unknown> {
  const { rows } = await sql<{ hours: unknown }>`
    select h.hours from users me join users u on u.id = any (me.path) join account_calling_hours h on h.account_id = u.id
     where me.id = ${accountId} order by cardinality(u.path) desc limit 1`.execute(db)
  return rows[0]?.hours
}

/** `number_day` belongs to the engine and has a row per number and calling account; account 0 has what the number got as an agent. */
export async function numbersOver(
  db: Db,
  caps: { answered: number; attempted: number; platform: number },
): Promise<number> {
  const { rows } = await sql<{ numbers: number }>`
    select count(*)::int as numbers from (
      select from number_day where day = nepal_day(now()) group by phone
      having max(answered) > ${caps.answered}::int or max(tried) filter (where account_id <> 0) > ${caps.attempted}::int or sum(tried) > ${caps.platform}::int) over_caps`.execute(
    db,
  )
  return rows[0]?.numbers ?? 0
}
