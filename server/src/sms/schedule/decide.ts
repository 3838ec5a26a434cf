import { stoppedReason } from '../../dispatch/stopped-account.ts'
import { operatorLabel, operatorOfCode } from '@ghanti/contract/operators.ts'
import { finishedStatuses } from '@ghanti/contract/campaign-status.ts'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import type { CampaignStatus, HoldCause } from '../../db/tables.ts'
import { closedNow } from '../../modules/platform/rules-dialling.ts'
import type { SmsCampaignRow, SmsStreamRow } from '../model/campaign.sql.ts'
import { words } from '../model/words.ts'
import type { SmsBlockRow } from '../model/snapshot.sql.ts'

/** What a campaign's next step depends on, apart from the campaign itself. */
export type SmsDecisionContext = {
  now: Date
  hours: CallingHours
  blocks: readonly SmsBlockRow[]
  preparing: boolean
  /** Why no gateway takes messages of this sender ID to this operator, as a sentence. Null: one does. */
  noGatewayReason(operator: number, sender: string): string | null
}

export type SmsDecision =
  | { do: 'move'; to: CampaignStatus; reason: string | null; holdCause?: HoldCause; needPaisa?: number }
  /** `sweep`: the owner's earnings may pay for the next message. `expireLate`: those messages of a feed whose time is over. `decideValues`: rows that waited for approval are let in, or refused. */
  | { do: 'prepare' | 'requeue' | 'expire' | 'expireLate' | 'sweep' | 'decideValues' }
  /** `reason` null: nothing to say; undefined: the stored reason stays. */
  | { do: 'wait'; reason: string | null | undefined }

const wait = (reason: string | null | undefined): SmsDecision => ({ do: 'wait', reason })
const move = (to: CampaignStatus, reason: string | null = null): SmsDecision => ({ do: 'move', to, reason })
const hold = (holdCause: HoldCause, reason: string): SmsDecision => ({ do: 'move', to: 'onHold', reason, holdCause })

/** The next step of a campaign's life: that of a voice campaign (docs/design.md#life-of-a-campaign), where gateways take the place of lines. */
export function decide(campaign: SmsCampaignRow, context: SmsDecisionContext): SmsDecision {
  const { status } = campaign
  if (status === 'processing') return stoppedHold(campaign) ?? (context.preparing ? wait(undefined) : { do: 'prepare' })
  if (status === 'cancelling') return cancel(campaign, context)
  if (campaign.has_late) return { do: 'expireLate' }
  if (campaign.is_day_over && isEmpty(campaign)) return move('complete')
  if (campaign.call_status !== null && callsStopped.has(campaign.call_status))
    return move('cancelling', words.callsStopped)
  if (campaign.call_status !== null && isOver(campaign)) return move('complete')
  if (campaign.retry_requested && status === 'running') return { do: 'requeue' }
  if (campaign.over && campaign.prepared && callsOver(campaign)) return end(campaign)
  switch (status) {
    case 'pausing':
      return campaign.in_flight === 0 ? move('paused', campaign.reason) : wait(undefined)
    case 'ready':
      return accountsHold(campaign) ?? outside(campaign, context) ?? move('running')
    case 'resuming':
      return notYet(campaign) ?? holdOf(campaign, context) ?? move('running')
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

/** Statuses of the calls after which none of their messages is sent: they were stopped, or never began. */
const callsStopped: ReadonlySet<CampaignStatus> = new Set(['cancelling', 'cancelled', 'refused', 'failed'])

const finished: ReadonlySet<CampaignStatus> = new Set(finishedStatuses)

/** No call causes a message any more. */
function callsOver({ call_status: status }: SmsCampaignRow): boolean {
  return status === null || finished.has(status)
}

/** No message after a call is left, and none will come. */
function isOver(campaign: SmsCampaignRow): boolean {
  return callsOver(campaign) && isEmpty(campaign)
}

function isEmpty({ fresh, waiting, in_flight }: SmsCampaignRow): boolean {
  return fresh + waiting + in_flight === 0
}

function cancel(campaign: SmsCampaignRow, { preparing }: SmsDecisionContext): SmsDecision {
  const { call_status: calls, fresh, waiting, in_flight } = campaign
  if ((calls !== null || campaign.is_feed) && fresh + waiting > 0) return { do: 'expire' }
  if (calls === 'cancelling' && in_flight === 0) return wait(undefined) // calls that were answered still end
  return campaign.in_flight > 0 || preparing ? wait(undefined) : move('cancelled', campaign.reason)
}

function end(campaign: SmsCampaignRow): SmsDecision {
  if (campaign.fresh + campaign.waiting > 0) return { do: 'expire' }
  return campaign.in_flight > 0 ? wait(whyOver(campaign)) : move('complete', whyOver(campaign))
}

export function whyOver({ not_after }: Pick<SmsCampaignRow, 'not_after'>): string {
  return not_after ? words.notAfter : words.lastDayOver
}

/** A campaign that was stopped before it began goes on from that stage. */
function notYet({ prepared, due }: SmsCampaignRow): SmsDecision | null {
  return prepared && due ? null : move(prepared ? 'ready' : 'processing')
}

function stoppedHold(campaign: SmsCampaignRow): SmsDecision | null {
  const reason = stoppedReason(campaign)
  return reason === null ? null : hold('disabled', reason)
}

function accountsHold(campaign: SmsCampaignRow): SmsDecision | null {
  return stoppedHold(campaign) ?? (campaign.expired ? hold('expired', words.expired) : null)
}

function closedReason({ hours, now }: SmsDecisionContext): string | null {
  const closed = closedNow(hours, now)
  return closed && words.outsideHours(closed.opensAt, now)
}

/** A ready campaign keeps its status, and says why it does not begin. */
function outside(campaign: SmsCampaignRow, context: SmsDecisionContext): SmsDecision | null {
  const reason = closedReason(context) ?? blockedReason(campaign, context)
  return reason === null ? null : wait(reason)
}

/** A feed stays open outside the hours, because some of its messages are sent at any hour. */
function holdOf(campaign: SmsCampaignRow, context: SmsDecisionContext): SmsDecision | null {
  const closed = campaign.is_feed ? null : closedReason(context)
  return accountsHold(campaign) ?? (closed === null ? null : hold('hours', closed))
}

/** The part of 'Stop all' that concerns the campaign, whatever its gateway. */
function blockedReason({ payer_ids }: SmsCampaignRow, { blocks }: SmsDecisionContext): string | null {
  for (const { kind, target_id, reason } of blocks) {
    if (kind === 'platform') return words.blocked('of the platform', reason)
    if (kind === 'account' && target_id !== null && payer_ids.includes(target_id))
      return words.blocked('of the account', reason)
  }
  return null
}

/** Lifts a hold whose cause has passed: hours or a disabled account. When the account is not live, that cause takes over from the hours. */
function onHold(campaign: SmsCampaignRow, context: SmsDecisionContext): SmsDecision {
  const { hold_cause: cause } = campaign
  if (cause !== 'hours' && cause !== 'disabled') return wait(undefined)
  const stopped = stoppedReason(campaign)
  if (stopped !== null) return cause === 'disabled' ? wait(stopped) : hold('disabled', stopped)
  if (cause === 'disabled') return move('resuming')
  const closed = closedReason(context)
  return closed === null ? move('running') : wait(closed)
}

function lowBalance({ need_paisa: need, free_paisa: free, sweepable_paisa }: SmsCampaignRow): SmsDecision {
  if (free >= need) return hold('balance', words.affordable(need, free))
  return free + sweepable_paisa >= need && sweepable_paisa > 0 ? { do: 'sweep' } : wait(words.lowBalance(need, free))
}

function running(campaign: SmsCampaignRow, context: SmsDecisionContext): SmsDecision {
  if (campaign.unapproved > 0 && campaign.values_decision !== 'pending') return { do: 'decideValues' }
  const hasNone = isEmpty(campaign)
  if (hasNone && callsOver(campaign) && !campaign.is_feed)
    return campaign.unapproved > 0 ? wait(words.unapproved(campaign.unapproved)) : move('complete')
  const found = holdOf(campaign, context)
  if (found) return found
  const blocked = blockedReason(campaign, context)
  if (blocked) return wait(blocked)
  if (hasNone) return wait(campaign.is_feed ? null : words.noCallYet) // after the hours, because a call may queue its next message at any time
  const closed = campaign.is_feed ? closedReason(context) : null
  const ready = campaign.streams.filter((stream) => readyNow(stream, closed !== null) > 0)
  if (closed !== null && ready.length === 0) return wait(closed)
  if (ready.length === 0) return wait(queueWaitInWords(campaign, context.now))
  for (const { operator } of ready) {
    const reason = senderGone(campaign, operator) ?? context.noGatewayReason(operator, campaign.sender)
    if (reason !== null) return wait(reason)
  }
  if (campaign.call_status !== null || campaign.is_feed) return wait(null) // their money is reserved
  if (campaign.free_paisa < campaign.price_paisa) return shortOfMoney(campaign, campaign.price_paisa)
  return wait(campaign.free_paisa < 10 * campaign.price_paisa ? undefined : null)
}

/** How many messages of a stream may leave, as far as hours go. */
export function readyNow({ fresh_left, due, due_urgent }: SmsStreamRow, urgentOnly: boolean): number {
  return urgentOnly ? due_urgent : fresh_left + due
}

function senderGone({ sender, sender_operators }: SmsCampaignRow, operator: number): string | null {
  if (operator === 0 ? sender_operators !== null : sender_operators?.includes(operator)) return null
  return words.senderGone(sender, operatorWords(operator))
}

/** Whether its messages to this operator's customers may carry its sender ID. */
export function maySend(campaign: SmsCampaignRow, operator: number): boolean {
  return senderGone(campaign, operator) === null
}

export function operatorWords(code: number): string {
  const operator = operatorOfCode(code) ?? 'other'
  return operator === 'other' ? 'other operators' : operatorLabel[operator]
}

/** The next message costs `needPaisa`, which is not free. */
export function shortOfMoney(campaign: SmsCampaignRow, needPaisa: number): SmsDecision {
  const { free_paisa, sweepable_paisa, unsettled } = campaign
  if (sweepable_paisa > 0) return { do: 'sweep' }
  if (unsettled > 0) return wait(words.settling(unsettled))
  return { do: 'move', to: 'lowBalance', reason: words.lowBalance(needPaisa, free_paisa), needPaisa }
}

function queueWaitInWords({ in_flight, streams }: SmsCampaignRow, now: Date): string | null {
  if (in_flight > 0) return null
  const next = streams.filter((stream): stream is SmsStreamRow & { next_due_at: string } => stream.next_due_at !== null)
  const [first] = next.toSorted((a, b) => (a.next_due_at < b.next_due_at ? -1 : 1))
  if (!first) return null
  const at = new Date(first.next_due_at)
  return first.next_put_off === null ? words.nextSending(at, now) : words.hadToday(first.next_put_off, at, now)
}
