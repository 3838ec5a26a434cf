import { connectFlow } from '@ghanti/callflow/flow.ts'
import { expect, test } from 'vitest'
import type { HungUp } from '../../../drivers/telephony/driver.ts'
import type { CallEnd } from '../call/call-ports.ts'
import { callNowOutcome } from './call-now.ts'
import { classifyCall } from './outcome.ts'

const agent = '+9779801111133'
const call = {
  attempt: { id: 7 },
  plan: { campaignId: 3, flow: connectFlow({ agent, customer: '+9779841000001' }) },
  alertedAt: null,
} as unknown as Parameters<typeof callNowOutcome>[0]

const leg = (from: number, more: Partial<HungUp> = {}): HungUp => ({
  type: 'hungUp',
  channelId: 'x',
  startedAt: from,
  answeredAt: from + 3000,
  at: from + 20_000,
  endedBy: 'callee',
  sipStatus: null,
  cause: 16,
  alerted: true,
  ...more,
})
const unanswered = { answeredAt: null, sipStatus: 486, cause: 17 } as const
const nothing: CallEnd = {
  leg: null,
  refused: null,
  patchBillMs: null,
  beside: null,
  keys: '',
  trail: null,
  agent: null,
  agentMissed: null,
  agentCounts: false,
  recordingId: null,
  unheard: false,
  reservedPaisa: 0,
  fromRecord: false,
}
const agentsLeg = leg(1000)
const notSent = { outcome: 'notSent', reason: 'its moment has passed' } as const

test.each<{ why: string; end: Partial<CallEnd>; isFault?: boolean; is: string }>([
  { why: 'both talked', end: { leg: agentsLeg, beside: leg(5000) }, is: 'ANSWER customer 17000 agent 17000' },
  { why: 'the customer is busy', end: { leg: agentsLeg, beside: leg(5000, unanswered) }, is: 'BUSY agent 17000' },
  {
    why: 'we stopped the ringing',
    end: { leg: agentsLeg, beside: leg(5000, { answeredAt: null, endedBy: 'hangUp' }) },
    is: 'CANCEL agent 17000',
  },
  {
    why: 'nobody knows how the customer’s leg ended',
    end: { leg: agentsLeg, beside: 'unknown' },
    is: 'LOST agent 17000',
  },
  { why: 'nobody knows of the agent’s leg', end: { beside: leg(5000) }, is: 'ANSWER customer 17000' },
  { why: 'nobody knows anything', end: {}, is: 'LOST' },
  {
    why: 'no money for the second leg',
    end: { leg: agentsLeg, agentMissed: 'noMoney' },
    is: 'CANCEL agent 17000 noMoney',
  },
  {
    why: 'no channel for the second leg',
    end: { leg: agentsLeg, agentMissed: 'notFree' },
    is: 'CANCEL agent 17000 notFree',
  },
  {
    why: 'the dialer refused the second leg',
    end: { leg: agentsLeg, agentMissed: 'notReached' },
    is: 'CONGESTION agent 17000',
  },
  { why: 'the agent hung up before the second leg', end: { leg: agentsLeg }, is: 'CANCEL agent 17000' },
  { why: 'the agent is busy', end: { leg: leg(1000, unanswered) }, is: 'CANCEL notReached' },
  {
    why: 'the trunk did not carry the call to the agent',
    end: { leg: leg(1000, unanswered) },
    isFault: true,
    is: 'CONGESTION notReached',
  },
  { why: 'the agent is in another call', end: { refused: notSent, agentMissed: 'notFree' }, is: 'CANCEL notFree' },
  { why: 'it never left: its row is claimed again', end: { refused: notSent }, is: 'CANCEL again' },
])('$why', ({ end: some, isFault = false, is }) => {
  const end = { ...nothing, ...some }
  const outcome = callNowOutcome(call, end, { classified: classifyCall(end, []), isFault, rules: [] })
  const { disposition, billMs, patchBillMs, agentMissed, retryInMs } = outcome
  const said = [
    disposition,
    ...(billMs === null ? [] : [`customer ${billMs}`]),
    ...(patchBillMs === null ? [] : [`agent ${patchBillMs}`]),
    ...(agentMissed === null ? [] : [agentMissed]),
    ...(retryInMs === null ? [] : ['again']),
  ]
  expect(said.join(' ')).toBe(is)
  expect(outcome).toMatchObject({ attemptId: 7, campaignId: 3, agent, trail: null })
})
