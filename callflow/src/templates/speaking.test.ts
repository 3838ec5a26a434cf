import { spokenColumns, type SpeakingId } from '@ghanti/contract/templates.ts'
import { expect, test } from 'vitest'
import { type Flow, longestMs, partName, partsOf, reactionMs } from '../flow.ts'
import { templateById } from '../registry.ts'
import { spokenMsMax } from '../speech/words.ts'
import { type Deed, fullInput, run } from '../testing.ts'

function flowOf(id: SpeakingId): Flow {
  const template = templateById.get(id)
  if (!template) throw new Error(`no template ${id}`)
  return template.build(fullInput)
}

/** What each template asks, and what each of its keys leads to (docs/api.md#templates). */
const asking: { id: SpeakingId; ask: string; says: Record<string, string> }[] = [
  { id: 3, ask: 'menu1+date1+menu2', says: { 1: 'optin1+token1+optin2' } },
  { id: 4, ask: 'menu1+date1+menu2', says: { 1: 'optin1' } },
  {
    id: 5,
    ask: 'menu1+date1+menu2',
    says: { 1: 'optin1', 2: 'optout1+date2+optout2', 3: 'action1+date3+action2' },
  },
]
const digits = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#']

test.each(asking)('template $id: each key during the question and after it, valid or wrong', ({ id, ask, says }) => {
  for (const digit of digits) {
    const said = says[digit]
    const key = `key ${digit} of menu ${said ? 'valid' : 'wrong'}`
    const then = said ?? ask
    const { transcript } = run(flowOf(id), ['answers', 'listens', `presses ${digit}`, 'listens'])
    expect(transcript).toEqual([
      `answers: play ${ask}`,
      'listens: wait 4000',
      `presses ${digit}: ${key}, cancelWait, play ${then}`,
      said ? 'listens: hangUp' : 'listens: wait 4000',
    ])
    expect(run(flowOf(id), ['answers', `presses ${digit}`]).transcript.at(-1)).toBe(
      `presses ${digit}: ${key}, stopPlayback, play ${then}`,
    )
  }
})

test.each(asking)('template $id: silence asks once more, then the call ends; so does a wrong key', ({ id, ask }) => {
  const deeds: Deed[] = ['answers', 'listens', 'is silent', 'listens', 'is silent']
  expect(run(flowOf(id), deeds).transcript.slice(2)).toEqual([
    `is silent: play ${ask}`,
    'listens: wait 4000',
    'is silent: hangUp',
  ])
  expect(run(flowOf(id), ['answers', 'presses 0', 'listens', 'presses #']).transcript.slice(1)).toEqual([
    `presses 0: key 0 of menu wrong, stopPlayback, play ${ask}`,
    'listens: wait 4000',
    'presses #: key # of menu wrong, cancelWait, hangUp',
  ])
})

test.each<{ id: SpeakingId; says: string }>([
  { id: 6, says: 'menu1+amount1+menu2+date1+menu3' },
  { id: 7, says: 'menu1+company1+menu2+service1+menu3+amount1+menu4+month1' },
])('template $id says its parts and hangs up; keys are nobody’s business', ({ id, says }) => {
  const { transcript } = run(flowOf(id), ['answers', 'presses 1', 'listens', 'hangs up'])
  expect(transcript).toEqual([`answers: play ${says}`, 'presses 1: ', 'listens: hangUp', 'hangs up: '])
})

test.each<{ id: SpeakingId; before: Deed[] }>([
  ...asking.flatMap(({ id, says }) => [
    { id, before: ['answers'] as Deed[] },
    { id, before: ['answers', 'listens'] as Deed[] },
    { id, before: ['answers', 'presses 0'] as Deed[] },
    ...Object.keys(says).map((digit) => ({ id, before: ['answers', `presses ${digit}`] as Deed[] })),
  ]),
  { id: 6, before: ['answers'] },
  { id: 7, before: ['answers'] },
])('template $id: a call that is hung up after $before just ends', ({ id, before }) => {
  const { transcript, state } = run(flowOf(id), [...before, 'hangs up', 'presses 1', 'listens'])
  expect(transcript.slice(-3)).toEqual(['hangs up: ', 'presses 1: ', 'listens: '])
  expect(state.at).toBe('ended')
})

test.each<{ id: SpeakingId; columns: Record<string, string> }>([
  { id: 3, columns: { date1: 'date', token1: 'token' } },
  { id: 4, columns: { date1: 'date' } },
  { id: 5, columns: { date1: 'date1', date2: 'date2', date3: 'date3' } },
  { id: 6, columns: { amount1: 'amount', date1: 'date' } },
  { id: 7, columns: { company1: 'client_name', service1: 'service_name', amount1: 'amount', month1: 'month' } },
])('template $id: each spoken part says its column, for at most what its kind may take', ({ id, columns }) => {
  const flow = flowOf(id)
  expect(flow.speech).toEqual({ language: 'ne', calendar: 'bs' })
  expect(flow.spoken).toEqual(spokenColumns(id))
  const spoken = partsOf(flow).flatMap((part) => (part.kind === 'spoken' ? [part] : []))
  expect(Object.fromEntries(spoken.map((part) => [partName(part), flow.spoken[part.column]?.column]))).toEqual(columns)
  for (const part of spoken) expect(part.durationMs).toBe(spokenMsMax[flow.spoken[part.column]?.kind ?? 'amount'])
})

test('the longest path plays the longest answer after the last question', () => {
  const { date } = spokenMsMax
  const once = 1000 + date + 1000 + 4000 + 2 * reactionMs
  expect(longestMs(flowOf(5))).toBe(2 * once + 1000 + date + 1000 + 2 * reactionMs)
})

test('without a language no value can be spoken', () => {
  expect(() => templateById.get(6)?.build({ ...fullInput, speech: null })).toThrow('template 6 needs a language')
})
