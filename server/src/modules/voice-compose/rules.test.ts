import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { ComposeInput } from '@ghanti/contract/compose.ts'
import { expect, test } from 'vitest'
import { startOf } from '../campaigns/rules.ts'
import { composerOf } from './rules.ts'

const base = { campaignName: 'Dashain', cli: '015970001', baseId: 7 }
const menu = { menuPId: 2, menuWaitTime: '5', rePrompt: 1 }
const row = (agentNumber: unknown, agentDtmf: unknown) => ({ agentNumber, agentDtmf })

function errorsOf(templateId: 0 | 1 | 2, fields: object): Record<string, string> {
  const read = composerOf(templateId)?.read(ComposeInput.parse({ ...base, templateId, ...fields }))
  if (!read) throw new Error(`template ${templateId} has no composer`)
  return read.ok ? {} : Object.fromEntries(read.errors.map(({ field, text }) => [field, text]))
}

test.each([
  { why: 'a simple campaign needs a welcome file', id: 0, fields: {}, errors: { welcomePId: 'is required' } },
  { why: 'and nothing else', id: 0, fields: { welcomePId: '3' }, errors: {} },
  {
    why: 'a menu needs its file, wait, re-prompts and keys',
    id: 1,
    fields: {},
    errors: {
      menuPId: 'is required',
      menuWaitTime: 'is required',
      rePrompt: 'is required',
      dtmf: 'is required',
    },
  },
  { why: 'keys 0-9 and * are taken', id: 1, fields: { ...menu, dtmf: '1, 2,*,1' }, errors: {} },
  {
    why: '# is no key',
    id: 1,
    fields: { ...menu, dtmf: '1,#' },
    errors: { dtmf: "has '#', which is not a key: keys are 0 to 9 and *" },
  },
  { why: 'only commas are no keys', id: 1, fields: { ...menu, dtmf: ',' }, errors: { dtmf: 'is required' } },
  {
    why: 'a patch needs an agent',
    id: 2,
    fields: { ...menu },
    errors: { agentRows: messages.agentRowMissing },
  },
  {
    why: 'an empty row is none',
    id: 2,
    fields: { ...menu, agentRows: [row('', null)] },
    errors: { agentRows: messages.agentRowMissing },
  },
  {
    why: 'a half-filled row waits for its key',
    id: 2,
    fields: { ...menu, agentRows: [row('9801234567', 1), row('9801234568', '')] },
    errors: { 'agentRows.1.agentDtmf': messages.agentRowHalf },
  },
  {
    why: 'a half-filled row waits for its number',
    id: 2,
    fields: { ...menu, agentRows: [row(undefined, '1')] },
    errors: { 'agentRows.0.agentNumber': messages.agentRowHalf },
  },
  {
    why: 'a key is taken once',
    id: 2,
    fields: { ...menu, agentRows: JSON.stringify([row('9801234567', '1'), row('9801234568', '1')]) },
    errors: { 'agentRows.1.agentDtmf': '1 DTMF is already selected' },
  },
  {
    why: 'a row that is wrong holds its key all the same',
    id: 2,
    fields: { ...menu, agentRows: [row('12', '1'), row('9801234568', '1'), row('12', '#')] },
    errors: {
      'agentRows.0.agentNumber': "'12' is not a number that can be called",
      'agentRows.1.agentDtmf': '1 DTMF is already selected',
      'agentRows.2.agentNumber': "'12' is not a number that can be called",
      'agentRows.2.agentDtmf': "'#' is not a key: keys are 0 to 9 and *",
    },
  },
  {
    why: 'an agent must be dialable and the key one',
    id: 2,
    fields: { ...menu, agentRows: [row('1660', '1'), row('01-5970001', '#')] },
    errors: {
      'agentRows.0.agentNumber': "'1660' is not a number that can be called",
      'agentRows.1.agentDtmf': "'#' is not a key: keys are 0 to 9 and *",
    },
  },
] as const)('$why', ({ id, fields, errors }) => expect(errorsOf(id, fields)).toEqual(errors))

test('what is wrong with the key of an agent is said in Nepali, too', () => {
  expect(nepaliOf("'#' is not a key: keys are 0 to 9 and *")).toBe('“#” फोनको बटन होइन: 0 देखि 9 र * मात्र मिल्छ')
})

test('answers carry what the flow is built from, and Duplicate only what the template uses', () => {
  const agentRows = [row('०१-५९७०००१', 2), row('', '')]
  const input = ComposeInput.parse({ ...base, templateId: 2, ...menu, agentRows, thanksPId: 9, dtmf: '1' })
  const read = composerOf(2)?.read(input)
  expect(read).toMatchObject({
    ok: true,
    answers: {
      prompts: [
        { role: 'menu', promptId: 2, field: 'menuPId' },
        { role: 'thanks', promptId: 9, field: 'thanksPId' },
      ],
      keys: [],
      menuWaitSeconds: 5,
      rePrompts: 1,
      agents: [{ number: '+97715970001', key: '2' }],
    },
  })
  expect(Object.keys(read?.ok ? read.fields : {}).sort()).toEqual(
    ['agentRows', 'menuPId', 'menuWaitTime', 'rePrompt', 'thanksPId'].sort(),
  )
})

const noon = new Date('2026-11-20T06:15:00Z')
test.each([
  { why: 'absent is now', text: undefined, start: noon },
  { why: 'the future is taken', text: '2026-11-20 12:15:00', start: new Date('2026-11-20T06:30:00Z') },
  { why: 'a minute ago too', text: '2026-11-20 11:59:00', start: new Date('2026-11-20T06:14:00Z') },
  { why: 'longer ago not', text: '2026-11-20 11:58:59', start: 'must not be in the past' },
  { why: 'a year ahead is taken', text: '2027-11-20 12:00:00', start: new Date('2027-11-20T06:15:00Z') },
  { why: 'more not', text: '2027-11-22 12:00:00', start: 'is more than 366 days ahead' },
  { why: 'there is no 31 November', text: '2026-11-31 12:00:00', start: 'is not a time of the calendar' },
])('start: $why', ({ text, start }) => expect(startOf(text, noon)).toEqual(start))
