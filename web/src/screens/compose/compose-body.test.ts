import { ComposeInput } from '@ghanti/contract/compose.ts'
import { promptTypes } from '@ghanti/contract/templates.ts'
import { expect, test } from 'vitest'
import { toComposeBody, toPreviewBody } from './compose-body.ts'
import { formOfComposed } from './opened/composed-form.ts'
import { blankForm, type ComposeForm } from './form.ts'
import { countableTexts } from './messages/sms-form.ts'

const form = (over: Partial<ComposeForm>): ComposeForm => ({
  ...blankForm,
  campaignName: ' Dashain ',
  template: '0',
  cli: '015970001',
  welcome: '7',
  menu: '8',
  thanks: '9',
  ...over,
})
const noMessages = { smsSuccessApi: '', smsFailApi: '', smsDtmfApi: '', callDurationSMS: 0 }
const always = { retries: 2, retryInterval: 10, channels: 30, ...noMessages }

test('template 0 sends its welcome file and no field of other templates', () => {
  expect(toComposeBody(form({ withThanks: true, keys: ['1'] }), 5)).toEqual({
    campaignName: 'Dashain',
    templateId: 0,
    cli: '015970001',
    baseId: 5,
    welcomePId: '7',
    scheduleTime: '',
    ...always,
  })
})

test('ticked messages after the call are sent, but none for keys where the template has none', () => {
  const address = 'https://sms.example.com/?to={PHONE}'
  const ticked = {
    smsSuccess: true,
    smsSuccessApi: ` ${address}`,
    callDurationSMS: '60',
    smsDtmf: true,
    smsDtmfApi: address,
  }
  const asked = { smsSuccessApi: address, smsFailApi: '', callDurationSMS: '60' }
  expect(toComposeBody(form(ticked), 5)).toMatchObject({ ...asked, smsDtmfApi: '' })
  expect(toComposeBody(form({ ...ticked, template: '1' }), 5)).toMatchObject({ ...asked, smsDtmfApi: address })
  expect(Object.keys(toPreviewBody(form(ticked), 5)).filter((field) => /sms/i.test(field))).toEqual([])
})

const ours: Partial<ComposeForm> = {
  template: '1',
  keys: ['2', '1'],
  smsCli: 'GHANTI',
  smsSuccess: true,
  smsSuccessBy: 'text',
  smsSuccessText: 'Dear {name}',
  smsSuccessApi: 'https://sms.example.com/?to={PHONE}',
  callDurationSMS: '20',
  smsFailText: 'not ticked',
  smsDtmf: true,
  smsDtmfBy: 'text',
  smsDtmfTexts: { '1': 'One', '2': ' ', '9': 'a key that was taken away' },
}

test('a text of ours is sent in the place of the address, of keys those that the template takes and that have one', () => {
  const sent = { smsCli: 'GHANTI', smsSuccessText: 'Dear {name}', smsDtmfTexts: { '1': 'One' }, callDurationSMS: '20' }
  expect(toComposeBody(form(ours), 5)).toMatchObject({ ...sent, smsSuccessApi: '', smsDtmfApi: '' })
  expect(toComposeBody(form(ours), 5)).not.toHaveProperty('smsFailText')
  const withoutKeys = toComposeBody(form({ ...ours, template: '0' }), 5)
  expect(withoutKeys).not.toHaveProperty('smsDtmfTexts')
  expect(ComposeInput.safeParse(withoutBlanks(toComposeBody(form(ours), 5))).error).toBeUndefined()
})

test('names of keys are sent of those that the template takes and that have one; the form keeps the others', () => {
  const named = form({
    template: '1',
    keys: ['2', '1'],
    keyLabels: { '1': ' Interested ', '2': ' ', '9': 'not chosen' },
  })
  expect(toComposeBody(named, 5)).toMatchObject({ keyLabels: { '1': 'Interested' } })
  expect(toComposeBody({ ...named, template: '0' }, 5)).not.toHaveProperty('keyLabels')
  expect(toComposeBody({ ...named, keys: ['9'] }, 5)).toMatchObject({ keyLabels: { '9': 'not chosen' } })
})

test('the preview counts texts as soon as their columns are known, and leaves out those that the file lacks', () => {
  const counted = (columns: string[] | null) => {
    const chosen = form(ours)
    return toPreviewBody(chosen, 5, countableTexts(chosen, columns))
  }
  expect(counted(null)).not.toHaveProperty('smsSuccessText')
  expect(counted(null)).toMatchObject({ smsDtmfTexts: { '1': 'One' } })
  expect(counted(['mobile', 'Name'])).toMatchObject({ smsSuccessText: 'Dear {name}', smsCli: 'GHANTI' })
  expect(counted(['mobile', 'who'])).not.toHaveProperty('smsSuccessText')
})

test('template 1 sends its keys in the order of a telephone and only the ticked files', () => {
  const body = toComposeBody(form({ template: '1', keys: ['*', '2', '1'], withThanks: true, menuWait: '0' }), 5)
  expect(body).toMatchObject({
    dtmf: '1,2,*',
    menuPId: '8',
    menuWaitTime: '0',
    rePrompt: '1',
    welcomePId: '',
    noInputPId: '',
    wrongInputPId: '',
    thanksPId: '9',
  })
})

test('template 2 sends its agents', () => {
  const agents = [{ number: '9851012345', key: '1' }]
  expect(toComposeBody(form({ template: '2', agents }), 5)).toMatchObject({
    agentRows: [{ agentNumber: '9851012345', agentDtmf: '1' }],
  })
  const filled = { agents, agentNumber: '+977 98510 54321', agentKey: '2' }
  expect(toComposeBody(form({ template: '2', ...filled }), 5), 'a filled row without Add').toMatchObject({
    agentRows: [
      { agentNumber: '9851012345', agentDtmf: '1' },
      { agentNumber: '9851054321', agentDtmf: '2' },
    ],
  })
})

test('a scheduled campaign carries its time in Nepal; without the tick what was chosen stays behind', () => {
  const chosen = { day: '2026-11-21', time: '14:15' }
  expect(toComposeBody(form({ ...chosen, scheduled: true }), 5).scheduleTime).toBe('2026-11-21 14:15:00')
  expect(toComposeBody(form(chosen), 5).scheduleTime).toBe('')
})

const files = Object.fromEntries(promptTypes.map((type, index) => [type, String(20 + index)]))

test.each<{ over: Partial<ComposeForm>; sent: object }>([
  {
    over: { template: '3', templateName: 'auto1', language: 'en', calendar: 'ad' },
    sent: {
      templateId: 3,
      templateName: 'auto1',
      language: 'en',
      calendar: 'ad',
      prompts: {
        welcome: [{ type: 'menu1', promptId: '20' }, { type: 'date1' }, { type: 'menu2', promptId: '21' }],
        optin: [{ type: 'optin1', promptId: '25' }, { type: 'token1' }, { type: 'optin2', promptId: '26' }],
      },
    },
  },
  { over: { template: '3', templateName: 'auto2' }, sent: { templateId: 4, templateName: 'auto2', calendar: 'bs' } },
  { over: { template: '3', templateName: 'auto3' }, sent: { templateId: 5, templateName: 'auto3' } },
  { over: { template: '4' }, sent: { templateId: 6, templateName: 'insurance1' } },
  { over: { template: '5' }, sent: { templateId: 7, templateName: 'service_reminder1' } },
  {
    over: { template: '6' },
    sent: {
      templateId: 8,
      templateName: 'consultancy',
      welcomePId: '7',
      menuWaitTime: '5',
      rePrompt: '1',
      prompts: {
        menus: [
          { promptId: '20', dtmf: '1|2|3' },
          { promptId: '21', dtmf: '1|2' },
          { promptId: '22', dtmf: '1|2|3' },
          { promptId: '23', dtmf: '1|2' },
          { promptId: '24', dtmf: '1|2' },
        ],
      },
    },
  },
])('the remapped id and the parts of $sent.templateName, which its duplicate sends again', ({ over, sent }) => {
  const body = toComposeBody(form({ ...files, ...over }), 5)
  expect(body).toMatchObject(sent)
  expect(ComposeInput.safeParse(withoutBlanks(body)).error).toBeUndefined()
  expect(toComposeBody(formOfComposed(body), 5)).toMatchObject(sent)
})

const withoutBlanks = (body: object) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''))

test('without a choice there is no template', () => {
  expect(toComposeBody(form({ template: '3' }), 5)).toMatchObject({ templateId: '' })
})

test('the server’s schema takes the body of each template', () => {
  for (const template of ['0', '1', '2']) {
    const agents = [{ number: '9851012345', key: '1' }]
    const body = toComposeBody(form({ template, keys: ['1'], agents }), 5)
    expect(ComposeInput.safeParse(withoutBlanks(body)).error).toBeUndefined()
  }
})

test('the preview does not send the name, which may be half typed', () => {
  const body = toPreviewBody(form({}), 5)
  expect(body).not.toHaveProperty('campaignName')
  expect(body).toMatchObject({ baseId: 5, templateId: 0, welcomePId: '7' })
})

test('an end is sent of a scheduled campaign alone, and only if it is ticked', () => {
  const end = { withEnd: true, endDay: '2026-11-22', endTime: '17:00' }
  const start = { day: '2026-11-22', time: '10:00' }
  const sent = toComposeBody(form({ ...start, ...end, scheduled: true }), 5)
  expect(sent).toMatchObject({ scheduleTime: '2026-11-22 10:00:00', notAfter: '2026-11-22 17:00:00' })
  expect(toComposeBody(form({ ...start, ...end, scheduled: false }), 5)).not.toHaveProperty('notAfter')
  expect(toComposeBody(form({ ...start, ...end, scheduled: true, withEnd: false }), 5)).not.toHaveProperty('notAfter')
})
