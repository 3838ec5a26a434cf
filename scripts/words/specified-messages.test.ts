import { expect, test } from 'vitest'
import { specifiedMessages, unusedAmong } from './specified-messages.ts'
import { sources as everything } from '../tidy-sources.ts'

const sources = everything.filter(({ file }) => /^(contract|callflow|server|web)\/src\//.test(file))

test('every message of the specifications is used by the product', () => {
  expect(sources.length).toBeGreaterThan(500)
  expect(unusedAmong(specifiedMessages, sources)).toEqual([])
})

const catalogue = { file: 'contract/src/messages.ts', text: "export const messages = {\n  gone: 'Gone Away',\n}" }
const made = {
  file: 'contract/src/messages.ts',
  text: 'export function tooBig(n: number): string {\n  return `${n} is too big`\n}',
}
const grouped = {
  file: 'web/src/i18n/en/any.ts',
  text: "export const texts = {\n  questions: {\n    stop: 'Gone Away',\n  },\n}",
}
const asks = (text: string, file = 'server/src/any.ts') => ({ file, text })
test.each([
  { why: 'nobody says it', text: 'Gone Away', said: [], used: false },
  { why: 'a catalogue has it, and nobody asks for it', text: 'Gone Away', said: [catalogue], used: false },
  { why: 'somebody does', text: 'Gone Away', said: [catalogue, asks('throw messages.gone')], used: true },
  {
    why: 'a test alone does',
    text: 'Gone Away',
    said: [catalogue, asks('messages.gone', 'server/src/a.test.ts')],
    used: false,
  },
  {
    why: 'a comment alone does',
    text: 'Gone Away',
    said: [catalogue, asks('// messages.gone\n/** messages.gone */')],
    used: false,
  },
  { why: 'code says it itself', text: 'Gone Away', said: [asks("say('Gone Away')")], used: true },
  { why: 'other words around it', text: 'Gone Away', said: [asks("say('Gone Away now')")], used: false },
  { why: 'others have the same key', text: 'Gone Away', said: [grouped, asks('t.actions.stop')], used: false },
  { why: 'its group is asked for it', text: 'Gone Away', said: [grouped, asks('t.questions.stop')], used: true },
  { why: 'its group is asked by a name', text: 'Gone Away', said: [grouped, asks('t.questions[action]')], used: true },
  {
    why: 'its group is taken apart',
    text: 'Gone Away',
    said: [grouped, asks("const { questions: q } = useTexts('any')\nq.stop")],
    used: true,
  },
  {
    why: 'the page for developers alone does',
    text: 'Gone Away',
    said: [asks("say('Gone Away')", 'web/src/design/Any.tsx')],
    used: false,
  },
  { why: 'a value, and nobody asks', text: '{n} is too big', said: [made], used: false },
  { why: 'a value, and somebody does', text: '{n} is too big', said: [made, asks('tooBig(3)')], used: true },
])('a message of which is known: $why', ({ text, said, used }) => {
  expect(unusedAmong([{ text }], said)).toEqual(used ? [] : [{ text }])
})
