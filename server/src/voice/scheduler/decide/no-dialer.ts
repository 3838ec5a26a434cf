import { operatorLabel, operatorOfCode } from '@ghanti/contract/operators.ts'
import type { HoldCause } from '../../../db/tables.ts'
import type { Decision } from './decide.ts'
import type { HoldReason } from '../../model/campaigns/shared.sql.ts'
import { concerned, onDialers, othersFor, saidOf, type OtherDialer } from '../../model/campaigns/sharing.ts'
import type { CampaignRow } from '../../model/campaigns/snapshot.sql.ts'
import { streamsWithRows } from '../../model/campaigns/streams.ts'
import { words } from '../../model/campaigns/words.ts'

/** What keeps rows of an operator from being called. Null: nothing. */
export type StreamFault = { stream: number; reason: string | null }

/** What keeps this dialer from all calls of a campaign, and from those to each operator for which it has trunks, where rows are by operator. */
export type FaultsHere = { dialer: string; reason: string | null; byStream: readonly StreamFault[] | null }

/** One sentence: each operator with its reason, or the reason that is the same for all. Null: there is none. */
export function inWords(all: readonly StreamFault[]): string | null {
  const found = all.flatMap(({ stream, reason }) => (reason === null ? [] : [{ stream, reason }]))
  const [first] = found
  if (!first || new Set(found.map(({ reason }) => reason)).size === 1) return first?.reason ?? null
  return found.map(({ stream, reason }) => words.ofOperator(operatorOf(stream), reason)).join('; ')
}

/** Why no dialer carries calls to numbers of an operator. Null: one does. Undefined: none has a trunk for them. */
export function faultEverywhere(campaign: CampaignRow, stream: number, here: FaultsHere): string | null | undefined {
  const own = here.byStream?.find((one) => one.stream === stream)
  const others = campaign.is_shared ? othersFor(campaign.others, stream).map(saidOf) : []
  const all = [...(own ? [{ name: here.dialer, reason: here.reason ?? own.reason }] : []), ...others]
  return all.length === 0 ? undefined : onDialers(all)
}

/** Why no dialer of its route carries calls of a campaign: of each dialer, and of each operator where rows are by operator. Null: one does. */
function whyNoDialer(campaign: CampaignRow, here: FaultsHere): string | null {
  if (!campaign.streams)
    return onDialers([{ name: here.dialer, reason: here.reason }, ...(campaign.others ?? []).map(saidOf)])
  const faults = streamsWithRows(campaign.streams).map(({ stream }) => ({
    stream,
    reason: faultEverywhere(campaign, stream, here) ?? null,
  }))
  return faults.some(({ reason }) => reason === null) ? null : inWords(faults)
}

/** The causes that a call can test: only a campaign that waits for one of these makes such calls. */
export const triedCauses: readonly HoldCause[] = ['trunk', 'refusals']

/**
 * A campaign that waits for this dialer waits for any dialer of its route, so the reason names them all. The cause is one that a call can test if
 * that of any dialer is. A running campaign is not put on hold before every dialer has reported.
 */
export function onHoldEverywhere(
  step: Decision,
  campaign: CampaignRow,
  holdReason: HoldReason,
  here: FaultsHere,
): Decision {
  if (!('reason' in step) || step.reason !== holdReason.reason) return step
  const reason = whyNoDialer(campaign, here) ?? holdReason.reason
  const causes = [holdReason.cause, ...concerned(campaign).map(({ cause }) => cause)]
  const cause = triedCauses.find((one) => causes.includes(one)) ?? holdReason.cause
  const isOnHoldSo = campaign.status === 'onHold' && campaign.hold_cause === cause
  if (step.do === 'move') {
    const isUnknown = campaign.status === 'running' && concerned(campaign).some(isNotKnown)
    return isOnHoldSo || isUnknown ? { do: 'wait', reason } : { ...step, reason, holdCause: cause }
  }
  const isTriedNow = campaign.status === 'onHold' && campaign.hold_cause === 'dialer' && triedCauses.includes(cause)
  return isTriedNow ? { do: 'move', to: 'onHold', reason, holdCause: cause } : { ...step, reason }
}

/** Its engine has not reported yet, or the sounds are on their way to it. */
function isNotKnown({ unreported, reason }: OtherDialer): boolean {
  return unreported || reason === words.promptsPending
}

function operatorOf(stream: number): string {
  const operator = operatorOfCode(stream) ?? 'other'
  return operator === 'other' ? 'other operators' : operatorLabel[operator]
}
