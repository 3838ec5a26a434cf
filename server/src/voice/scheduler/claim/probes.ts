import { hoursAt } from '../../../modules/platform/rules-hours.ts'
import type { CampaignRow } from '../../model/campaigns/snapshot.sql.ts'
import { cursorIdOf, cursorsOf, mayBeCalled } from '../../model/campaigns/streams.ts'
import type { Session } from '../../dialer/session/session.ts'
import { stepsOf, trunkIdsOf } from '../../model/campaigns/route.ts'

type Tries = {
  /** How many calls began. `stream` as in ClaimRequest. */
  claim(campaign: CampaignRow, of: { stream: number | null; trunkId: number }): Promise<number>
  hasPrompts(campaign: CampaignRow): Promise<boolean>
}

/**
 * Each trunk on hold whose probe is due gets one call of a campaign that waits for it, or whose route names it, and so does each campaign that is on hold
 * for refusals: to a row that was never tried, if there is one. Returns how many calls began, by campaign.
 */
export async function probe(
  { deps, down, trunks, health, hours }: Session,
  campaigns: readonly CampaignRow[],
  { claim, hasPrompts }: Tries,
): Promise<Map<number, number>> {
  const begun = new Map<number, number>()
  if (down) return begun
  const now = deps.clock.now()
  const inOrder = campaigns.toSorted((a, b) => Number(b.fresh_left > 0) - Number(a.fresh_left > 0))
  const tries = async (campaign: CampaignRow, stream: number | null | undefined, trunkId: number): Promise<boolean> => {
    if (stream === undefined || trunks.inTheWayOver(campaign, trunkId) !== null) return false
    if (!trunks.contracts.hasRoom(trunkId)) return false
    if (!(await hasPrompts(campaign))) return false
    const n = await claim(campaign, { stream, trunkId })
    if (n > 0) begun.set(campaign.id, (begun.get(campaign.id) ?? 0) + n)
    return n > 0
  }
  for (const trunkId of trunks.probesDue(now.getTime())) {
    const itsOwn = inOrder.filter((campaign) => mayTry(campaign, trunkId))
    const probes = trunks.trunk(trunkId)?.health.opened?.probes ?? 0
    for (const campaign of inTurn(itsOwn, probes, (accountId) => trunks.rangAt(trunkId, accountId))) {
      trunks.probing(trunkId, true)
      if (await tries(campaign, streamOver(campaign, trunkId), trunkId)) break
      trunks.probing(trunkId, false)
    }
  }
  for (const campaign of inOrder.filter(isOnHoldForRefusals))
    for (const { stream } of cursorsOf(campaign).filter((rows) => !campaign.streams || mayBeCalled(rows))) {
      const cursorId = cursorIdOf(campaign.id, stream)
      const trunkId = trunkToTry(campaign, stream, health.refusals.holdOf(cursorId)?.trunkId ?? campaign.trunk_id)
      if (trunkId === undefined || !health.refusals.probeDue(cursorId, now.getTime()) || !trunks.carries(trunkId))
        continue
      const its = hours.get(campaign.id)
      if (!its || !hoursAt(its, now).open) continue
      health.refusals.probing(cursorId, true)
      if (!(await tries(campaign, campaign.streams ? stream : null, trunkId))) health.refusals.probing(cursorId, false)
    }
  return begun
}

/** All its calls were refused alike; or those to the numbers of one operator may have been, while it calls others. */
function isOnHoldForRefusals({ status, hold_cause: cause, streams, is_shared: isShared }: CampaignRow): boolean {
  if (status !== 'onHold') return status === 'running' && streams !== null
  return cause === 'refusals' || (isShared && cause === 'trunk') // the cause is that of one dialer
}

/** A campaign that waits for the trunk; and one with a route, which goes on over the route's other trunks. */
function mayTry(campaign: CampaignRow, trunkId: number): boolean {
  const { status, hold_cause: cause, route, is_shared: isShared } = campaign
  if (!trunkIdsOf(campaign).includes(trunkId)) return false
  return (
    (status === 'onHold' && (cause === 'trunk' || (isShared && cause === 'refusals'))) ||
    (status === 'running' && route !== null)
  )
}

/** The stream whose rows may try the trunk, preferably rows that were never tried. Null: the campaign has one cursor. Undefined: no stream has rows for it. */
function streamOver(campaign: CampaignRow, trunkId: number): number | null | undefined {
  if (!campaign.streams) return null
  const may = campaign.streams.filter(
    (rows) => mayBeCalled(rows) && stepsOf(campaign, rows.stream).some((step) => step.trunkId === trunkId),
  )
  return (may.find(({ fresh_left }) => fresh_left > 0) ?? may[0])?.stream
}

/** The trunk over which they were refused; where it is not in their route any more, the first that is. Undefined: this dialer has none for them. */
function trunkToTry(campaign: CampaignRow, stream: number, trunkId: number): number | undefined {
  if (!campaign.streams) return trunkId
  const steps = stepsOf(campaign, stream)
  return steps.some((step) => step.trunkId === trunkId) ? trunkId : steps[0]?.trunkId
}

type OfAccount = Pick<CampaignRow, 'account_id'>

/**
 * The order in which campaigns try a trunk on hold, for its `probes`th probe. Accounts take turns, beginning with those whose calls rang last:
 * their numbers are alive, and one account's dead numbers do not keep the trunk from the others. The campaigns of an account take turns, too.
 */
export function inTurn<T extends OfAccount>(
  campaigns: readonly T[],
  probes: number,
  rangAt: (accountId: number) => number | null,
): T[] {
  const byAccount = [...Map.groupBy(campaigns, (campaign) => campaign.account_id)].toSorted(
    ([a], [b]) => (rangAt(b) ?? 0) - (rangAt(a) ?? 0) || a - b,
  )
  const round = byAccount.length === 0 ? 0 : Math.floor(probes / byAccount.length)
  return from(probes, byAccount).flatMap(([, itsOwn]) => from(round, itsOwn))
}

/** All of them, rotated to begin with that one, or by this many rounds. */
function from<T>(turn: number, all: readonly T[]): T[] {
  const at = all.length === 0 ? 0 : turn % all.length
  return [...all.slice(at), ...all.slice(0, at)]
}
