import { expect, test } from 'vitest'
import { resume, start, step, type CallEvent, type CallState } from './call.ts'
import { connectFlow, legsOf, longestMs, partsOf } from './flow.ts'

const flow = connectFlow({ agent: '+9779801111133', customer: '+9779841000001' })
function after(...events: CallEvent[]): { at: CallState['at']; commands: string[] } {
  let state = start()
  let commands: string[] = []
  for (const event of events) {
    const next = step(flow, state, event)
    state = next.state
    commands = next.commands.map((command) =>
      command.type === 'bridgeAgent' ? `call ${command.number}` : command.type,
    )
  }
  return { at: state.at, commands }
}
const answered: CallEvent = { type: 'answered' }
const customerAnswered: CallEvent = { type: 'agentAnswered', step: 1 }
const customerFailed: CallEvent = { type: 'agentFailed', step: 1, reason: 'busy' }
const customerBusy: CallEvent = { type: 'agentBusy', step: 1, number: '+9779841000001' }
const customerLeft: CallEvent = { type: 'agentHungUp', step: 1 }
const agentLeft: CallEvent = { type: 'hungUp' }

test.each([
  {
    why: 'the customer is called as soon as the agent has answered',
    events: [answered],
    at: 'ringing',
    commands: ['call +9779841000001'],
  },
  { why: 'their talk is recorded', events: [answered, customerAnswered], at: 'talking', commands: ['record'] },
  {
    why: 'a customer who is not reached ends it',
    events: [answered, customerFailed],
    at: 'ended',
    commands: ['hangUp'],
  },
  { why: 'a customer who is busy ends it', events: [answered, customerBusy], at: 'ended', commands: ['hangUp'] },
  {
    why: 'a customer who hangs up ends it',
    events: [answered, customerAnswered, customerLeft],
    at: 'ended',
    commands: ['hangUp'],
  },
  {
    why: 'an agent who hangs up ends it',
    events: [answered, customerAnswered, agentLeft],
    at: 'ended',
    commands: ['hangUpAgent'],
  },
  {
    why: 'an agent who hangs up before stops the ringing',
    events: [answered, agentLeft],
    at: 'ended',
    commands: ['hangUpAgent'],
  },
  { why: 'an agent who does not answer calls nobody', events: [agentLeft], at: 'ended', commands: [] },
  { why: 'keys mean nothing', events: [answered, { type: 'digit', digit: '1' }], at: 'ringing', commands: [] },
  { why: 'who answers twice is called once', events: [answered, answered], at: 'ringing', commands: [] },
] satisfies { why: string; events: CallEvent[]; at: string; commands: string[] }[])(
  '$why',
  ({ events, at, commands }) => expect(after(...events)).toEqual({ at, commands }),
)

test('it plays nothing, has two legs, and rings one telephone before both sides talk', () => {
  expect(partsOf(flow)).toEqual([])
  expect(legsOf(flow)).toBe(2)
  expect(longestMs(flow)).toBe(45_000 + 3 * 250)
})

test('after a gap in the events nobody is called again', () => {
  const ringing = step(flow, start(), answered).state
  expect(resume(flow, ringing, false)).toEqual({ state: ringing, commands: [] })
})
