import { dtmfKeys } from '@ghanti/contract/templates.ts'
import { expect, test } from 'vitest'
import { longestMs, reactionMs } from '../flow.ts'
import { fullInput, prompt, run } from '../testing.ts'
import { dtmfInput } from './dtmf-input.ts'

const flow = dtmfInput.build(fullInput)

test.each(dtmfKeys)('key %s pressed after the prompt is recorded when it is the only valid one', (digit) => {
  const one = dtmfInput.build({ ...fullInput, keys: [digit] })
  expect(run(one, ['answers', 'listens', `presses ${digit}`, 'listens', 'hangs up']).transcript).toEqual([
    'answers: play welcome+menu',
    'listens: wait 4000',
    `presses ${digit}: key ${digit} of menu valid, cancelWait, play thanks`,
    'listens: hangUp',
    'hangs up: ',
  ])
})

test.each(dtmfKeys)('every key other than %s is wrong', (digit) => {
  const one = dtmfInput.build({ ...fullInput, keys: [digit], rePrompts: 3 })
  const others = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'].filter((other) => other !== digit)
  for (const other of others) {
    expect(run(one, ['answers', 'listens', `presses ${other}`]).transcript.at(-1)).toBe(
      `presses ${other}: key ${other} of menu wrong, cancelWait, play wrongInput+menu`,
    )
  }
})

test('a key during a prompt counts and interrupts it', () => {
  expect(run(flow, ['answers', 'presses 2', 'listens']).transcript).toEqual([
    'answers: play welcome+menu',
    'presses 2: key 2 of menu valid, stopPlayback, play thanks',
    'listens: hangUp',
  ])
})

test('a wrong key during a prompt interrupts it too, and uses up a re-prompt', () => {
  expect(run(flow, ['answers', 'presses 9', 'presses 9', 'listens']).transcript).toEqual([
    'answers: play welcome+menu',
    'presses 9: key 9 of menu wrong, stopPlayback, play wrongInput+menu',
    'presses 9: key 9 of menu wrong, stopPlayback, play thanks',
    'listens: hangUp',
  ])
})

test('the welcome is played once; silence asks again and then thanks', () => {
  expect(run(flow, ['answers', 'listens', 'is silent', 'listens', 'is silent', 'listens']).transcript).toEqual([
    'answers: play welcome+menu',
    'listens: wait 4000',
    'is silent: play noInput+menu',
    'listens: wait 4000',
    'is silent: play thanks',
    'listens: hangUp',
  ])
})

test('without a wait, the end of the prompt counts as silence', () => {
  const noWait = dtmfInput.build({ ...fullInput, menuWaitSeconds: 0, rePrompts: 0 })
  expect(run(noWait, ['answers', 'listens', 'listens']).transcript).toEqual([
    'answers: play welcome+menu',
    'listens: play thanks',
    'listens: hangUp',
  ])
})

test('three re-prompts ask four times', () => {
  const unhurried = dtmfInput.build({ ...fullInput, menuWaitSeconds: 0, rePrompts: 3 })
  const { transcript } = run(unhurried, ['answers', 'listens', 'listens', 'listens', 'listens', 'listens'])
  expect(transcript.filter((line) => line.includes('menu'))).toHaveLength(4)
  expect(transcript.at(-1)).toBe('listens: hangUp')
})

test('optional prompts may be left out: menu only, wrong key, key', () => {
  const bare = dtmfInput.build({ ...fullInput, prompts: { menu: prompt('menu') } })
  expect(run(bare, ['answers', 'presses 7', 'presses 1', 'hangs up']).transcript).toEqual([
    'answers: play menu',
    'presses 7: key 7 of menu wrong, stopPlayback, play menu',
    'presses 1: key 1 of menu valid, stopPlayback, hangUp',
    'hangs up: ',
  ])
})

test('a key while thanks is playing is not counted', () => {
  expect(run(flow, ['answers', 'presses 1', 'presses 2']).transcript.at(-1)).toBe('presses 2: ')
})

test('the longest path asks every time, waits, and plays the longer of the two apologies in between', () => {
  expect(longestMs(flow)).toBe(2000 + 2 * (5000 + 4000 + 2 * reactionMs) + 1700 + 900 + 2 * reactionMs)
})
