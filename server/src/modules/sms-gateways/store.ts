import type { SmsDriverName } from '@ghanti/contract/sms-gateways.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { containing, readPage } from '../../db/lists/list.ts'
import type { SmsGateway, SmsGatewayTest } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'

export type Gateway = Selectable<SmsGateway>
/** `bound` null: no engine is connected with it. */
type Seen = {
  bound: boolean | null
  window_used: number | null
  per_second: number | null
  waiting: number | null
  held_reason: string | null
  last_error: string | null
  last_error_at: Date | null
}
export type GatewayListed = Gateway & Seen & { routes: number }

const keys = {
  gatewayId: sql.ref('sms_gateway.id'),
  gatewayName: sql`lower(sms_gateway.name)`,
  driver: sql.ref('sms_gateway.driver'),
}

const isIn = {
  disabled: sql<boolean>`not sms_gateway.enabled`,
  held: sql<boolean>`(sms_gateway.enabled and sms_gateway_state.held_since is not null)`,
  bound: sql<boolean>`(sms_gateway.enabled and sms_gateway_state.held_since is null and sms_gateway_state.bound is true)`,
  unbound: sql<boolean>`(sms_gateway.enabled and sms_gateway_state.held_since is null and sms_gateway_state.bound is not true)`,
}
type Filter = {
  driver?: readonly SmsDriverName[] | undefined
  state?: readonly (keyof typeof isIn)[] | undefined
}

export function list(db: Db, { driver, state }: Filter, query: ListQuery): Promise<Page<GatewayListed>> {
  let rows = db
    .selectFrom('sms_gateway')
    .leftJoin('sms_gateway_state', (on) =>
      on
        .onRef('sms_gateway_state.gateway_id', '=', 'sms_gateway.id')
        .on('sms_gateway_state.seen_at', '>', sql<Date>`now() - interval '10 seconds'`),
    )
    .selectAll('sms_gateway')
    .select([
      'sms_gateway_state.bound',
      'sms_gateway_state.window_used',
      'sms_gateway_state.per_second',
      'sms_gateway_state.waiting',
      'sms_gateway_state.held_reason',
      'sms_gateway_state.last_error',
      'sms_gateway_state.last_error_at',
      sql<number>`(select count(*)::int from sms_route_step s where s.gateway_id = sms_gateway.id)`.as('routes'),
    ])
    .where('sms_gateway.deleted_at', 'is', null)
  if (driver) rows = rows.where('sms_gateway.driver', 'in', driver)
  if (state) rows = rows.where((where) => where.or(state.map((name) => isIn[name])))
  if (query.search) rows = rows.where(sql`lower(sms_gateway.name)`, 'like', containing(query.search.toLowerCase()))
  return readPage(db, rows, query, { keys, id: sql.ref('sms_gateway.id'), fallback: '-gatewayId' })
}

export function find(db: Db, id: number): Promise<Gateway | undefined> {
  return db
    .selectFrom('sms_gateway')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Null where nothing was counted yet. */
export type ReceiptCounts = {
  receipts: number | null
  repeated: number | null
  unmatched: number | null
  not_understood: number | null
  samples: unknown
}

export function receiptsOf(db: Db, gatewayId: number): Promise<ReceiptCounts> {
  return db
    .selectFrom('sms_gateway')
    .leftJoin('sms_gateway_count as c', 'c.gateway_id', 'sms_gateway.id')
    .leftJoin('sms_not_understood as u', 'u.gateway_id', 'sms_gateway.id')
    .select(['c.receipts', 'c.repeated', 'c.unmatched', 'u.receipts as not_understood', 'u.samples'])
    .where('sms_gateway.id', '=', gatewayId)
    .executeTakeFirstOrThrow()
}

export type CallableGateway = Pick<Gateway, 'secrets_sealed' | 'settings'>

/** The gateways over HTTP, which may call back: a few, since the platform's operators create them. */
export async function callable(db: Db): Promise<Map<number, CallableGateway>> {
  const rows = await db
    .selectFrom('sms_gateway')
    .select(['id', 'secrets_sealed', 'settings'])
    .where('driver', '=', 'http')
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, ...gateway }) => [id, gateway]))
}

/** Nobody adds a route through it meanwhile. */
export function lock(tx: Tx, id: number): Promise<Gateway | undefined> {
  return tx
    .selectFrom('sms_gateway')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function hold(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const rows = await tx
    .selectFrom('sms_gateway')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  return rows.map(({ id }) => id)
}

/** Until the transaction ends, nobody else creates or changes a gateway: two could otherwise take one login. */
export async function lockLogins(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('logins of gateways'))`.execute(tx)
}

export function withLogin(
  tx: Tx,
  { systemId, exceptId }: { systemId: string; exceptId: number | null },
): Promise<{ name: string; driver: SmsDriverName; settings: unknown }[]> {
  return tx
    .selectFrom('sms_gateway')
    .select(['name', 'driver', 'settings'])
    .where('driver', '=', 'smpp')
    .where('deleted_at', 'is', null)
    .where(sql`settings ->> 'systemId'`, '=', systemId)
    .where(sql<boolean>`id is distinct from ${exceptId}`)
    .orderBy('id')
    .execute()
}

export async function insert(tx: Tx, gateway: Insertable<SmsGateway>): Promise<number> {
  const { id } = await tx.insertInto('sms_gateway').values(gateway).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function update(tx: Tx, id: number, change: Updateable<SmsGateway>): Promise<void> {
  await tx.updateTable('sms_gateway').set(change).where('id', '=', id).execute()
}

export function routesThrough(tx: Tx, gatewayId: number): Promise<{ operators: number[]; sender: string | null }[]> {
  return tx
    .selectFrom('sms_route')
    .innerJoin('sms_route_step', 'sms_route_step.route_id', 'sms_route.id')
    .select(['sms_route.operators', 'sms_route.sender'])
    .where('sms_route_step.gateway_id', '=', gatewayId)
    .orderBy('sms_route.id')
    .execute()
}

/** Messages sent to it and not answered yet. Those whose answer is lost are resolved without it. */
export async function inFlight(tx: Tx, gatewayId: number): Promise<number> {
  const { messages } = await tx
    .selectFrom('sms_open')
    .select(({ fn }) => fn.countAll<number>().as('messages'))
    .where('gateway_id', '=', gatewayId)
    .where('unknown_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(messages)
}

export async function isHeldByEngine(tx: Tx, gatewayId: number): Promise<boolean> {
  const { rows } = await sql`
    select from sms_gateway_state where gateway_id = ${gatewayId} and seen_at > now() - interval '10 seconds'`.execute(
    tx,
  )
  return rows.length > 0
}

const overdue = sql<boolean>`(state = 'waiting'
  and case when taken_at is null then asked_at < now() - interval '10 seconds' else taken_at < now() - interval '3 minutes' end)`
/** `overdue`: no engine took it in time, or the one that did has gone. */
export type GatewayTestRow = Selectable<SmsGatewayTest> & { overdue: boolean }

export async function isTesting(tx: Tx, gatewayId: number): Promise<boolean> {
  const test = await tx
    .selectFrom('sms_gateway_test')
    .select('id')
    .where('gateway_id', '=', gatewayId)
    .where('state', '=', 'waiting')
    .where(sql<boolean>`not ${overdue}`)
    .executeTakeFirst()
  return test !== undefined
}

export async function insertTest(tx: Tx, test: Insertable<SmsGatewayTest>): Promise<number> {
  const { id } = await tx.insertInto('sms_gateway_test').values(test).returning('id').executeTakeFirstOrThrow()
  return id
}

export function findTest(db: Db, id: number): Promise<GatewayTestRow | undefined> {
  return db
    .selectFrom('sms_gateway_test')
    .selectAll()
    .select(overdue.as('overdue'))
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Deletes tests after a month: they contain numbers and texts. */
export async function forgetOldTests(db: Db): Promise<void> {
  await db
    .deleteFrom('sms_gateway_test')
    .where('asked_at', '<', sql<Date>`now() - interval '30 days'`)
    .execute()
}
