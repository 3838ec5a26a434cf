import type { FollowupState } from '@ghanti/contract/followups.ts'
import { dispositionNames } from './call-words.ts'

type Said = (numbers: { agent: string; customer: string }) => string

const now: Record<Exclude<FollowupState, 'ended'>, Said> = {
  waiting: () => 'The call is about to begin',
  agentRinging: ({ agent }) => `${agent} is ringing`,
  customerRinging: ({ customer }) => `${customer} is ringing`,
  talking: ({ agent, customer }) => `${agent} and ${customer} are talking`,
}
const steps: Record<'agentRinging' | 'customerRinging' | 'talking', Said> = {
  agentRinging: ({ agent }) => `Call ${agent} first`,
  customerRinging: ({ customer }) => `Call the customer, ${customer}`,
  talking: () => 'Join both and record',
}

export const texts = {
  title: 'Call Now',
  now,
  steps,
  ended: { talked: 'The call has ended', not: 'The customer was not reached' },
  hangUp: 'Hang up',
  close: 'Close',
  customer: 'Customer Number',
  agent: 'Agent No',
  result: 'Result',
  lasted: 'Talk with the customer',
  seconds: (seconds: string) => `${seconds} s`,
  cost: 'Cost (Rs)',
  dispositions: dispositionNames,
}
