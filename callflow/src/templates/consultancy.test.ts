import { consultancyKeys } from '@ghanti/contract/templates.ts'
import { expect, test } from 'vitest'
import { longestMs, reactionMs } from '../flow.ts'
import { type Deed, fullInput, run } from '../testing.ts'
import { consultancy } from './consultancy.ts'

const flow = consultancy.build(fullInput)

test('asks five questions in order and records each valid answer under its menu', () => {
  const deeds: Deed[] = ['answers', 'presses 3', 'listens', 'presses 2', 'presses 1', 'presses 1', 'presses 2']
  expect(run(flow, deeds).transcript).toEqual([
    'answers: play welcome+menu1',
    'presses 3: key 3 of menu1 valid, stopPlayback, play menu2',
    'listens: wait 4000',
    'presses 2: key 2 of menu2 valid, cancelWait, play menu3',
    'presses 1: key 1 of menu3 valid, stopPlayback, play menu4',
    'presses 1: key 1 of menu4 valid, stopPlayback, play menu5',
    'presses 2: key 2 of menu5 valid, stopPlayback, hangUp',
  ])
})

test.each(consultancyKeys.map((keys, index) => ({ keys: [...keys] as string[], menu: `menu${index + 1}`, index })))(
  '$menu takes $keys and no other key',
  ({ keys, menu, index }) => {
    const before: Deed[] = ['answers', ...Array.from({ length: index }, (): Deed => 'presses 1')]
    for (const key of ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'])
      expect(run(flow, [...before, `presses ${key}`]).transcript.at(-1)).toContain(
        `key ${key} of ${menu} ${keys.includes(key) ? 'valid' : 'wrong'}`,
      )
  },
)

test('a wrong key or silence asks again, then the next menu follows; after the last one the call ends', () => {
  const silence: Deed[] = ['listens', 'is silent', 'listens', 'is silent']
  const deeds: Deed[] = [
    'answers',
    'presses 9',
    'presses 9',
    ...silence,
    ...silence,
    ...silence,
    'presses 3',
    'presses 3',
  ]
  expect(run(flow, deeds).transcript.filter((line) => !line.startsWith('listens'))).toEqual([
    'answers: play welcome+menu1',
    'presses 9: key 9 of menu1 wrong, stopPlayback, play menu1',
    'presses 9: key 9 of menu1 wrong, stopPlayback, play menu2',
    'is silent: play menu2',
    'is silent: play menu3',
    'is silent: play menu3',
    'is silent: play menu4',
    'is silent: play menu4',
    'is silent: play menu5',
    'presses 3: key 3 of menu5 wrong, stopPlayback, play menu5',
    'presses 3: key 3 of menu5 wrong, stopPlayback, hangUp',
  ])
})

test.each([0, 1, 2, 3, 4])(
  'a call that is hung up in menu %i + 1 just ends, its answers recorded so far',
  (answered) => {
    const before: Deed[] = ['answers', ...Array.from({ length: answered }, (): Deed => 'presses 1'), 'listens']
    const { transcript, state } = run(flow, [...before, 'hangs up', 'presses 1'])
    expect(transcript.slice(-2)).toEqual(['hangs up: ', 'presses 1: '])
    expect(transcript.join().split('valid')).toHaveLength(answered + 1)
    expect(state.at).toBe('ended')
  },
)

test('the longest path asks every menu twice and waits each time', () => {
  expect(longestMs(flow)).toBe(2000 + 5 * 2 * (1000 + 4000 + 2 * reactionMs) + 2 * reactionMs)
})
