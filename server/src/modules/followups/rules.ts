import { Flow } from '@ghanti/callflow/flow.ts'
import { finishedStatuses } from '@ghanti/contract/campaign-status.ts'
import type { Followup, FollowupState } from '@ghanti/contract/followups.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { dialable, nationalOf } from '@ghanti/contract/phone.ts'
import type { FieldError } from '../../errors.ts'
import { silence } from '../recordings/rules.ts'
import type { FollowedCall, FollowupLine } from './store.ts'

/** The name under which a Call Now is charged, derived from the campaign of the call it follows. */
export function nameOfFollowup({ name, is_test: isOwn }: Pick<FollowedCall, 'name' | 'is_test'>): string {
  const of = isOwn ? name.replace(/^(?:Test call|Call Now)(?:: |$)/, '') : name
  return of === '' ? 'Call Now' : `Call Now: ${of}`.slice(0, 100)
}

/** The number to call first (E.164): the agent of the call, or the profile's number; or why there is none. */
export function agentOf({
  agent,
  profile,
  phone,
}: Pick<FollowedCall, 'agent' | 'profile' | 'phone'>): string | FieldError {
  const field = 'callUID'
  const number = agent ?? dialable(profile)?.e164
  if (number === undefined) {
    const text = 'had no agent, and your profile has no number that can be called: ask for one to be entered there'
    return { field, code: 'agent', text }
  }
  if (number === `+${phone}`)
    return { field, code: 'agent', text: 'is the number in your own profile: nobody can be joined with it' }
  return number
}

export function followupOf(line: FollowupLine): Followup {
  const { connect } = Flow.parse(line.flow)
  if (!connect) throw new Error(`campaign ${line.id} connects to nobody`)
  const state = stateOf(line)
  const isEnded = state === 'ended'
  return {
    followupId: line.id,
    state,
    reason: isEnded ? whyEnded(line) : state === 'waiting' ? line.reason : null,
    seconds: isEnded ? Math.ceil((line.bill_ms ?? 0) / 1000) : 0,
    cost: isEnded ? rupeesOf(line.cost_paisa ?? 0) : 0,
    attemptId: isEnded ? line.attempt_id : null,
    disposition: isEnded ? line.disposition : null,
    agentNo: nationalOf(connect.agent),
    customerNo: nationalOf(connect.customer),
  }
}

const unfinishedRows: readonly (string | null)[] = ['fresh', 'waiting', null]

function stateOf({ status, row_state: row, is_open: isOpen, step }: FollowupLine): FollowupState {
  if (isOpen) return step === 'ringing' ? 'customerRinging' : step === 'talking' ? 'talking' : 'agentRinging'
  const isOver = finishedStatuses.some((one) => one === status) || !unfinishedRows.includes(row)
  return isOver ? 'ended' : 'waiting'
}

/** Why no conversation took place; null when it did. */
function whyEnded(line: FollowupLine): string | null {
  const { attempt_id: attemptId, disposition, row_state: row, status, reason } = line
  if (disposition === 'ANSWER') return null
  if (disposition === 'LOST') return endWords.lost
  const isStopped = status === 'cancelled' || status === 'cancelling'
  if (isStopped && (attemptId === null || disposition === 'CANCEL')) return endWords.stopped
  if (attemptId === null || disposition === null) return row === 'dnd' ? endWords.blacklisted : reason
  return line.patch_bill_ms === null ? withoutAgent(line) : withoutCustomer(line)
}

function withoutAgent({ disposition, agent_missed: missed, reason }: FollowupLine): string {
  if (missed === 'notFree') return endWords.agentBusy
  if (missed === 'blacklisted' || missed === 'calledOften') return silence[missed]
  if (disposition === 'CONGESTION') return endWords.agentNotCarried
  return missed === 'notReached' ? endWords.agentSilent : (reason ?? endWords.notMade)
}

function withoutCustomer({ disposition, agent_missed: missed }: FollowupLine): string {
  if (missed === 'noMoney') return endWords.noMoney
  if (missed === 'noChannel' || missed === 'notFree') return endWords.noChannel // calls of earlier releases say notFree
  switch (disposition) {
    case 'BUSY':
      return endWords.busy
    case 'NO ANSWER':
      return endWords.silent
    case 'INVALID':
      return endWords.invalid
    case 'REJECTED':
      return endWords.rejected
    case 'CANCEL':
      return endWords.agentLeft
    default:
      return endWords.notCarried
  }
}

/** Translated in contract/nepali/followups.ts. */
const endWords = {
  lost: 'nobody knows how this call ended',
  stopped: 'the call was stopped',
  blacklisted: 'the number is on a blacklist',
  notMade: 'the call could not be made',
  agentBusy: 'the agent’s number is in another call',
  agentNotCarried: 'the operator could not carry the call to the agent',
  agentSilent: 'the agent did not answer',
  agentLeft: 'the agent hung up before the customer answered',
  noMoney: 'there was no money for the call to the customer',
  noChannel: 'no channel was free for the call to the customer',
  busy: 'the customer’s number is busy',
  silent: 'the customer did not answer',
  invalid: 'the customer’s number does not exist',
  rejected: 'the call to the customer was rejected',
  notCarried: 'the operator could not carry the call to the customer',
}
