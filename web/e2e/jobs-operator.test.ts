// @module-tag exhaustive
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { toneFile } from '../../server/src/testing/files/sound.ts'
import { signInOver } from '../../server/src/testing/wire.ts'
import { address, chooseAction, chooseOption, confirmWith, password, see, useBrowser } from './console.ts'
import { job, openCounted, openMenu } from './jobs.ts'

useBrowser()
const files = ['Undecided one', 'Undecided two', 'Undecided three']
let page: Page
beforeAll(async () => {
  const user = await signInOver(address, 'user', password)
  for (const fileName of files)
    await user.ask(promptRoutes.upload, { waveFile: toneFile('x.wav', 1), fileName, promptCategory: 'thanks' })
  page = await openCounted('superadmin')
})
const to = () => page
const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text })

job({
  what: 'an operator approves three voice files at once',
  clicks: 5,
  page: to,
  run: async () => {
    await openMenu(page, 'Prompts for Approval')
    await page.getByRole('searchbox').fill('Undecided')
    await expect.poll(() => page.locator('tbody').getByRole('row').count()).toBe(files.length)
    await page.getByRole('checkbox', { name: /Choose all/ }).click()
    const bar = page.getByRole('toolbar', { name: 'What to do with the chosen ones' })
    await bar.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect.poll(() => page.locator('tbody').getByText('Approved', { exact: true }).count()).toBe(files.length)
  },
})

job({
  what: 'an operator adds a trunk and tests it',
  clicks: 9,
  page: to,
  run: async () => {
    await openMenu(page, 'Trunks')
    await page.getByRole('link', { name: 'Create Trunk' }).click()
    await page.getByLabel('Trunk name').fill('Jobs trunk')
    await page.getByLabel('Pilot number').fill('061-530099')
    await chooseOption(page, 'Dialer', 'Simulated dialer')
    await page.getByLabel('Channels').fill('30')
    await page.getByLabel('Calls per second').fill('5')
    await page.getByRole('button', { name: 'Create Trunk' }).click()
    await page.getByRole('heading', { level: 1, name: 'Trunks' }).waitFor()
    await chooseAction(page, 'Jobs trunk', 'Test')
    const dialog = page.getByRole('dialog', { name: 'Test of Jobs trunk' })
    await dialog.getByRole('button', { name: 'Ping' }).click()
    await dialog.getByText(/^it answers after/).waitFor()
  },
})

job({
  what: 'an operator stops all dialling and goes on',
  clicks: 6,
  page: to,
  run: async () => {
    await openMenu(page, 'Stop Calls and Messages')
    await page.getByLabel('Reason').fill('The operator asked us to')
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await confirmWith(page, 'The whole platform', 'Are you sure you want to stop dialling: The whole platform?')
    await rowOf('The operator asked us to').getByRole('button', { name: 'Allow dialling' }).click()
    await confirmWith(page, 'The whole platform', 'Are you sure you want to allow dialling again?')
    await rowOf('The operator asked us to').waitFor({ state: 'detached' })
  },
})

job({
  what: 'an operator adds a gateway',
  clicks: 4,
  page: to,
  run: async () => {
    await openMenu(page, 'Gateways')
    await page.getByRole('link', { name: 'Create Gateway' }).click()
    await page.getByLabel('Gateway name').fill('Jobs gateway')
    await page.getByLabel('Host').fill('127.0.0.1')
    await page.getByLabel('System ID').fill('jobs')
    await page.getByLabel('Password').fill('secret')
    await page.getByRole('button', { name: 'Create Gateway' }).click()
    await see(page, 'The gateway was created.')
    await rowOf('Jobs gateway').getByText('SMPP').waitFor()
  },
})
