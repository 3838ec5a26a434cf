// @module-tag exhaustive
// Cheaper: server/src/modules/contracts/contracts.test.ts has the rules, web/e2e/screens.test.ts the screen.
import { beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import {
  chooseAction,
  chooseOption,
  confirmWith,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  see,
  seeDone,
  useBrowser,
} from './console.ts'
import { polling } from '../../server/src/testing/timeouts.ts'

useBrowser()
let admin: Page
const contract = 'Nepal Telecom 300'
beforeAll(async () => {
  admin = await openBrowser({ as: 'superadmin' })
})

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const shows = (name: string, column: string, text: string | RegExp) =>
  expect.poll(() => rowOf(admin, name).locator(`td[data-label="${column}"]`).innerText(), polling).toMatch(text)

test('a contract is made, given to a trunk, changed, and deleted only when no trunk belongs to it', async () => {
  await goTo(admin, '/contracts', 'Operator Contracts')
  await admin.getByRole('button', { name: 'Create Contract' }).click()
  const form = admin.getByRole('dialog', { name: 'Create Contract' })
  const submit = form.getByRole('button', { name: 'Create Contract' })
  await submit.click()
  for (const field of ['Contract name', 'Channels', 'Calls per second']) await see(admin, `${field} is required`)
  await form.getByLabel('Contract name').fill(contract)
  await form.getByLabel('Channels').fill('300')
  await form.getByLabel('Calls per second').fill('0')
  expectRefusals(400)
  await submit.click()
  await form
    .getByText(/Calls per second must be/)
    .first()
    .waitFor()
  expectRefusals()
  await form.getByLabel('Calls per second').fill('30')
  await submit.click()
  await seeDone(admin, 'The contract was created. Choose it in the form of each trunk that belongs to it.')
  await shows(contract, 'Channels', '0 of 300')
  await shows(contract, 'Trunks', 'No trunk belongs to it')
  await expectAccessible(admin, 'the list of contracts')

  await goTo(admin, '/trunk-list', 'Trunks')
  const first = admin.locator('td[data-label="Trunk Name"] a').first()
  const trunk = await first.innerText()
  await first.click()
  await chooseOption(admin, 'Contract', contract)
  await admin.getByRole('button', { name: 'Update Trunk' }).click()
  await admin.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'OK' }).click()
  await shows(trunk, 'Trunk Name', `Contract ${contract}`)

  await goTo(admin, '/contracts', 'Operator Contracts')
  await shows(contract, 'Trunks', trunk)
  await rowOf(admin, contract)
    .getByRole('button', { name: `Take Action: ${contract}`, exact: true })
    .click()
  await see(admin, 'Trunks belong to it: 1. Take them out first.')
  await admin.keyboard.press('Escape')
  await chooseAction(admin, contract, 'Update')
  await admin.getByRole('dialog', { name: 'Update Contract' }).getByLabel('Channels').fill('250')
  await admin.getByRole('dialog', { name: 'Update Contract' }).getByRole('button', { name: 'Update Contract' }).click()
  await seeDone(admin, /Dialers keep to it within two seconds/)
  await shows(contract, 'Channels', 'of 250')

  await goTo(admin, '/trunk-list', 'Trunks')
  await admin.getByRole('link', { name: trunk, exact: true }).click()
  await expect.poll(() => admin.getByRole('combobox', { name: 'Contract' }).inputValue(), polling).toBe(contract)
  await chooseOption(admin, 'Contract', contract) // once more: none
  await admin.getByRole('button', { name: 'Update Trunk' }).click()
  await admin.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'OK' }).click()
  await goTo(admin, '/contracts', 'Operator Contracts')
  await chooseAction(admin, contract, 'Delete')
  await confirmWith(admin, contract, 'Are you sure you want to delete this contract?')
  await rowOf(admin, contract).waitFor({ state: 'detached' })
})
