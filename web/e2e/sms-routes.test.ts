// @module-tag exhaustive
// Cheaper: server/src/modules/sms-routes/sms-routes.test.ts has the rules, web/e2e/screens.test.ts the form.
import type { Page } from 'playwright-core'
import { beforeAll, test } from 'vitest'
import { chooseAction, confirmWith, goTo, openBrowser, seeDone, useBrowser, expectRefusals } from './console.ts'

useBrowser()
let admin: Page
beforeAll(async () => {
  admin = await openBrowser({ as: 'superadmin' })
})
const rowOf = (name: string) => admin.getByRole('row').filter({ hasText: name })
const form = () => admin.getByRole('dialog')

async function chooseGateway(at: number): Promise<void> {
  await form().getByRole('combobox', { name: 'Gateway' }).nth(at).click()
  await admin.getByRole('listbox').getByRole('option').first().click()
}

test('a route of a sender ID is refused at its fields, created, changed and deleted', async () => {
  await goTo(admin, '/sms-routes', 'Message Routes')
  await admin.getByText('Without a route it waits, and its campaign says so.').waitFor()
  await admin.getByRole('button', { name: 'Create Route' }).click()
  await form().getByLabel('Sender ID').fill('RouteTest')
  await form().getByRole('button', { name: 'Create Route' }).click()
  await form().getByText('Gateway is required').waitFor()
  await chooseGateway(0)
  await form().getByRole('button', { name: 'Add a Gateway' }).click()
  await chooseGateway(1)
  await form().getByRole('textbox', { name: 'Weight' }).first().fill('101')
  expectRefusals(400)
  await form().getByRole('button', { name: 'Create Route' }).click()
  await form().getByText('Weight must be a whole number from 1 to 100', { exact: true }).waitFor()
  await form().getByRole('textbox', { name: 'Weight' }).first().fill('7')
  await form().getByRole('button', { name: 'Create Route' }).click()
  await form().getByText('Gateways names one of them twice').first().waitFor()
  expectRefusals()
  await form().getByRole('button', { name: 'Remove gateway 2' }).click()
  await form().getByRole('button', { name: 'Create Route' }).click()
  await seeDone(admin, 'The route was created.')
  await rowOf('RouteTest').getByText('weight 7').waitFor()
  const name = 'Nepal Telecom, Ncell, Smart Telecom, Other operators · RouteTest'
  await chooseAction(admin, name, 'Update')
  await form().getByLabel('Other operators').uncheck()
  await form().getByRole('button', { name: 'Update Route' }).click()
  await seeDone(admin, 'The route was updated.')
  await chooseAction(admin, 'Nepal Telecom, Ncell, Smart Telecom · RouteTest', 'Delete')
  await confirmWith(
    admin,
    'Nepal Telecom, Ncell, Smart Telecom · RouteTest',
    'Are you sure you want to delete this route? Messages that have no other route wait until there is one.',
  )
  await rowOf('RouteTest').waitFor({ state: 'detached' })
})

test('operators that no route of all other sender IDs leads to are named', async () => {
  await goTo(admin, '/sms-routes', 'Message Routes')
  await chooseAction(admin, 'Nepal Telecom, Ncell, Smart Telecom, Other operators · All others', 'Update')
  await form().getByLabel('Smart Telecom').uncheck()
  await form().getByRole('button', { name: 'Update Route' }).click()
  await admin.getByText('The routes for all other sender IDs do not cover Smart Telecom').waitFor()
  await chooseAction(admin, 'Nepal Telecom, Ncell, Other operators · All others', 'Update')
  await form().getByLabel('Smart Telecom').check()
  await form().getByRole('button', { name: 'Update Route' }).click()
  await admin.getByText('The routes for all other sender IDs do not cover Smart Telecom').waitFor({ state: 'detached' })
})
