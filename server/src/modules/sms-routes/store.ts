import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { containing, readPage } from '../../db/lists/list.ts'

export type Step = { gatewayId: number; priority: number; weight: number }
export type StepListed = Step & { gatewayName: string; enabled: boolean; works: boolean | null }
export type Route = { id: number; operators: number[]; sender: string | null }

const keys = { routeId: sql.ref('sms_route.id'), cliName: sql`lower(coalesce(sms_route.sender, ''))` }

export function list(db: Db, query: ListQuery) {
  let rows = db
    .selectFrom('sms_route')
    .select(['sms_route.id', 'sms_route.operators', 'sms_route.sender'])
    .select(
      sql<StepListed[]>`(
        select json_agg(json_build_object('gatewayId', g.id, 'gatewayName', g.name, 'priority', s.priority, 'weight', s.weight, 'enabled', g.enabled,
                 'works', n.bound and n.held_since is null) order by s.priority, s.weight desc, g.id)
          from sms_route_step s join sms_gateway g on g.id = s.gateway_id
          left join sms_gateway_state n on n.gateway_id = g.id and n.seen_at > now() - interval '10 seconds'
         where s.route_id = sms_route.id)`.as('steps'),
    )
  if (query.search) {
    const pattern = containing(query.search.toLowerCase())
    rows = rows.where(
      sql<boolean>`(lower(sms_route.sender) like ${pattern} or exists (select from sms_route_step s join sms_gateway g on g.id = s.gateway_id
        where s.route_id = sms_route.id and lower(g.name) like ${pattern}))`,
    )
  }
  return readPage(db, rows, query, { keys, id: sql.ref('sms_route.id'), fallback: '-routeId' })
}

/** Until the transaction ends, nobody else changes a route: two could otherwise give one operator's messages two routes. */
export async function lockAll(tx: Tx): Promise<void> {
  await sql`lock table sms_route in share row exclusive mode`.execute(tx)
}

export function find(tx: Tx, id: number): Promise<Route | undefined> {
  return tx.selectFrom('sms_route').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function taken(tx: Tx, { id, operators, sender }: Omit<Route, 'id'> & { id: number | null }) {
  const { rows } = await sql<{ operator: number }>`
    select distinct operator from sms_route r, unnest(r.operators) as operator
     where r.id is distinct from ${id}::int and lower(r.sender) is not distinct from lower(${sender}::text)
       and operator = any (${operators}::smallint[]) order by operator`.execute(tx)
  return rows.map(({ operator }) => operator)
}

export async function insert(tx: Tx, route: Omit<Route, 'id'>, steps: readonly Step[]): Promise<number> {
  const { id } = await tx.insertInto('sms_route').values(route).returning('id').executeTakeFirstOrThrow()
  await insertSteps(tx, id, steps)
  return id
}

export async function update(tx: Tx, { id, ...route }: Route, steps: readonly Step[]): Promise<void> {
  await tx.updateTable('sms_route').set(route).where('id', '=', id).execute()
  await tx.deleteFrom('sms_route_step').where('route_id', '=', id).execute()
  await insertSteps(tx, id, steps)
}

async function insertSteps(tx: Tx, routeId: number, steps: readonly Step[]): Promise<void> {
  const values = steps.map(({ gatewayId, ...step }) => ({ route_id: routeId, gateway_id: gatewayId, ...step }))
  await tx.insertInto('sms_route_step').values(values).execute()
}

export async function remove(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('sms_route').where('id', '=', id).execute()
}

/** Segments per second: of the gateways that are the first step for a sender ID, and of the sender ID's own limit. */
export async function ratesOf(db: Db, sender: string): Promise<{ gateways: number; sender: number | null }> {
  const { rows } = await sql<{ gateways: number; sender: number | null }>`
    select coalesce((select sum((g.settings ->> 'tps')::int) from sms_gateway g where g.enabled and g.deleted_at is null and exists (
             select from sms_route r join sms_route_step s on s.route_id = r.id
              where (r.sender is null or lower(r.sender) = lower(${sender})) and s.gateway_id = g.id
                and s.priority = (select min(o.priority) from sms_route_step o join sms_gateway w on w.id = o.gateway_id and w.enabled and w.deleted_at is null
                                   where o.route_id = r.id))), 0)::int as gateways,
           (select min(e.tps) from sms_sender e where lower(e.name) = lower(${sender}) and e.deleted_at is null and e.status = 'approved') as sender`.execute(
    db,
  )
  return rows[0] ?? { gateways: 0, sender: null }
}
