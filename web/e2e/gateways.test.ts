// @module-tag exhaustive
// Cheaper: server/src/modules/sms-gateways/sms-gateways.test.ts has the rules and the secrets, web/e2e/screens.test.ts the form.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import {
  chooseAction,
  chooseOption,
  seeSummed,
  confirmWith,
  expectRefusals,
  goTo,
  openBrowser,
  seeDone,
  useBrowser,
} from './console.ts'

useBrowser()
let admin: Page
beforeAll(async () => {
  admin = await openBrowser({ as: 'superadmin' })
})
const rowOf = (name: string) => admin.getByRole('row').filter({ hasText: name })

test('a gateway is created, refused where the demo may not reach, changed with its secret kept, disabled and deleted', async () => {
  await goTo(admin, '/create-gateway', 'Create Gateway')
  await admin.getByLabel('Gateway name').fill('Ncell')
  await admin.getByLabel('Host').fill('smsc.example.com')
  await admin.getByLabel('System ID').fill('ghanti')
  await admin.getByLabel('Password').fill('secret')
  expectRefusals(400)
  await admin.getByRole('button', { name: 'Create Gateway' }).click()
  await seeSummed(admin, 'must be this machine')
  expectRefusals()
  await admin.getByLabel('Host').fill('127.0.0.1')
  await admin.getByRole('button', { name: 'Create Gateway' }).click()
  await seeDone(admin, 'The gateway was created.')
  await rowOf('Ncell').getByText('SMPP').waitFor()
  await chooseAction(admin, 'Ncell', 'Update')
  await admin.getByText('Stored. Leave empty to keep it.').waitFor()
  await admin.getByLabel('Segments a second').fill('25')
  await admin.getByRole('button', { name: 'Update Gateway' }).click()
  await seeDone(admin, 'The gateway was updated.')
  await chooseAction(admin, 'Ncell', 'Disable')
  await confirmWith(admin, 'Ncell', 'Are you sure you want to disable this gateway? Nothing more is sent through it.')
  await rowOf('Ncell').getByText('Disabled').waitFor()
  await chooseAction(admin, 'Ncell', 'Delete')
  await confirmWith(admin, 'Ncell', 'Are you sure you want to delete this gateway?')
  await rowOf('Ncell').waitFor({ state: 'detached' })
})

test('the usual form of local aggregators is filled in at once', async () => {
  await goTo(admin, '/create-gateway', 'Create Gateway')
  await chooseOption(admin, 'Kind', 'HTTP')
  await admin.getByRole('button', { name: 'Fill in the usual form of local aggregators' }).click()
  await admin.getByLabel('Gateway name').fill('Aggregator')
  await admin.getByLabel('Address').fill('http://127.0.0.1:9/sms')
  await admin.getByLabel('Token').fill('secret')
  await admin.getByLabel('A reply means success when').fill('$.status')
  await admin.getByLabel('Secret of the callback').fill('sixteen letters!')
  await admin.getByLabel('Receipt: parameter of the ID').fill('msgid')
  await admin.getByLabel('Receipt: statuses that mean delivered').fill('DELIVRD, 1')
  await chooseOption(admin, 'A message without a receipt for 72 hours', 'Never charged')
  expectRefusals(400)
  await admin.getByRole('button', { name: 'Create Gateway' }).click()
  await seeSummed(admin, 'is no rule: write it like $.status = 200, or a text like OK*')
  expectRefusals()
  await admin.getByLabel('A reply means success when').fill('$.status = 200')
  await admin.getByLabel('Receipt: parameter of the status').fill('st')
  await admin.getByRole('button', { name: 'Create Gateway' }).click()
  await seeDone(admin, 'The gateway was created.')
  await rowOf('Aggregator').getByText('HTTP').waitFor()
  await chooseAction(admin, 'Aggregator', 'Update')
  await admin.getByText('/app/sms/callback/').waitFor()
  expect(await admin.getByLabel('Receipt: statuses that mean delivered').inputValue()).toBe('DELIVRD, 1')
  expect(await admin.getByLabel('Secret of the callback').inputValue()).toBe('')
  expect(await admin.getByLabel('A message without a receipt for 72 hours').inputValue()).toBe('Never charged')
})

test('the form of Kannel is filled in with its receipts, and the page tells what became of receipts', async () => {
  await goTo(admin, '/create-gateway', 'Create Gateway')
  await chooseOption(admin, 'Kind', 'HTTP')
  await admin.getByRole('button', { name: 'Fill in the form of Kannel' }).click()
  await admin.getByLabel('Gateway name').fill('Kannel')
  await admin.getByLabel('Token').fill('secret')
  expectRefusals(400)
  await admin.getByRole('button', { name: 'Create Gateway' }).click()
  await seeSummed(admin, 'is required: {callback} stands in the request')
  expectRefusals()
  await admin.getByLabel('Secret of the callback').fill('sixteen letters!')
  await admin.getByRole('button', { name: 'Create Gateway' }).click()
  await seeDone(admin, 'The gateway was created.')
  await chooseAction(admin, 'Kannel', 'Update')
  await admin.getByRole('heading', { name: 'Receipts so far' }).waitFor()
  expect(await admin.getByLabel('Receipt: statuses that are not final').inputValue()).toBe('4, 8')
  expect(await admin.getByLabel('Address').inputValue()).toContain('coding={coding}')
  const callback = new URL(admin.url()).pathname.split('/').at(-1) ?? ''
  const said = await admin.request.get(`/app/sms/callback/${callback}?secret=sixteen+letters!&what=9841000001`)
  expect(await said.text()).toBe('OK')
  await admin.reload()
  await admin.getByRole('cell', { name: '{"what":"98xxxxxx01"}' }).waitFor()
})
