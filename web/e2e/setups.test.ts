// @module-tag exhaustive
// Cheaper: server/src/modules/setups/setups.test.ts has the rules, web/src/screens/new-from/choice.test.ts the choice.
import { setupRoutes } from '@ghanti/contract/setups.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Caller } from '../../server/src/testing/wire.ts'
import { rowOf } from './campaign.ts'
import { chooseAction, chooseOption, confirmWith, expectAccessible, see, useBrowser } from './console.ts'
import { customersWord, job, newCustomer, openCounted, openMenu } from './jobs.ts'

useBrowser()
let page: Page
let api: Caller
const to = () => page
beforeAll(async () => {
  api = await newCustomer('jobssetups', '015970811')
  page = await openCounted('jobssetups', customersWord)
})

job({
  what: 'a manager keeps what a form holds as a set-up',
  clicks: 5,
  page: to,
  run: async () => {
    await openMenu(page, 'Compose Voice Campaign')
    await page.getByRole('group', { name: 'Template' }).getByText('Simple IVR', { exact: true }).click()
    await chooseOption(page, 'Welcome file', 'Welcome.wav')
    await page.getByRole('button', { name: 'Save as set-up…' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Save as set-up' })
    await dialog.getByLabel('Name of the set-up').fill('Dues')
    await expectAccessible(page, 'the dialog that saves a set-up')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await see(page, 'The set-up “Dues” was saved.')
  },
})

job({
  what: 'a manager launches a campaign from a set-up',
  clicks: 6,
  page: to,
  run: async () => {
    await openMenu(page, 'Set-ups')
    await page.getByRole('link', { name: 'Use “Dues”' }).click()
    await see(page, 'From the set-up “Dues”')
    await expect.poll(() => page.getByRole('combobox', { name: 'Welcome file' }).inputValue()).toBe('Welcome.wav')
    const name = await page.getByLabel('Campaign name').inputValue()
    expect(name).toMatch(/^Dues \d{4}-\d\d-\d\d$/)
    await page.getByLabel('List of numbers').fill('9841880051')
    await page.getByRole('complementary', { name: 'Estimate' }).getByRole('button', { name: 'Send Now' }).click()
    await page.getByRole('dialog', { name: 'Review' }).getByRole('button', { name: 'Send Now' }).click()
    await page.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'OK' }).click()
    await rowOf(page, name).waitFor()
  },
})

job({
  what: 'a manager keeps a campaign as a set-up, renames it and deletes it',
  clicks: 12,
  page: to,
  run: async () => {
    await openMenu(page, 'Voice Campaign Summary')
    const name =
      (await page
        .getByRole('row')
        .getByRole('link', { name: /^Dues / })
        .textContent()) ?? ''
    await chooseAction(page, name, 'Save as set-up…')
    const dialog = page.getByRole('dialog', { name: 'Save as set-up' })
    await dialog.getByLabel('Name of the set-up').fill('From a campaign')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await see(page, 'The set-up “From a campaign” was saved.')
    await openMenu(page, 'Set-ups')
    await chooseAction(page, 'From a campaign', 'Rename…')
    const renaming = page.getByRole('dialog', { name: 'Rename “From a campaign”' })
    await renaming.getByLabel('Name of the set-up').fill('Second')
    await renaming.getByRole('button', { name: 'Save' }).click()
    await see(page, 'The set-up is now called “Second”.')
    await chooseAction(page, 'Second', 'Delete')
    const question = 'Are you sure you want to delete this set-up? Campaigns that were made from it stay.'
    await confirmWith(page, 'Second', question)
    expect((await api.ask(setupRoutes.list)).map(({ setupName }) => setupName)).toEqual(['Dues'])
  },
})

job({
  what: 'a manager uses a set-up whose voice file is gone',
  clicks: 3,
  page: to,
  run: async () => {
    const [welcome] = await api.ask(promptRoutes.list, { userId: api.userId })
    await api.ask(promptRoutes.delete, { promptId: welcome?.promptId })
    await openMenu(page, 'Set-ups')
    await page.getByRole('link', { name: 'Use “Dues”' }).click()
    await see(page, 'Gone since it was saved: the voice file “Welcome”.')
  },
})
