import type { ListQuery } from '@ghanti/contract/route.ts'
import type { Operator } from '@ghanti/contract/operators.ts'
import { codesOf } from '@ghanti/contract/sms-senders.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { containing, readPage } from '../../db/lists/list.ts'
import { isSeenRecently } from '../../db/seen-recently.ts'

export type Step = {
  trunkId: number
  priority: number
  weight: number
  costPaisa: number
  /** Empty: the numbers of all operators. */
  operators: readonly Operator[]
}
type StepListed = Omit<Step, 'operators'> & {
  operators: number[] | null
  trunkName: string
  dialerName: string
  works: boolean | null
}

const keys = { routeId: sql.ref('call_route.id'), routeName: sql`lower(call_route.name)` }

export function list(db: Db, query: ListQuery) {
  let rows = db
    .selectFrom('call_route')
    .select(['call_route.id as routeId', 'call_route.name as routeName'])
    .select([
      sql<string>`(select string_agg(distinct d.name, ', ') from call_route_step s join trunk t on t.id = s.trunk_id join dialer d on d.id = t.dialer_id
         where s.route_id = call_route.id)`.as('dialerName'),
      sql<number>`(select count(*)::int from cli where cli.route_id = call_route.id and cli.deleted_at is null)`.as(
        'cliCount',
      ),
      sql<StepListed[]>`(
        select json_agg(json_build_object('trunkId', t.id, 'trunkName', t.name, 'dialerName', dialer.name, 'priority', s.priority, 'weight', s.weight, 'costPaisa', s.cost_paisa, 'operators', s.operators,
                 'works', case when trunk_state.trunk_id is not null then h.held_since is null and trunk_state.unusable is null and trunk_state.reachable is not false end)
                 order by s.priority, s.cost_paisa, s.weight desc, t.id)
          from call_route_step s join trunk t on t.id = s.trunk_id join dialer on dialer.id = t.dialer_id left join trunk_health h on h.trunk_id = t.id
          left join trunk_state on trunk_state.trunk_id = t.id and ${isSeenRecently('trunk_state.seen_at')}
         where s.route_id = call_route.id)`.as('steps'),
    ])
  if (query.search) {
    const pattern = containing(query.search.toLowerCase())
    rows = rows.where(
      sql<boolean>`(lower(call_route.name) like ${pattern} or exists (select from call_route_step s join trunk t on t.id = s.trunk_id
        where s.route_id = call_route.id and lower(t.name) like ${pattern}))`,
    )
  }
  return readPage(db, rows, query, { keys, id: sql.ref('call_route.id'), fallback: '-routeId' })
}

/** The dialer of each of these trunks, which can neither be deleted nor moved meanwhile. */
export async function holdTrunks(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await tx
    .selectFrom('trunk')
    .select('id')
    .where(sql<boolean>`id = any (${ids}::int[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export function lock(tx: Tx, id: number): Promise<{ name: string } | undefined> {
  return tx.selectFrom('call_route').select('name').where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function hold(tx: Tx, id: number): Promise<{ name: string; trunkIds: number[] } | undefined> {
  const route = await tx.selectFrom('call_route').select('name').where('id', '=', id).forShare().executeTakeFirst()
  if (!route) return undefined
  const steps = await tx.selectFrom('call_route_step').select('trunk_id').where('route_id', '=', id).execute()
  return { name: route.name, trunkIds: steps.map(({ trunk_id }) => trunk_id) }
}

const clisShown = 4

/** The first few caller IDs that have the route, or those of them whose trunk is none of `but`. */
export async function clisOf(tx: Tx, routeId: number, but: readonly number[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('cli')
    .select('number')
    .where('route_id', '=', routeId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`coalesce(trunk_id <> all (${but}::int[]), ${but.length === 0})`)
    .orderBy('number')
    .limit(clisShown)
    .execute()
  return rows.map(({ number }) => number)
}

export async function insert(tx: Tx, name: string, steps: readonly Step[]): Promise<number> {
  const { id } = await tx.insertInto('call_route').values({ name }).returning('id').executeTakeFirstOrThrow()
  await putSteps(tx, id, steps)
  return id
}

export async function update(tx: Tx, id: number, name: string, steps: readonly Step[]): Promise<void> {
  await tx.updateTable('call_route').set({ name }).where('id', '=', id).execute()
  await putSteps(tx, id, steps)
  await sql`delete from call_route_step where route_id = ${id} and trunk_id <> all (${steps.map(({ trunkId }) => trunkId)}::int[])`.execute(
    tx,
  )
}

/** Steps that stay are never deleted in between, because caller IDs refer to them. */
async function putSteps(tx: Tx, routeId: number, steps: readonly Step[]): Promise<void> {
  await tx
    .insertInto('call_route_step')
    .values(
      steps.map(({ trunkId, costPaisa, operators, ...step }) => ({
        route_id: routeId,
        trunk_id: trunkId,
        cost_paisa: costPaisa,
        operators: operators.length === 0 ? null : codesOf(operators),
        ...step,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['route_id', 'trunk_id']).doUpdateSet((eb) => ({
        priority: eb.ref('excluded.priority'),
        weight: eb.ref('excluded.weight'),
        cost_paisa: eb.ref('excluded.cost_paisa'),
        operators: eb.ref('excluded.operators'),
      })),
    )
    .execute()
}

/** Deleted caller IDs keep no route. */
export async function remove(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('cli').set({ route_id: null }).where('route_id', '=', id).execute()
  await tx.deleteFrom('call_route').where('id', '=', id).execute()
}

export async function routesOver(tx: Tx, trunkId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('call_route_step')
    .innerJoin('call_route', 'call_route.id', 'call_route_step.route_id')
    .select('call_route.name')
    .where('call_route_step.trunk_id', '=', trunkId)
    .orderBy('call_route.name')
    .execute()
  return rows.map(({ name }) => name)
}
