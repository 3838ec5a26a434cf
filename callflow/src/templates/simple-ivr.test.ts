import { expect, test } from 'vitest'
import { longestMs, legsOf, reactionMs } from '../flow.ts'
import { fullInput, run } from '../testing.ts'
import { simpleIvr } from './simple-ivr.ts'

const flow = simpleIvr.build(fullInput)

test('plays welcome and hangs up', () => {
  const { transcript, state } = run(flow, ['answers', 'listens', 'hangs up'])
  expect(transcript).toEqual(['answers: play welcome', 'listens: hangUp', 'hangs up: '])
  expect(state.at).toBe('ended')
})

test('a key is not collected and does not interrupt', () => {
  expect(run(flow, ['answers', 'presses 1', 'listens']).transcript).toEqual([
    'answers: play welcome',
    'presses 1: ',
    'listens: hangUp',
  ])
})

test('a call that hangs up in the middle ends', () => {
  expect(run(flow, ['answers', 'hangs up', 'listens']).transcript).toEqual([
    'answers: play welcome',
    'hangs up: ',
    'listens: ',
  ])
})

test('lasts as long as its prompt and the network’s delay', () => {
  expect(longestMs(flow)).toBe(2000 + 2 * reactionMs)
  expect(legsOf(flow)).toBe(1)
})

test('without a welcome there is no flow', () => {
  expect(() => simpleIvr.build({ ...fullInput, prompts: {} })).toThrow('the flow needs a welcome prompt')
})
