import { expect, test } from 'vitest'
import { toComposeBody } from '../compose-body.ts'
import { freeName, nextName } from '../../../components/form/files/named-after-file.ts'
import { formOfComposed, hadMessages } from './composed-form.ts'
import { blankForm, baseIdOf } from '../form.ts'

test('a duplicate asks for the same, without its time and the addresses of its messages', () => {
  const form = formOfComposed({
    campaignName: 'Dashain',
    templateId: 1,
    cli: '015970001',
    baseId: 12,
    dtmf: '1,2,*',
    menuPId: 8,
    thanksPId: 9,
    menuWaitTime: 0,
    rePrompt: 3,
    smsSuccessApi: 'sms.example.com/…',
    callDurationSMS: 20,
    scheduleTime: '2026-11-21 14:15:00',
    retries: 2,
  })
  expect(form).toMatchObject({ scheduled: false, day: null })
  expect(baseIdOf(form)).toBe(12)
  const body = toComposeBody(form, 12)
  expect(form).toMatchObject({ smsSuccess: true, smsFail: false, callDurationSMS: '20' })
  expect(body).toMatchObject({ smsSuccessApi: '', smsFailApi: '', smsDtmfApi: '', callDurationSMS: '20' })
  expect(body).toMatchObject({
    campaignName: 'Dashain (2)',
    templateId: 1,
    cli: '015970001',
    dtmf: '1,2,*',
    menuPId: '8',
    thanksPId: '9',
    welcomePId: '',
    menuWaitTime: '0',
    rePrompt: '3',
    scheduleTime: '',
  })
})

test('a duplicate takes the texts of ours along, with their sender ID and seconds', () => {
  const composed = {
    templateId: 1,
    dtmf: '1,2',
    smsCli: 'GHANTI',
    smsSuccessText: 'Dear {name}',
    smsDtmfTexts: { 2: 'Two' },
    callDurationSMS: 15,
  }
  const form = formOfComposed(composed)
  const { dtmf: _, ...sent } = { ...composed, callDurationSMS: '15' }
  expect(toComposeBody(form, 12)).toMatchObject(sent)
  expect(form.smsFail).toBe(false)
  expect(hadMessages(composed), 'nothing is left out').toBe(false)
})

test('a duplicate gives its keys the same names', () => {
  const form = formOfComposed({ templateId: 1, dtmf: '1,2', keyLabels: { 1: 'Interested' } })
  expect(toComposeBody(form, 12)).toMatchObject({ keyLabels: { 1: 'Interested' } })
})

test('a duplicate says that addresses are left out where the campaign had asked for any', () => {
  expect(hadMessages({ smsDtmfApi: 'sms.example.com/…', callDurationSMS: 0 })).toBe(true)
  expect(hadMessages({ callDurationSMS: 0 })).toBe(false)
})

test('a duplicate of a call patch has its agents', () => {
  const agentRows = [{ agentNumber: '9851012345', agentDtmf: '1' }]
  expect(formOfComposed({ templateId: 2, agentRows }).agents).toEqual([{ number: '9851012345', key: '1' }])
})

test('fields that a campaign lacks, or has in another form, stay blank', () => {
  expect(formOfComposed({ templateId: 99, agentRows: 'none', cli: null })).toEqual({
    ...blankForm,
    contactsFrom: 'stored',
  })
})

test.each([
  { why: 'the second', name: 'Dashain', next: 'Dashain (2)' },
  { why: 'the next', name: 'Dashain (9)', next: 'Dashain (10)' },
  { why: 'a name of 100 characters stays one', name: 'x'.repeat(100), next: `${'x'.repeat(96)} (2)` },
  { why: 'none', name: '', next: '' },
])('the name of a duplicate: $why', ({ name, next }) => {
  expect(nextName(name)).toBe(next)
})

test('a file whose name is taken, in any case of letters, gets the next free number', () => {
  const taken = ['Members', 'members (2)', 'Customers (4)']
  expect(['MEMBERS', 'Members (2)', 'Customers (4)', 'Others', ''].map((name) => freeName(name, taken))).toEqual([
    'MEMBERS (3)',
    'Members (3)',
    'Customers (5)',
    'Others',
    '',
  ])
})
