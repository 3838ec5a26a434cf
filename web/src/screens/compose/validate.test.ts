import { expect, test } from 'vitest'
import { blankForm, type ComposeForm } from './form.ts'
import { problemsOf } from './validate.ts'

const now = new Date('2026-11-21T08:22:00Z')
const base = { baseId: 3, name: 'June', rows: 10, dialable: 9 }
const good: ComposeForm = {
  ...blankForm,
  campaignName: 'Tihar',
  template: '0',
  cli: '015970001',
  welcome: '7',
  contactsFrom: 'upload',
  uploadedBase: base,
}

test('a complete form has no problems', () => {
  expect(problemsOf(good, now)).toEqual({})
})

test('a blank form names all that every campaign needs at once', () => {
  expect(problemsOf(blankForm, now)).toEqual({
    campaignName: 'is required',
    template: 'is required',
    cli: 'is required',
    numbers: 'Paste at least one number',
  })
})

const menu = { template: '1', keys: ['1'], menu: '8' }
const ours: Partial<ComposeForm> = { smsFail: true, smsFailBy: 'text', smsFailText: 'Missed you', smsCli: 'GHANTI' }
const late = { scheduled: true, day: '2026-11-21', time: '14:00' }
const rows: { why: string; over: Partial<ComposeForm>; problems: Record<string, string> }[] = [
  { why: 'template 0 needs its welcome file', over: { welcome: null }, problems: { welcome: 'is required' } },
  {
    why: 'template 1 needs keys and its menu file',
    over: { template: '1' },
    problems: { keys: 'Choose at least one key', menu: 'is required' },
  },
  { why: 'template 1 needs no welcome file', over: { ...menu, welcome: null }, problems: {} },
  {
    why: 'a tick makes its file required',
    over: { ...menu, withNoInput: true, withThanks: true, thanks: '9' },
    problems: { noInput: 'is required' },
  },
  {
    why: 'texts of ours need a sender ID, and something in them',
    over: { ...ours, smsCli: null, smsFailText: ' ' },
    problems: { smsCli: 'is required', smsFailText: 'is required' },
  },
  {
    why: 'a text of ours has ten segments at most',
    over: { ...ours, smsFailText: 'क'.repeat(700) },
    problems: { smsFailText: 'has 11 segments, and 10 are allowed' },
  },
  {
    why: 'of keys one at least has a text',
    over: { ...menu, smsCli: 'GHANTI', keys: ['2', '1'], smsDtmf: true, smsDtmfBy: 'text' },
    problems: { 'smsDtmfTexts.1': 'is required for one key at least' },
  },
  { why: 'a text of ours asks for no address', over: ours, problems: {} },
  {
    why: 'template 2 without an agent',
    over: { ...menu, template: '2' },
    problems: { agentNumber: 'Please add Agent Row' },
  },
  {
    why: 'template 2 with a half-filled row that waits',
    over: { ...menu, template: '2', agentKey: '1' },
    problems: { agentNumber: 'Please add Agent and DTMF Row' },
  },
  {
    why: 'template 2 with a filled row that was not added and cannot be called',
    over: { ...menu, template: '2', agents: [{ number: '9851012345', key: '1' }], agentNumber: '98', agentKey: '2' },
    problems: { agentNumber: 'is not a number that can be called' },
  },
  {
    why: 'template 2 with a filled row whose key is taken',
    over: {
      ...menu,
      template: '2',
      agents: [{ number: '9851012345', key: '2' }],
      agentNumber: '9851054321',
      agentKey: '2',
    },
    problems: { agentKey: '2 DTMF is already selected' },
  },
  {
    why: 'template 2 with a filled row alone, which counts without Add',
    over: { ...menu, template: '2', agentNumber: '9851054321', agentKey: '2' },
    problems: {},
  },
  {
    why: 'template 2 with an agent',
    over: { ...menu, template: '2', agents: [{ number: '9851012345', key: '1' }] },
    problems: {},
  },
  { why: 'automobile service needs its kind', over: { template: '3' }, problems: { templateName: 'is required' } },
  {
    why: 'auto2 needs welcome parts 1 and 2 and an optin prompt',
    over: { template: '3', templateName: 'auto2' },
    problems: { menu1: 'is required', menu2: 'is required', optin1: 'is required' },
  },
  {
    why: 'auto3 needs welcome, optin, optout and action parts',
    over: { template: '3', templateName: 'auto3', menu1: '1', menu2: '1', optin1: '1', optout1: '1', action1: '1' },
    problems: { optout2: 'is required', action2: 'is required' },
  },
  {
    why: 'premium reminder needs welcome parts 1 to 3',
    over: { template: '4', menu2: '1' },
    problems: { menu1: 'is required', menu3: 'is required' },
  },
  {
    why: 'service reminder needs welcome parts 1 to 4',
    over: { template: '5' },
    problems: { menu1: 'is required', menu2: 'is required', menu3: 'is required', menu4: 'is required' },
  },
  {
    why: 'consultancy needs its welcome file, five menus, wait and re-prompt',
    over: { template: '6', welcome: null, menu1: '1', menu2: '1', menu3: '1', menu4: '1' },
    problems: { welcome: 'is required', menu5: 'is required' },
  },
  {
    why: 'a file of another type',
    over: { uploadedBase: null, file: new File(['x'], 'a.ods'), baseName: 'June' },
    problems: {
      file: 'An OpenDocument spreadsheet (.ods) is not a supported format. Save it as an Excel file (.xlsx) and choose that file',
    },
  },
  {
    why: 'an upload needs file and name',
    over: { uploadedBase: null },
    problems: { file: 'is required', baseName: 'is required' },
  },
  { why: 'a stored file must be chosen', over: { contactsFrom: 'stored' }, problems: { storedBase: 'is required' } },
  {
    why: 'pasted numbers that are uploaded already need no text',
    over: { contactsFrom: 'paste', pastedBase: base },
    problems: {},
  },
  {
    why: 'a schedule needs day and time',
    over: { scheduled: true },
    problems: { day: 'is required', time: 'is required' },
  },
  { why: 'a time that has passed meanwhile', over: late, problems: { time: 'must be in the future' } },
  {
    why: 'a day beyond the last that can be chosen',
    over: { ...late, day: '2028-04-13' },
    problems: { day: 'is more than 366 days ahead' },
  },
  { why: 'a time to come', over: { ...late, time: '14:15' }, problems: {} },
  {
    why: 'an end needs day and time',
    over: { ...late, time: '14:15', withEnd: true },
    problems: { endDay: 'is required', endTime: 'is required' },
  },
  {
    why: 'an end at the start',
    over: { ...late, time: '14:15', withEnd: true, endDay: late.day, endTime: '14:15' },
    problems: { endTime: 'must be after the start' },
  },
  {
    why: 'an end after the start',
    over: { ...late, time: '14:15', withEnd: true, endDay: late.day, endTime: '14:30' },
    problems: {},
  },
]

test.each(rows)('$why', ({ over, problems }) => {
  expect(problemsOf({ ...good, ...over }, now)).toEqual(problems)
})
