import type { Tx } from '../../db/db.ts'
import { badField, conflict } from '../../errors.ts'
import { notShownOver, shownWords as words } from './rules.ts'
import * as store from './store.ts'

type Which = { cliIds: readonly number[] } | { routeId: number } | { trunkId: number }

/** Throws when one of these trunks may not show one of these caller IDs. Called before a change that brings them together. */
export async function requireShown(
  tx: Tx,
  field: string,
  trunkIds: readonly number[],
  which: Which,
  say = words.mayNot,
): Promise<void> {
  const trunks = await store.showingTrunks(tx, trunkIds)
  if (trunks.every(({ shownClis }) => shownClis.length === 0)) return
  const clis = await store.shownOf(tx, which)
  for (const trunk of trunks) {
    const hidden = notShownOver(trunk, clis)
    if (hidden.length > 0) throw conflict(field, say(trunk.name, hidden), 'not_shown')
  }
}

export async function requireShowable(tx: Tx, cliId: number): Promise<void> {
  const [shown] = await store.shownOf(tx, { cliIds: [cliId] })
  if (shown?.members?.length === 0) throw badField('cli', words.noneActive, 'inactive')
  const trunks = await store.showingTrunks(tx, await store.trunkIdsOf(tx, cliId))
  if (shown && trunks.every((trunk) => notShownOver(trunk, [shown]).length > 0))
    throw badField('cli', words.noneMay, 'not_shown')
}

export async function requireStillShown(tx: Tx, trunkId: number): Promise<void> {
  await requireShown(tx, 'sip.shownClis', [trunkId], { trunkId }, words.stillShown)
}

/** Why the trunk may not show the number, as a sentence. Null: it may. */
type Hides = (trunkId: number, number: string) => string | null

/** For a file of caller IDs, whose lines are refused one by one. */
export async function hidesOver(tx: Tx, trunkIds: readonly number[]): Promise<Hides> {
  const trunks = await store.showingTrunkOf(tx, trunkIds)
  return (trunkId, number) => {
    const trunk = trunks.get(trunkId)
    return trunk && notShownOver(trunk, [{ number, members: null }]).length > 0 ? words.lineMayNot(trunk.name) : null
  }
}

/** Throws unless each trunk of the saved group may show some member, and each member may be shown over some trunk. */
export async function requireGroupShown(tx: Tx, groupId: number, memberIds: readonly number[]): Promise<void> {
  const trunkIds = await store.trunkIdsOf(tx, groupId)
  const trunks = await store.showingTrunks(tx, trunkIds)
  const members = await store.shownOf(tx, { cliIds: memberIds })
  const hidden = members.find((member) => trunks.every((trunk) => notShownOver(trunk, [member]).length > 0))
  if (hidden) throw badField('members', words.memberMayNot(hidden.number), 'not_shown')
  await requireShown(tx, 'members', trunkIds, { cliIds: [groupId] })
}

export async function requireRouteShows(tx: Tx, cliId: number): Promise<void> {
  await requireShown(tx, 'routeId', await store.trunkIdsOf(tx, cliId), { cliIds: [cliId] })
}
