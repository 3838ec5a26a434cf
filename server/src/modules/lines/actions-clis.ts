import type { lineRoutes } from '@ghanti/contract/lines.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { requireTrunkInRoute } from '../call-routes/actions.ts'
import { requireRouteShows, requireShown } from '../shown-clis/actions.ts'
import { groupWords } from './rules-groups.ts'
import { usedBy } from './rules.ts'
import * as store from './store-clis.ts'
import { groupsOf, putMembers } from './store-groups.ts'

export async function addCli(ctx: Ctx, { cli, channels, trunkName }: InputOf<typeof lineRoutes.add>): Promise<number> {
  return ctx.app.db.transaction().execute(async (tx) => {
    const trunkId = await requireTrunk(tx, trunkName)
    const cliId = await store.insertCli(tx, { number: cli, channels, trunk_id: trunkId, pool: 'dedicated' })
    if (cliId === undefined) throw conflict('cli', `'${cli}' is taken`, 'taken')
    await requireShown(tx, 'cli', [trunkId], { cliIds: [cliId] })
    await audit(tx, ctx, 'cli.add', `cli ${cliId}`, { cli, channels, trunkName })
    return cliId
  })
}

/** A CLI moves to another trunk only while no campaign uses it, because a campaign stays on the trunk it was composed for. */
export async function updateCli(ctx: Ctx, input: InputOf<typeof lineRoutes.update>): Promise<void> {
  const { cliId, channels, trunkName } = input
  await ctx.app.db.transaction().execute(async (tx) => {
    const trunkId = trunkName === undefined ? null : await requireTrunk(tx, trunkName)
    const [before] = await store.lockClis(tx, [cliId])
    if (!before) throw new AppError('not_found')
    if (before.is_group) throw conflict('cliId', groupWords.changedAsGroup, 'is_group')
    if (trunkId !== before.trunk_id) {
      await refuseInUse(tx, cliId, 'trunkName')
      const trunk = trunkId === null || trunkName === undefined ? null : { id: trunkId, name: trunkName }
      await requireTrunkOfRoute(tx, before.route_id, trunk)
    }
    await store.updateCli(tx, cliId, { channels, trunk_id: trunkId })
    if (trunkId !== null) await requireShown(tx, 'trunkName', [trunkId], { cliIds: [cliId] })
    await audit(tx, ctx, 'cli.update', `cli ${cliId}`, { cli: before.number, channels, trunkName: trunkName ?? null })
  })
}

/** Sets which trunks carry its calls from now on, including those of running campaigns. `routeId` undefined: its own trunk alone. */
export async function routeCli(ctx: Ctx, { cliId, routeId }: InputOf<typeof lineRoutes.route>): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    const trunk = await store.trunkOf(tx, cliId)
    const routeName =
      routeId === undefined ? null : await requireTrunkInRoute(tx, 'routeId', { routeId, trunk: trunk ?? null })
    const [cli] = await store.lockClis(tx, [cliId])
    if (!cli) throw new AppError('not_found')
    if (routeId !== undefined && cli.trunk_id !== trunk?.id)
      throw conflict('routeId', 'was not set: its trunk was changed at the same moment', 'changed')
    await store.updateCli(tx, cliId, { route_id: routeId ?? null })
    await requireRouteShows(tx, cliId)
    await audit(tx, ctx, 'cli.route', `cli ${cliId}`, { cli: cli.number, routeName })
  })
}

/** Ends every allocation; the number can be added again, and the name of a group too. */
export async function removeCli(ctx: Ctx, cliId: number): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    const [cli] = await store.lockClis(tx, [cliId])
    if (!cli) throw new AppError('not_found')
    await refuseInUse(tx, cliId, 'cliId')
    const groups = await groupsOf(tx, cliId)
    if (groups.length > 0) throw conflict('cliId', groupWords.inGroups(groups), 'in_use')
    if (cli.is_group) await putMembers(tx, cliId, [])
    const holders = (await store.holdingsOf(tx, [cliId])).map(({ accountId }) => accountId)
    await store.deleteHoldings(tx, cliId, holders)
    await store.updateCli(tx, cliId, { deleted_at: ctx.app.clock.now() })
    await audit(tx, ctx, 'cli.delete', `cli ${cliId}`, { cli: cli.number, holders })
  })
}

export async function requireTrunk(tx: Tx, name: string): Promise<number> {
  const trunk = (await store.holdTrunks(tx, [name])).get(name.toLowerCase())
  if (!trunk) throw badField('trunkName', 'is not a trunk', 'not_found')
  return trunk.id
}

export async function requireTrunkOfRoute(
  tx: Tx,
  routeId: number | null,
  trunk: { id: number; name: string } | null,
): Promise<void> {
  if (routeId !== null) await requireTrunkInRoute(tx, 'trunkName', { routeId, trunk })
}

export async function refuseInUse(tx: Tx, cliId: number, field: string): Promise<void> {
  const use = usedBy(await store.unfinishedFrom(tx, [cliId]))
  if (use !== null) throw conflict(field, use, 'in_use')
}
