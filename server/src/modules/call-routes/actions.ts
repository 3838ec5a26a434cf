import type { Tx } from '../../db/db.ts'
import { refuseTaken } from '../../db/unique-conflict.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { namesOf } from '../../lib/list-of-names.ts'
import { audit } from '../audit/actions.ts'
import { requireShown } from '../shown-clis/actions.ts'
import { callRouteWords as words, uncovered } from './rules.ts'
import * as store from './store.ts'

type Way = { routeName: string; steps: readonly store.Step[] }

const taken = (value: string) => ({ constraint: 'call_route_name', field: 'routeName', value })
const forAudit = ({ routeName, steps }: Way) => ({
  name: routeName,
  trunks: steps.map(
    ({ trunkId, priority, weight, costPaisa, operators }) =>
      `${trunkId} (${[priority, weight, `${costPaisa} paisa`, ...operators].join(', ')})`,
  ),
})

export async function createRoute(ctx: Ctx, way: Way): Promise<number> {
  return ctx.app.db.transaction().execute(async (tx) => {
    await requireTrunks(tx, way.steps)
    const routeId = await refuseTaken(taken(way.routeName), () => store.insert(tx, way.routeName, way.steps))
    await audit(tx, ctx, 'callRoute.create', `call route ${routeId}`, forAudit(way))
    return routeId
  })
}

/** The engine applies it within a second, to campaigns under way as well. */
export async function updateRoute(ctx: Ctx, routeId: number, way: Way): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    await requireTrunks(tx, way.steps)
    if (!(await store.lock(tx, routeId))) throw new AppError('not_found')
    const trunkIds = way.steps.map(({ trunkId }) => trunkId)
    const needed = await store.clisOf(tx, routeId, trunkIds)
    if (needed.length > 0) throw conflict('steps', words.needed(namesOf(needed)), 'in_use')
    await requireShown(tx, 'steps', trunkIds, { routeId })
    await refuseTaken(taken(way.routeName), () => store.update(tx, routeId, way.routeName, way.steps))
    await audit(tx, ctx, 'callRoute.update', `call route ${routeId}`, forAudit(way))
  })
}

export async function deleteRoute(ctx: Ctx, routeId: number): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    const route = await store.lock(tx, routeId)
    if (!route) throw new AppError('not_found')
    const clis = await store.clisOf(tx, routeId, [])
    if (clis.length > 0) throw conflict('routeId', words.inUse(namesOf(clis)), 'in_use')
    await store.remove(tx, routeId)
    await audit(tx, ctx, 'callRoute.delete', `call route ${routeId}`, { name: route.name })
  })
}

/** Checks that the trunks exist. Locks them before the route, as deleting a trunk does. */
async function requireTrunks(tx: Tx, steps: readonly store.Step[]): Promise<void> {
  const held = await store.holdTrunks(
    tx,
    steps.map(({ trunkId }) => trunkId),
  )
  const missing = steps.findIndex(({ trunkId }) => !held.has(trunkId))
  if (missing !== -1) throw badField(`steps.${missing}.trunkId`, words.noTrunk, 'not_found')
  const without = uncovered(steps)
  if (without.length > 0) throw badField('steps', words.uncovered(without), 'operator_missing')
}

/** Throws when the route lacks this trunk. Called before a caller ID gets this route or another trunk. */
export async function requireTrunkInRoute(
  tx: Tx,
  field: string,
  { routeId, trunk }: { routeId: number; trunk: { id: number; name: string } | null },
): Promise<string> {
  const route = await store.hold(tx, routeId)
  if (!route) throw badField(field, 'is no route', 'not_found')
  if (!trunk) throw conflict(field, words.withoutTrunk, 'no_trunk')
  if (!route.trunkIds.includes(trunk.id)) throw conflict(field, words.hasNotTrunk(trunk.name), 'other_trunk')
  return route.name
}

export function routesOver(tx: Tx, trunkId: number): Promise<string[]> {
  return store.routesOver(tx, trunkId)
}
