import { operatorLabel, operatorOfCode } from '@ghanti/contract/operators.ts'
import type { Call } from '../call/call.ts'
import type { DialerTrunks } from '../trunks/trunks.ts'
import { blockedBy, trunkFault } from './decide.ts'
import type { BlockRow, CampaignRow } from './snapshot.sql.ts'
import type { EqualRefusals } from '../trunks/equal-refusals.ts'
import { cursorIdOf, mayBeCalled, onlyStream, streamsWithRows, type Stream } from './streams.ts'
import { words } from './words.ts'

type Seen = {
  now: Date
  trunks: Pick<DialerTrunks, 'foremost' | 'inTheWay' | 'dialer'>
  blocks: readonly BlockRow[]
  isBlocked(trunkId: number): boolean
  refusals: Pick<EqualRefusals, 'holdOf'>
}

/** What is wrong with all trunks that rows of a stream may use, or with its calls. Null: one of them carries calls. */
function faultOf(
  campaign: CampaignRow,
  stream: Stream,
  { now, trunks, blocks, isBlocked, refusals }: Seen,
): string | null {
  const own = onlyStream(campaign, stream)
  const trunk = trunks.foremost(own, isBlocked)
  const { dialer } = trunks
  const isSetUp = !trunk || trunk.isSet
  const held = refusals.holdOf(cursorIdOf(campaign.id, stream.stream))
  return (
    trunkFault(trunk, now) ??
    blockedBy(own, { blocks, dialer, trunk }) ??
    (isSetUp ? null : words.trunkSettingUp(trunk.name, dialer.name)) ??
    (held && words.heldUntil(held.reason, new Date(held.nextProbeAt), now))
  )
}

/** Why no trunk carries calls for any operator whose rows are left, each with its own reason. Null: not of a campaign whose rows are by operator. */
export function faultByOperator(campaign: CampaignRow, seen: Seen): string | null {
  if (!campaign.streams) return null
  return inWords(
    streamsWithRows(campaign.streams).map((stream) => ({ stream, reason: faultOf(campaign, stream, seen) })),
  )
}

export type StreamReason = { stream: Stream; reason: string | null }

/** One sentence: each operator with its reason, or the reason that is the same for all. Null: there is none. */
export function inWords(all: readonly StreamReason[]): string | null {
  const found = all.flatMap(({ stream, reason }) => (reason === null ? [] : [{ stream, reason }]))
  const [first] = found
  if (!first || new Set(found.map(({ reason }) => reason)).size === 1) return first?.reason ?? null
  return found.map(({ stream, reason }) => words.ofOperator(operatorOf(stream), reason)).join('; ')
}

/** Why the rows of each stream wait, while its campaign runs or waits for a trunk. Null: they are being called, or there are none. */
export function reasonsOfStreams(
  campaign: CampaignRow,
  calls: readonly Pick<Call, 'attempt'>[],
  seen: Seen,
): StreamReason[] {
  const isAsked = campaign.status === 'running' || campaign.hold_cause === 'trunk'
  const up = new Set(calls.map(({ attempt }) => attempt.stream))
  return (campaign.streams ?? []).map((stream) => {
    const hasRows = mayBeCalled(stream) || stream.next_due_us !== null
    return { stream, reason: isAsked && hasRows ? reasonOf(campaign, stream, up, seen) : null }
  })
}

function reasonOf(campaign: CampaignRow, stream: Stream, up: ReadonlySet<number>, seen: Seen): string | null {
  const fault = faultOf(campaign, stream, seen)
  if (fault !== null || up.has(stream.stream)) return fault
  if (!mayBeCalled(stream))
    return stream.next_due_us === null ? null : words.nextRetry(new Date(stream.next_due_us / 1000), seen.now)
  return seen.trunks.inTheWay(onlyStream(campaign, stream))
}

function operatorOf({ stream }: Stream): string {
  const operator = operatorOfCode(stream) ?? 'other'
  return operator === 'other' ? 'other operators' : operatorLabel[operator]
}
