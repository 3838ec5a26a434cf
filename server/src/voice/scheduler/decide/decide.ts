import type { CampaignStatus, HoldCause } from '../../../db/tables.ts'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { stoppedReason } from '../../../dispatch/stopped-account.ts'
import { blockOf, closedNow } from '../../../modules/platform/rules-dialling.ts'
import { passingCauses } from '../../../modules/voice-campaigns/rules-state.ts'
import { healthy } from '../../dialer/trunks/state/circuit-breaker.ts'
import type { CampaignHold } from '../../dialer/trunks/health/equal-refusals.ts'
import type { TrunkNow } from '../../dialer/trunks/state/trunks.ts'
import type { QueueWait } from '../snapshot/queue-waits.sql.ts'
import type { Prompts } from '../../dialer/audio/sound-cache.ts'
import type { HoldReason } from '../../model/campaigns/shared.sql.ts'
import { carryingSome, leaderTakes } from '../../model/campaigns/sharing.ts'
import { onHoldEverywhere, triedCauses, type FaultsHere, type StreamFault } from './no-dialer.ts'
import { words } from '../../model/campaigns/words.ts'
import type { BlockRow, CampaignRow, DialerRow } from '../../model/campaigns/snapshot.sql.ts'

/** What a campaign's next step depends on, apart from the campaign itself. */
export type DecisionContext = {
  now: Date
  dialer: DialerRow
  /** Null: the dialer answers. */
  dialerDown: { reason: string; long: boolean } | null
  /** The one of its trunks whose calls go first. Null: none exists. */
  trunk: TrunkNow | null
  /** What is wrong with the trunks of each operator, as a sentence. Null: nothing is, or its rows are not by operator. */
  faultByOperator: string | null
  /** Of all operators for which this dialer has trunks. Null: its rows are not by operator. */
  faultsHere: readonly StreamFault[] | null
  hours: CallingHours
  blocks: readonly BlockRow[]
  /** Read only where calls may begin soon. */
  prompts: Prompts
  preparing: boolean
  /** All its calls were refused alike: it waits for one that rings. */
  refused: CampaignHold | null
  /** What its rows wait for, when none may be called now. */
  queueWait: QueueWait | null
}

export type Decision =
  | { do: 'move'; to: CampaignStatus; reason: string | null; holdCause?: HoldCause }
  | { do: 'prepare' | 'requeue' | 'expire' }
  /** The campaign runs if its prompts still exist. */
  | { do: 'start' }
  /** Cancels ringing calls; with `answered` also answered ones. */
  | { do: 'hangUp'; answered: boolean }
  /** Its earnings may pay for the next call. */
  | { do: 'sweep' }
  | { do: 'dial'; wanted: number }
  /** `reason` null: nothing to say; undefined: the stored reason stays. `tries`: a call may try one of its trunks that is on hold. */
  | { do: 'wait'; reason: string | null | undefined; tries?: boolean }

const wait = (reason: string | null | undefined): Decision => ({ do: 'wait', reason })
const hold = (holdCause: HoldCause, reason: string): Decision => ({ do: 'move', to: 'onHold', reason, holdCause })

/** The next step of a campaign's life (docs/design.md#life-of-a-campaign), decided for the dialer that leads it. */
export function decide(campaign: CampaignRow, context: DecisionContext): Decision {
  const step = stepOfAll(campaign, context)
  return campaign.is_test ? stepOfTest(step, campaign, context) : step
}

function stepOfAll(campaign: CampaignRow, context: DecisionContext): Decision {
  const step = nextStep(campaign, context)
  const holdReason = campaign.is_shared ? holdReasonOf(campaign, context) : null
  if (!holdReason) return step
  const elsewhere = carryingSome(campaign).map(({ name }) => name)
  if (elsewhere.length === 0) return onHoldEverywhere(step, campaign, holdReason, hereOf(campaign, context))
  // The others carry its calls, so the campaign is where it would be if this dialer carried them, too.
  const whole = nextStep(campaign, withWorkingDialer(context))
  if (whole.do !== 'dial') return whole
  return { do: 'wait', reason: words.goesOver(elsewhere, holdReason.reason), tries: holdReason.cause === 'trunk' }
}

/**
 * The same for a dialer that does not lead the campaign: it dials, and ends its calls; the rest is decided where the campaign is led. A test call and Call
 * Now are for the dialer that leads, as long as that one can take them.
 */
export function assist(campaign: CampaignRow, context: DecisionContext): Decision {
  if (campaign.status === 'cancelling') return cancel({ ...campaign, in_call: 1 }, context)
  if (campaign.status !== 'running' || campaign.retry_requested || campaign.over) return wait(undefined)
  if (campaign.is_test && leaderTakes(campaign)) return wait(undefined)
  const step = running(campaign, context)
  if (step.do === 'dial') return step
  if (holdReasonOf(campaign, context)?.cause !== 'trunk') return wait(undefined)
  return { do: 'wait', reason: undefined, tries: running(campaign, withWorkingDialer(context)).do === 'dial' }
}

/** Why this dialer, whatever the others do, cannot make the campaign's calls. Null: it can. */
export function holdReasonOf(campaign: CampaignRow, context: DecisionContext): HoldReason | null {
  const { now, dialer, dialerDown, trunk, prompts, blocks, faultByOperator } = context
  if (dialer.removed) return { cause: 'dialer', reason: words.dialerRemoved(dialer.name) }
  if (dialerDown) return { cause: 'dialer', reason: whyDown(dialer, dialerDown) }
  const own = blocks.filter(({ kind }) => kind === 'dialer' || kind === 'trunk')
  const blocked = blockedBy(campaign, { ...context, blocks: own })
  if (blocked !== null) return { cause: 'trunk', reason: faultByOperator ?? blocked }
  const settingUp = trunk?.isSet ? null : words.trunkSettingUp(trunk?.name ?? '', dialer.name)
  const fault = faultOfTrunks(campaign, context) ?? settingUp
  if (fault !== null) return { cause: 'trunk', reason: fault }
  if (prompts === 'pending') return { cause: 'prompts', reason: words.promptsPending }
  if (prompts !== 'ready')
    return {
      cause: 'prompts',
      reason: words.promptFault(prompts.prompt, dialer.name, prompts.reason, prompts.retryAt, now),
    }
  const refused = refusalsOf(context)
  return refused === null ? null : { cause: 'refusals', reason: refused }
}

/** The same for the screens; for each operator, where rows are by operator. */
export function hereOf(campaign: CampaignRow, context: DecisionContext): FaultsHere {
  const { dialer, faultsHere: byStream } = context
  const holdReason = campaign.is_shared ? holdReasonOf(campaign, context) : null
  const isByStream = campaign.streams !== null && triedCauses.some((cause) => cause === holdReason?.cause)
  return { dialer: dialer.name, reason: isByStream ? null : (holdReason?.reason ?? null), byStream }
}

/** The context as it would be if nothing kept this dialer from the campaign's calls. */
function withWorkingDialer(context: DecisionContext): DecisionContext {
  const { dialer, trunk, blocks } = context
  return {
    ...context,
    dialer: { ...dialer, removed: false, given_up: false },
    dialerDown: null,
    trunk: { id: trunk?.id ?? 0, name: trunk?.name ?? '', health: healthy, isSet: true, fault: null },
    faultByOperator: null,
    faultsHere: null,
    blocks: blocks.filter(({ kind }) => kind !== 'dialer' && kind !== 'trunk'),
    prompts: 'ready',
    refused: null,
  }
}

function nextStep(campaign: CampaignRow, context: DecisionContext): Decision {
  const { status } = campaign
  if (status === 'processing') return (campaign.is_test ? null : stoppedHold(campaign)) ?? prepare(context)
  if (status === 'cancelling') return cancel(campaign, context)
  if (campaign.retry_requested && status === 'running') return { do: 'requeue' }
  if (campaign.over) return end(campaign)
  switch (status) {
    case 'pausing':
      return campaign.in_call === 0 ? { do: 'move', to: 'paused', reason: campaign.reason } : wait(undefined)
    case 'ready':
      return accountsHold(campaign) ?? waitsOutside(campaign, context) ?? promptsHold(context) ?? { do: 'start' }
    case 'resuming':
      return notYet(campaign) ?? holdOf(campaign, context) ?? { do: 'start' }
    case 'lowBalance':
      return lowBalance(campaign)
    case 'onHold':
      return onHold(campaign, context)
    case 'running':
      return running(campaign, context)
    default:
      return wait(undefined)
  }
}

/** A campaign is ready when calls could begin: its prompts are proven before its rows are read. */
function prepare(context: DecisionContext): Decision {
  if (context.preparing) return wait(undefined)
  const { dialer, dialerDown } = context
  if (dialerDown) return wait(dialerDown.long ? whyDown(dialer, dialerDown) : undefined)
  return promptsHold(context) ?? { do: 'prepare' }
}

function promptsHold({ prompts, dialer, now }: DecisionContext): Decision | null {
  if (prompts === 'ready') return null
  if (prompts === 'pending') return wait(words.promptsPending)
  return hold('prompts', words.promptFault(prompts.prompt, dialer.name, prompts.reason, prompts.retryAt, now))
}

function cancel(campaign: CampaignRow, context: DecisionContext): Decision {
  if (campaign.in_call > 0) return { do: 'hangUp', answered: campaign.end_now }
  return context.preparing ? wait(undefined) : { do: 'move', to: 'cancelled', reason: campaign.reason }
}

function end(campaign: CampaignRow): Decision {
  if (campaign.fresh + campaign.waiting > 0) return { do: 'expire' }
  const reason = whyOver(campaign)
  return campaign.in_call > 0 ? wait(reason) : { do: 'move', to: 'complete', reason }
}

export function whyOver({ not_after }: Pick<CampaignRow, 'not_after'>): string {
  return not_after ? words.notAfter : words.expiring
}

function accountsHold(campaign: CampaignRow): Decision | null {
  return stoppedHold(campaign) ?? (campaign.expired ? hold('expired', words.expired) : null)
}

function stoppedHold(campaign: CampaignRow): Decision | null {
  const reason = stoppedReason(campaign)
  return reason === null ? null : hold('disabled', reason)
}

/** A campaign that was stopped before it began goes on from that stage. */
function notYet({ prepared, due }: CampaignRow): Decision | null {
  if (prepared && due) return null
  return { do: 'move', to: prepared ? 'ready' : 'processing', reason: null }
}

/** What stops a campaign until it passes by itself. A campaign that is Ready keeps its status. */
function passingHoldReason(campaign: CampaignRow, context: DecisionContext): HoldReason | null {
  const { now } = context
  const closed = closedNow(context.hours, now)
  if (closed) return { cause: 'hours', reason: words.outsideHours(closed.opensAt, now) }
  if (context.dialer.removed) return { cause: 'dialer', reason: words.dialerRemoved(context.dialer.name) }
  if (context.dialerDown?.long) return { cause: 'dialer', reason: whyDown(context.dialer, context.dialerDown) }
  const fault = faultOfTrunks(campaign, context)
  return fault === null ? null : { cause: 'trunk', reason: fault }
}

/** Why none of this dialer's trunks for the campaign's rows carries calls. Null: one does. */
function faultOfTrunks(
  { route }: CampaignRow,
  { trunk, dialer, now, faultByOperator }: DecisionContext,
): string | null {
  if (!trunk && (route ?? []).length > 0) return words.noTrunkForLeft(dialer.name)
  const fault = trunkFault(trunk, now)
  return fault && (faultByOperator ?? fault)
}

/** Why the trunk carries no calls. Null: it does. */
export function trunkFault(trunk: TrunkNow | null, now: Date): string | null {
  if (!trunk) return words.trunkGone
  const { name, fault, health } = trunk
  if (fault) return words.trunkUnusable(name, fault)
  const { opened } = health
  return opened && words.trunkOnHold(name, opened.reason, new Date(opened.nextProbeAt), now)
}

function whyDown({ name, given_up }: DialerRow, { reason }: { reason: string }): string {
  return given_up ? words.givenUp(name) : words.dialerDown(name, reason)
}

function holdOf(campaign: CampaignRow, context: DecisionContext): Decision | null {
  const found = passingHoldReason(campaign, context)
  return accountsHold(campaign) ?? (found ? hold(found.cause, found.reason) : null)
}

/** An open circuit breaker does not keep a ready campaign from starting: only a campaign that has started can be put on hold, and then test the trunk by a call. */
function waitsOutside(campaign: CampaignRow, context: DecisionContext): Decision | null {
  const found = passingHoldReason(campaign, context)
  const reason = found?.cause === 'trunk' && context.trunk ? undefined : found?.reason
  const why = reason ?? blockedBy(campaign, context)
  return why ? wait(why) : null
}

function lowBalance(campaign: CampaignRow): Decision {
  const { free_paisa, reserve_paisa } = campaign
  if (free_paisa >= reserve_paisa) return hold('balance', words.affordable(reserve_paisa, free_paisa))
  if (free_paisa + campaign.sweepable_paisa >= reserve_paisa) return { do: 'sweep' }
  return wait(words.lowBalance(reserve_paisa, free_paisa))
}

/**
 * Lifts a hold whose cause has passed: hours, trunk, dialer, prompts, or a disabled account. When the account is not live, that cause takes
 * over from all of these. Once it is live again, the campaign goes on from where it was, or waits for the next cause.
 */
function onHold(campaign: CampaignRow, context: DecisionContext): Decision {
  const cause = campaign.hold_cause
  if (cause === null || !passingCauses.includes(cause)) return wait(undefined)
  const stopped = stoppedReason(campaign)
  if (stopped !== null) return cause === 'disabled' ? wait(stopped) : hold('disabled', stopped)
  if (cause === 'disabled') return { do: 'move', to: 'resuming', reason: null }
  if (nobodyLeft(campaign)) return { do: 'move', to: 'complete', reason: null }
  if (cause === 'prompts') return promptsAgain(campaign, context)
  const found = passingHoldReason(campaign, context)
  // A campaign whose call could try the trunk must wait for the trunk, whatever put it on hold before; otherwise no such call is made.
  if (found) return found.cause === 'trunk' && cause !== 'trunk' ? hold('trunk', found.reason) : wait(found.reason)
  const refused = refusalsOf(context)
  if (refused === null) return { do: 'move', to: 'running', reason: null }
  return cause === 'refusals' ? wait(refused) : hold('refusals', refused)
}

function refusalsOf({ refused, now }: DecisionContext): string | null {
  return refused && words.onHoldUntil(refused.reason, new Date(refused.nextProbeAt), now)
}

/** Whether the calls that were up when the campaign was put on hold were its last. */
function nobodyLeft({ prepared, retry_requested, fresh, waiting, in_call }: CampaignRow): boolean {
  return prepared && !retry_requested && fresh + waiting + in_call === 0
}

/** A campaign that was put on hold before it dialled, perhaps before its rows were read, goes on from there. */
function promptsAgain(campaign: CampaignRow, context: DecisionContext): Decision {
  const { prompts, dialer, now } = context
  if (prompts === 'ready') return { do: 'move', to: notYet(campaign) ? 'resuming' : 'running', reason: null }
  if (prompts === 'pending') return wait(undefined)
  return wait(words.promptFault(prompts.prompt, dialer.name, prompts.reason, prompts.retryAt, now))
}

function running(campaign: CampaignRow, context: DecisionContext): Decision {
  if (campaign.fresh + campaign.waiting + campaign.in_call === 0) return { do: 'move', to: 'complete', reason: null }
  const found = holdOf(campaign, context)
  if (found) return found
  const refused = refusalsOf(context)
  if (refused !== null) return hold('refusals', refused)
  const blocked = blockedBy(campaign, context)
  if (blocked) return wait(context.faultByOperator ?? blocked)
  if (context.dialerDown) return wait(whyDown(context.dialer, context.dialerDown))
  const { trunk, dialer } = context
  if (trunk && !trunk.isSet) return wait(words.trunkSettingUp(trunk.name, dialer.name))
  const silent = promptsHold(context)
  if (silent) return silent
  if (campaign.counting) return wait(words.counting)
  if (campaign.fresh_left === 0 && !campaign.retry_due) return wait(queueWaitInWords(campaign, context))
  if (campaign.free_paisa < campaign.reserve_paisa) return shortOfMoney(campaign)
  const own = campaign.channels - campaign.in_call
  if (own <= 0) return wait(null)
  return { do: 'dial', wanted: own }
}

/** What most of its rows wait for. In a tie, what the first row waits for. */
function queueWaitInWords(campaign: CampaignRow, { queueWait, now }: DecisionContext): string | null {
  const { in_call, next_due_at, next_put_off } = campaign
  if (in_call > 0 || !next_due_at) return null
  const isCapped = next_put_off !== null && next_put_off > 0
  const { capped = 0, cappedUntil = null, others = 0, othersUntil = null } = queueWait ?? {}
  if (!isCapped && capped > others && cappedUntil) return words.cappedToday(cappedUntil, now)
  if (isCapped && others > capped && othersUntil) return words.nextRetry(othersUntil, now)
  return next_put_off === null ? words.nextRetry(next_due_at, now) : putOffReason(next_put_off, next_due_at, now)
}

/** `calledToday` as in contact_retry.put_off. */
export function putOffReason(calledToday: number, until: Date, now: Date): string {
  return calledToday === 0 ? words.numberBusy : words.calledToday(calledToday, until, now)
}

function shortOfMoney(campaign: CampaignRow): Decision {
  const { free_paisa, reserve_paisa } = campaign
  if (campaign.sweepable_paisa > 0) return { do: 'sweep' }
  if (campaign.unsettled > 0) return wait(words.settling(campaign.unsettled))
  return { do: 'move', to: 'lowBalance', reason: words.lowBalance(reserve_paisa, free_paisa) }
}

/** Causes that may pass while somebody waits. */
const soonOver: readonly HoldCause[] = ['trunk', 'dialer', 'prompts']

/** A tester waits at the telephone, and nobody resumes a test. So a lasting cause ends it, as soon as none of its calls is up. */
function stepOfTest(step: Decision, campaign: CampaignRow, context: DecisionContext): Decision {
  const lasting = lastingReason(step, campaign, context)
  if (lasting !== null) return campaign.in_call > 0 ? wait(lasting) : { do: 'move', to: 'failed', reason: lasting }
  if (step.do !== 'move' || step.reason !== whyOver(campaign)) return step
  if (!campaign.is_call_now) return { ...step, reason: words.testLate }
  return { ...step, reason: campaign.attempts > 0 ? null : words.callNowLate } // a talk lasts longer than its time to begin
}

function lastingReason(
  step: Decision,
  { status, next_due_at, next_put_off }: CampaignRow,
  { hours, now }: DecisionContext,
): string | null {
  if (status === 'ready' && step.do === 'wait') {
    const closed = closedNow(hours, now)
    return closed && words.outsideHours(closed.opensAt, now)
  }
  if (status === 'running' && step.do === 'wait' && next_due_at && next_put_off)
    return putOffReason(next_put_off, next_due_at, now)
  if (step.do !== 'move' || (status !== 'ready' && status !== 'running')) return null
  const holds = step.to === 'onHold' && step.holdCause !== undefined && !soonOver.includes(step.holdCause)
  return holds || step.to === 'lowBalance' ? step.reason : null
}

/** The part of 'Stop all dialling' that concerns the campaign. */
export function blockedBy(
  campaign: CampaignRow,
  { blocks, dialer, trunk }: Pick<DecisionContext, 'blocks' | 'dialer' | 'trunk'>,
): string | null {
  return blockOf(blocks, { dialer, trunkId: trunk?.id ?? campaign.trunk_id, payerIds: campaign.payer_ids })
}
