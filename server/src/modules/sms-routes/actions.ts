import { operatorLabel, type Operator } from '@ghanti/contract/operators.ts'
import { codesOf, operatorsOf } from '@ghanti/contract/sms-senders.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { holdGateways } from '../sms-gateways/actions.ts'
import { routeName } from '../sms-gateways/rules.ts'
import { routeWords as words } from './rules.ts'
import * as store from './store.ts'

export type Way = {
  operators: readonly Operator[]
  cliName?: string | undefined
  steps: readonly store.Step[]
}

export async function createRoute(ctx: Ctx, way: Way): Promise<number> {
  return ctx.app.db.transaction().execute(async (tx) => {
    const route = await checked(tx, null, way)
    const routeId = await store.insert(tx, route, way.steps)
    await audit(tx, ctx, 'route.create', `route ${routeId}`, forAudit(route, way))
    return routeId
  })
}

export async function updateRoute(ctx: Ctx, routeId: number, way: Way): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    const route = await checked(tx, routeId, way)
    await store.update(tx, { id: routeId, ...route }, way.steps)
    await audit(tx, ctx, 'route.update', `route ${routeId}`, forAudit(route, way))
  })
}

/** Checks the route with the table locked, so that an operator's messages of one sender ID have one route, through gateways that exist. */
async function checked(tx: Tx, id: number | null, { operators: wanted, cliName, steps }: Way) {
  const gatewayIds = steps.map(({ gatewayId }) => gatewayId)
  const there = new Set(await holdGateways(tx, gatewayIds)) // before the table, in the order in which deleting a gateway locks them
  await store.lockAll(tx)
  if (id !== null && !(await store.find(tx, id))) throw new AppError('not_found')
  const missing = gatewayIds.findIndex((gatewayId) => !there.has(gatewayId))
  if (missing !== -1) throw badField(`steps.${missing}.gatewayId`, words.noGateway, 'not_found')
  const route = { operators: codesOf(wanted), sender: cliName ?? null }
  const taken = await store.taken(tx, { id, ...route })
  if (taken.length > 0) {
    const named = operatorsOf(taken).map((operator) => operatorLabel[operator])
    throw conflict('operators', words.overlaps(named.join(', '), route.sender), 'taken')
  }
  return route
}

const forAudit = (route: { operators: number[]; sender: string | null }, { steps }: Way) => ({
  name: routeName(route),
  gateways: steps.map(({ gatewayId, priority, weight }) => `${gatewayId} (${priority}, ${weight})`),
})

export async function deleteRoute(ctx: Ctx, routeId: number): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    await store.lockAll(tx)
    const route = await store.find(tx, routeId)
    if (!route) throw new AppError('not_found')
    await store.remove(tx, routeId)
    await audit(tx, ctx, 'route.delete', `route ${routeId}`, { name: routeName(route) })
  })
}

/** Segments per second that a sender ID can have through current gateways and routes; 0 when nothing carries them. */
export async function sendingRate(db: Db, sender: string): Promise<number> {
  const rates = await store.ratesOf(db, sender)
  return Math.min(rates.gateways, rates.sender ?? Infinity)
}
