import { expect, test } from 'vitest'
import { agentRingMs, legsOf, longestMs, reactionMs } from '../flow.ts'
import { type Deed, fullInput, run } from '../testing.ts'
import { callPatch } from './call-patch.ts'

const flow = callPatch.build(fullInput)

test.each([
  { key: '1', number: '+9779801111133' },
  { key: '2', number: '+9779801111137' },
])('key $key bridges to its agent and records; the agent hangs up: thanks', ({ key, number }) => {
  const deeds: Deed[] = ['answers', 'listens', `presses ${key}`, 'agent answers', 'agent hangs up', 'listens']
  expect(run(flow, deeds).transcript).toEqual([
    'answers: play welcome+menu',
    'listens: wait 4000',
    `presses ${key}: key ${key} of menu valid, cancelWait, bridge ${number} 25000`,
    'agent answers: record',
    'agent hangs up: play thanks',
    'listens: hangUp',
  ])
})

test('an agent who is not reached counts as a re-prompt', () => {
  const deeds: Deed[] = ['answers', 'presses 1', 'agent not reached', 'presses 2', 'agent not reached', 'listens']
  expect(run(flow, deeds).transcript).toEqual([
    'answers: play welcome+menu',
    'presses 1: key 1 of menu valid, stopPlayback, bridge +9779801111133 25000',
    'agent not reached: play noInput+menu',
    'presses 2: key 2 of menu valid, stopPlayback, bridge +9779801111137 25000',
    'agent not reached: play thanks',
    'listens: hangUp',
  ])
})

test('an agent who is busy is rung once more after five seconds of ringing, and then counts as a re-prompt', () => {
  const busy: Deed = 'agent +9779801111133 is busy'
  const deeds: Deed[] = ['answers', 'presses 1', busy, 'presses 2', busy, 'presses 1', busy, busy, 'listens']
  expect(run(flow, deeds).transcript).toEqual([
    'answers: play welcome+menu',
    'presses 1: key 1 of menu valid, stopPlayback, bridge +9779801111133 25000',
    `${busy}: bridge +9779801111133 25000 after 5000`,
    'presses 2: ',
    `${busy}: play noInput+menu`,
    'presses 1: key 1 of menu valid, stopPlayback, bridge +9779801111133 25000',
    `${busy}: bridge +9779801111133 25000 after 5000`,
    `${busy}: play thanks`,
    'listens: hangUp',
  ])
})

test('an agent who is no longer busy is joined', () => {
  const deeds: Deed[] = ['answers', 'presses 1', 'agent +9779801111133 is busy', 'agent answers', 'agent hangs up']
  expect(run(flow, deeds).transcript.slice(-2)).toEqual(['agent answers: record', 'agent hangs up: play thanks'])
})

test('keys pressed while the agent’s telephone rings or during the conversation are ignored', () => {
  const { transcript } = run(flow, ['answers', 'presses 1', 'presses 2', 'agent answers', 'presses 9'])
  expect(transcript.slice(2)).toEqual(['presses 2: ', 'agent answers: record', 'presses 9: '])
})

test.each<{ why: string; before: Deed[]; commands: string }>([
  { why: 'while the agent’s telephone rings', before: ['answers', 'presses 1'], commands: 'hangUpAgent' },
  { why: 'during the conversation', before: ['answers', 'presses 1', 'agent answers'], commands: 'hangUpAgent' },
  { why: 'after it', before: ['answers', 'presses 1', 'agent answers', 'agent hangs up'], commands: '' },
  { why: 'during the menu', before: ['answers'], commands: '' },
  { why: 'in the silence', before: ['answers', 'listens'], commands: '' },
])('a customer who hangs up $why ends the agent’s call too', ({ before, commands }) => {
  const { transcript, state } = run(flow, [...before, 'hangs up'])
  expect(transcript.at(-1)).toBe(`hangs up: ${commands}`)
  expect(state.at).toBe('ended')
})

test('a wrong key and silence do what they do in DTMF Input', () => {
  expect(run(flow, ['answers', 'presses *', 'listens', 'is silent']).transcript.slice(1)).toEqual([
    'presses *: key * of menu wrong, stopPlayback, play wrongInput+menu',
    'listens: wait 4000',
    'is silent: play thanks',
  ])
})

test('has two legs, and the longest path rings an agent at each question', () => {
  const once = 5000 + 4000 + 2 * reactionMs + agentRingMs + reactionMs
  expect(longestMs(flow)).toBe(2000 + 2 * once + 1700 + 900 + 2 * reactionMs)
  expect(legsOf(flow)).toBe(2)
})
