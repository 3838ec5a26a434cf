import type { Call } from '../../dialer/call/call.ts'
import type { DialerTrunks } from '../../dialer/trunks/state/trunks.ts'
import { blockedBy, trunkFault } from './decide.ts'
import type { BlockRow, CampaignRow } from '../../model/campaigns/snapshot.sql.ts'
import type { EqualRefusals } from '../../dialer/trunks/health/equal-refusals.ts'
import { streamsHere } from '../../model/campaigns/route.ts'
import { faultEverywhere, inWords, type FaultsHere, type StreamFault } from './no-dialer.ts'
import { hasRoomElsewhere, othersFor } from '../../model/campaigns/sharing.ts'
import { cursorIdOf, mayBeCalled, onlyStream, streamsWithRows, type Stream } from '../../model/campaigns/streams.ts'
import { words } from '../../model/campaigns/words.ts'

type Seen = {
  now: Date
  trunks: Pick<DialerTrunks, 'foremost' | 'inTheWay' | 'dialer'>
  blocks: readonly BlockRow[]
  isBlocked(trunkId: number): boolean
  refusals: Pick<EqualRefusals, 'holdOf'>
}

/** What is wrong with all trunks that rows of a stream may use here, or with its calls. Null: one of them carries calls. */
function faultOf(
  campaign: CampaignRow,
  stream: Stream,
  { now, trunks, blocks, isBlocked, refusals }: Seen,
): string | null {
  const own = onlyStream(campaign, stream)
  const trunk = trunks.foremost(own, isBlocked)
  const { dialer } = trunks
  const isSetUp = !trunk || trunk.isSet
  const hold = refusals.holdOf(cursorIdOf(campaign.id, stream.stream))
  return (
    trunkFault(trunk, now) ??
    blockedBy(own, { blocks, dialer, trunk }) ??
    (isSetUp ? null : words.trunkSettingUp(trunk.name, dialer.name)) ??
    (hold && words.onHoldUntil(hold.reason, new Date(hold.nextProbeAt), now))
  )
}

/** Of all operators for which this dialer has trunks. Null: not of a campaign whose rows are by operator. */
export function faultsHere(campaign: CampaignRow, seen: Seen): StreamFault[] | null {
  if (!campaign.streams) return null
  return streamsHere(campaign, campaign.streams).map((stream) => ({
    stream: stream.stream,
    reason: faultOf(campaign, stream, seen),
  }))
}

/** What is wrong for each operator whose rows are left and for which this dialer has trunks, in one sentence. Null: nothing is. */
export function faultByOperator({ streams }: CampaignRow, faults: readonly StreamFault[] | null): string | null {
  const left = new Set(streamsWithRows(streams ?? []).map(({ stream }) => stream))
  return inWords((faults ?? []).filter(({ stream }) => left.has(stream)))
}

export type StreamReason = { stream: Stream; reason: string | null }

/** Why the rows of each stream wait, while its campaign runs or waits for a trunk. Null: they are being called, or there are none. */
export function reasonsOfStreams(
  campaign: CampaignRow,
  calls: readonly Pick<Call, 'attempt'>[],
  { here, ...seen }: Pick<Seen, 'now' | 'trunks'> & { here: FaultsHere },
): StreamReason[] {
  const isAsked = campaign.status === 'running' || campaign.hold_cause === 'trunk'
  const up = new Set(calls.map(({ attempt }) => attempt.stream))
  return (campaign.streams ?? []).map((stream) => {
    const hasRows = mayBeCalled(stream) || stream.next_due_us !== null
    return { stream, reason: isAsked && hasRows ? reasonOf(campaign, stream, up, { ...seen, here }) : null }
  })
}

function reasonOf(
  campaign: CampaignRow,
  stream: Stream,
  up: ReadonlySet<number>,
  { now, trunks, here }: Pick<Seen, 'now' | 'trunks'> & { here: FaultsHere },
): string | null {
  const fault = faultEverywhere(campaign, stream.stream, here)
  if (fault === undefined) return words.noTrunkForLeft(here.dialer)
  if (fault !== null || up.has(stream.stream)) return fault
  if (!mayBeCalled(stream))
    return stream.next_due_us === null ? null : words.nextRetry(new Date(stream.next_due_us / 1000), now)
  const isElsewhere = campaign.is_shared && hasRoomElsewhere(othersFor(campaign.others, stream.stream))
  return isElsewhere ? null : trunks.inTheWay(onlyStream(campaign, stream))
}
