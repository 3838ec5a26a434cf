// @module-tag exhaustive
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, vi } from 'vitest'
import { toneFile } from '../../server/src/testing/files/sound.ts'
import { polling } from '../../server/src/testing/timeouts.ts'
import type { Caller } from '../../server/src/testing/wire.ts'
import { rowOf } from './campaign.ts'
import { bytesOf, chooseAction, chooseOption, confirmWith, downloadedBy, see, useBrowser } from './console.ts'
import { customersWord, job, newCustomer, openCounted, openMenu, pickFile } from './jobs.ts'

useBrowser()
const name = 'jobsmanager'
const yesterday = 'Yesterday’s dues'
const running = 'Long survey'
let page: Page
let api: Caller
beforeAll(async () => {
  api = await newCustomer(name, '015970801')
  const [[cli], [welcome]] = await Promise.all([
    api.ask(lineRoutes.clisOfUser, { userId: api.userId }),
    api.ask(promptRoutes.list, { userId: api.userId }),
  ])
  const compose = async (campaignName: string, numbers: readonly string[]) => {
    const { baseId } = await api.ask(contactRoutes.paste, { contactList: numbers.join('\n') })
    const what = { templateId: 0, cli: cli?.cli, baseId, welcomePId: welcome?.promptId }
    return (await api.ask(composeRoutes.compose, { campaignName, ...what, retries: 0 })).campaignId
  }
  // 50 answers, 02 never does.
  const campaignId = await compose(yesterday, ['9841880050', '9841880002'])
  const isOver = async () => expect((await api.ask(campaignDetailRoutes.detail, { campaignId })).campaignStatus).toBe(2)
  await vi.waitFor(isOver, polling)
  await compose(
    running,
    Array.from({ length: 1200 }, (_, n) => `98418${String(Math.floor(n / 40)).padStart(3, '0')}${50 + (n % 40)}`),
  )
  page = await openCounted(name, customersWord)
})
const to = () => page

async function launch(): Promise<void> {
  await page.getByRole('complementary', { name: 'Estimate' }).getByRole('button', { name: 'Send Now' }).click()
  await page.getByRole('dialog', { name: 'Review' }).getByRole('button', { name: 'Send Now' }).click()
  await page.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'OK' }).click()
  await page.getByRole('heading', { level: 1, name: 'Voice Campaign Summary' }).waitFor()
}

job({
  what: 'a manager pauses a running campaign',
  clicks: 2,
  page: to,
  run: async () => {
    await page.getByRole('button', { name: `Pause: ${running}` }).click()
    await confirmWith(page, running, 'Are you sure you want to pause this campaign?')
    await page.getByRole('button', { name: `Resume: ${running}` }).waitFor()
  },
})

job({
  what: 'a manager composes a campaign and launches it',
  clicks: 7,
  page: to,
  run: async () => {
    await openMenu(page, 'Compose Voice Campaign')
    await page.getByLabel('Campaign name').fill('Today’s dues')
    await page.getByRole('group', { name: 'Template' }).getByText('Simple IVR', { exact: true }).click()
    await chooseOption(page, 'Welcome file', 'Welcome.wav')
    await page.getByLabel('List of numbers').fill('9841880051')
    await launch()
    await rowOf(page, 'Today’s dues').waitFor()
  },
})

job({
  what: 'a manager sends yesterday’s campaign again',
  clicks: 7,
  page: to,
  run: async () => {
    await openMenu(page, 'Voice Campaign Summary')
    await chooseAction(page, yesterday, 'Duplicate')
    await see(page, `Copy of “${yesterday}”`)
    await page.getByLabel('Campaign name').fill('Dues once more')
    await launch()
    await rowOf(page, 'Dues once more').waitFor()
  },
})

job({
  what: 'a manager downloads the report of a campaign',
  clicks: 4,
  page: to,
  run: async () => {
    await openMenu(page, 'Voice Campaign Summary')
    const { name: file } = await downloadedBy(page, () => chooseAction(page, yesterday, 'Download Report'))
    expect(file).toMatch(/\.zip$/)
  },
})

job({
  what: 'a manager calls those whom a campaign did not reach',
  clicks: 11,
  page: to,
  run: async () => {
    await openMenu(page, 'Voice Campaign Summary')
    await chooseAction(page, yesterday, 'New campaign from…')
    await page.getByRole('dialog').getByRole('button', { name: 'Make and compose' }).click()
    const stored = page.getByRole('combobox', { name: 'Stored contact file' })
    await expect.poll(() => stored.inputValue(), polling).toMatch(/not reached · 1 /)
    await page.getByLabel('Campaign name').fill('Those who were out')
    await page.getByRole('group', { name: 'Template' }).getByText('Simple IVR', { exact: true }).click()
    await chooseOption(page, 'Welcome file', 'Welcome.wav')
    await launch()
    await rowOf(page, 'Those who were out').waitFor()
  },
})

job({
  what: 'a manager uploads a voice file',
  clicks: 7,
  page: to,
  run: async () => {
    await openMenu(page, 'Upload Voice File')
    await pickFile(page, page.locator('input[type=file]'), await bytesOf(toneFile('Dashain.wav', 1)))
    await chooseOption(page, 'Category', 'Welcome')
    await page.getByRole('button', { name: 'Upload File' }).click()
    await page.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'OK' }).click()
    await page.getByRole('row').filter({ hasText: 'Dashain.wav' }).getByText('Pending').waitFor()
  },
})

job({
  what: 'a manager uploads contacts',
  clicks: 4,
  page: to,
  run: async () => {
    await openMenu(page, 'Contact Files')
    const members = new File(['mobile,name\n9841880060,Sita\n'], 'Members.csv', { type: 'text/csv' })
    await pickFile(page, page.getByRole('button', { name: 'Upload Contacts' }), await bytesOf(members))
    await page.getByRole('button', { name: 'Save contact file' }).click()
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    await page.getByRole('cell', { name: 'Sita' }).waitFor()
  },
})
