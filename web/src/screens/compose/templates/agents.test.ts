import { expect, test } from 'vitest'
import { withAgent } from './agents.ts'

const one = [{ number: '9851012345', key: '1' }]

test('an agent is added as a national number', () => {
  expect(withAgent(one, ' +977-98510 54321 ', '2')).toEqual({
    ok: true,
    agents: [...one, { number: '9851054321', key: '2' }],
  })
})

test.each([
  { why: 'nothing entered', number: ' ', key: null, field: 'agentNumber', text: 'Please select Agent and DTMF' },
  { why: 'no key', number: '9851054321', key: null, field: 'agentKey', text: 'Please select Agent and DTMF' },
  { why: 'no number', number: '', key: '2', field: 'agentNumber', text: 'Please select Agent and DTMF' },
  { why: 'a key that is taken', number: '9851054321', key: '1', field: 'agentKey', text: '1 DTMF is already selected' },
  {
    why: 'a number that cannot be called',
    number: '100',
    key: '2',
    field: 'agentNumber',
    text: 'is not a number that can be called',
  },
])('$why', ({ number, key, field, text }) => {
  expect(withAgent(one, number, key)).toEqual({ ok: false, field, text })
})
