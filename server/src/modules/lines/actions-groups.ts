import type { CliGroup, lineRoutes } from '@ghanti/contract/lines.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import type { Tx } from '../../db/db.ts'
import { refuseTaken } from '../../db/unique-conflict.ts'
import { AppError, badField } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { requireGroupShown } from '../shown-clis/actions.ts'
import { refuseInUse, requireTrunk, requireTrunkOfRoute } from './actions-clis.ts'
import { groupWords as words } from './rules-groups.ts'
import * as clis from './store-clis.ts'
import * as store from './store-groups.ts'

type Members = readonly store.Member[]

const taken = (value: string) => ({ constraint: 'cli_number', field: 'groupName', value })

export async function addGroup(
  ctx: Ctx,
  { groupName, trunkName, pool, members }: InputOf<typeof lineRoutes.addGroup>,
): Promise<number> {
  return ctx.app.db.transaction().execute(async (tx) => {
    const trunkId = await requireTrunk(tx, trunkName)
    const numbers = await lockMembers(tx, members)
    const group = { number: groupName, trunk_id: trunkId, pool }
    const cliId = await refuseTaken(taken(groupName), () => store.insertGroup(tx, group))
    await putMembers(tx, cliId, members)
    await audit(tx, ctx, 'cli.addGroup', `cli ${cliId}`, { groupName, trunkName, pool, clis: numbers })
    return cliId
  })
}

/** Applies at once, also to running campaigns. Numbers whose caller ID stays in the group continue to see it. */
export async function updateGroup(
  ctx: Ctx,
  { cliId, groupName, trunkName, members }: InputOf<typeof lineRoutes.updateGroup>,
): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    const trunkId = await requireTrunk(tx, trunkName)
    const numbers = await lockMembers(tx, members, cliId)
    const [before] = await clis.lockClis(tx, [cliId])
    if (!before?.is_group) throw new AppError('not_found')
    if (trunkId !== before.trunk_id) {
      await refuseInUse(tx, cliId, 'trunkName')
      await requireTrunkOfRoute(tx, before.route_id, { id: trunkId, name: trunkName })
    }
    await refuseTaken(taken(groupName), () => clis.updateCli(tx, cliId, { number: groupName, trunk_id: trunkId }))
    await putMembers(tx, cliId, members)
    await audit(tx, ctx, 'cli.updateGroup', `cli ${cliId}`, { groupName, trunkName, clis: numbers })
  })
}

export async function groupOf({ app }: Ctx, cliId: number): Promise<CliGroup> {
  const group = await store.findGroup(app.db, cliId)
  if (!group) throw new AppError('not_found')
  return { ...group, members: await store.membersOf(app.db, cliId) }
}

/** Caller IDs that exist and are active, in their order; locked together with their group, by id. */
async function lockMembers(tx: Tx, members: Members, groupId?: number): Promise<string[]> {
  const ids = members.map(({ cliId }) => cliId)
  const found = new Map(
    (await clis.lockClis(tx, groupId === undefined ? ids : [...ids, groupId])).map((cli) => [cli.id, cli]),
  )
  return ids.map((id, n) => {
    const cli = found.get(id)
    const field = `members.${n}.cliId`
    if (!cli) throw badField(field, words.noCli, 'not_found')
    if (cli.is_group) throw badField(field, words.isGroup, 'is_group')
    if (cli.trunk_id === null) throw badField(field, words.inactive, 'inactive')
    return cli.number
  })
}

async function putMembers(tx: Tx, groupId: number, members: Members): Promise<void> {
  await store.putMembers(tx, groupId, members)
  await requireGroupShown(
    tx,
    groupId,
    members.map(({ cliId }) => cliId),
  )
}
