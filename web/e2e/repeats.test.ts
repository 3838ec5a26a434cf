// @module-tag exhaustive
// Cheaper: server/src/modules/repeats/repeats.test.ts has whom a repetition calls and when, web/src/screens/repeats/form.test.ts the form.
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { repeatRoutes } from '@ghanti/contract/repeats.ts'
import { setupRoutes } from '@ghanti/contract/setups.ts'
import { nepalDayOf, nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import type { Caller } from '../../server/src/testing/wire.ts'
import { chooseAction, chooseOption, confirmWith, desktop, expectAccessible, see, useBrowser } from './console.ts'
import { customersWord, job, newCustomer, openCounted, openMenu } from './jobs.ts'

useBrowser()
const dayMs = 24 * 3600_000
const inDays = (days: number) => nepalDayOf(new Date(Date.now() + days * dayMs))
let page: Page
let api: Caller
let setupId: number
let baseId: number
const to = () => page
beforeAll(async () => {
  api = await newCustomer('jobsrepeats', '015970821')
  const [[cli], [welcome]] = await Promise.all([
    api.ask(lineRoutes.clisOfUser, { userId: api.userId }),
    api.ask(promptRoutes.list, { userId: api.userId }),
  ])
  const fields = { templateId: 0, cli: cli?.cli, welcomePId: welcome?.promptId }
  ;({ setupId } = await api.ask(setupRoutes.save, { setupName: 'Dues', ...fields }))
  const text = `mobile,name,due\n9841880061,Sita,${inDays(9)}\n9841880062,Ram,${inDays(9)}\n9841880063,Gita,${inDays(12)}\n`
  const baseFile = new File([text], 'Members.csv', { type: 'text/csv' })
  ;({ baseId } = await api.ask(contactRoutes.baseUpload, { baseName: 'Members', baseFile }))
  page = await openCounted('jobsrepeats', customersWord)
})

job({
  what: 'a manager lets a campaign repeat every day',
  clicks: 8,
  page: to,
  run: async () => {
    await openMenu(page, 'Repeating Campaigns')
    await page.getByRole('link', { name: 'Repeat a Campaign' }).click()
    await page.getByLabel('Name').fill('Daily dues')
    await chooseOption(page, 'Set-up', 'Dues')
    await chooseOption(page, 'Contact file', /^Members /)
    await page.getByRole('region', { name: 'Next days' }).getByText(inDays(1)).waitFor()
    await expectAccessible(page, 'the form of a repeating campaign')
    await page.getByRole('button', { name: 'Start Repeating' }).click()
    await page.getByRole('heading', { level: 1, name: 'Daily dues' }).waitFor()
    await see(page, /Every day at 10:00/)
    await see(page, `Next: ${[1, 2, 3, 4, 5].map(inDays).join(', ')}`)
    await page.setViewportSize({ width: 375, height: 812 })
    const lines = await page
      .locator('h1 + p [data-whole]')
      .evaluateAll((dates) => dates.map((date) => date.getClientRects().length))
    expect(lines, 'no date is parted on a phone').toEqual([1, 1, 1, 1, 1, 1])
    await page.setViewportSize(desktop)
  },
})

job({
  what: 'a manager lets a campaign repeat ten times',
  tags: ['exhaustive'], // form.test.ts and repeats.test.ts of the server have these days
  clicks: 9,
  page: to,
  run: async () => {
    await openMenu(page, 'Repeating Campaigns')
    await page.getByRole('link', { name: 'Repeat a Campaign' }).click()
    await page.getByLabel('Name').fill('Ten times')
    await chooseOption(page, 'Set-up', 'Dues')
    await chooseOption(page, 'Contact file', /^Members /)
    await page.getByText('After a number of times').click()
    await page.getByText(`The last one is on ${inDays(10)}.`).waitFor()
    await expectAccessible(page, 'the form of a campaign that repeats a number of times')
    await page.getByRole('button', { name: 'Start Repeating' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ten times' }).waitFor()
    await see(page, new RegExp(`until ${inDays(10)}`))
  },
})

job({
  what: 'a manager has people called three days before a date of theirs',
  tags: ['exhaustive'], // form.test.ts and repeats.test.ts of the server have these days
  clicks: 11,
  page: to,
  run: async () => {
    await openMenu(page, 'Repeating Campaigns')
    await page.getByRole('link', { name: 'Repeat a Campaign' }).click()
    await page.getByLabel('Name').fill('Before they are due')
    await chooseOption(page, 'Set-up', 'Dues')
    await chooseOption(page, 'Contact file', /^Members /)
    await page.getByText('On a date in the contact file').click()
    await chooseOption(page, 'Column with the date', 'due')
    const next = page.getByRole('region', { name: 'Next days' })
    await next.getByText(`${inDays(6)}: 2 rows`).waitFor()
    await next.getByText(`${inDays(9)}: 1 row`).waitFor()
    await page.getByRole('button', { name: 'Start Repeating' }).click()
    await see(page, /3 days before “due”, at 10:00/)
  },
})

job({
  what: 'a manager pauses a repeating campaign, resumes it and ends it',
  clicks: 11,
  page: to,
  run: async () => {
    await openMenu(page, 'Repeating Campaigns')
    await chooseAction(page, 'Daily dues', 'Pause')
    const pause = 'Are you sure you want to pause it? Days that pass meanwhile are skipped.'
    await confirmWith(page, 'Daily dues', pause)
    const row = page.getByRole('row').filter({ hasText: 'Daily dues' })
    await row.getByText('Paused').waitFor()
    await chooseAction(page, 'Daily dues', 'Resume')
    const resume = 'Are you sure you want to resume it? It continues with the next day that is still to come.'
    await confirmWith(page, 'Daily dues', resume)
    await row.getByText('Active').waitFor()
    await chooseAction(page, 'Daily dues', 'End')
    const end = 'Are you sure you want to end it for good? Campaigns that it composed continue.'
    await confirmWith(page, 'Daily dues', end)
    await row.getByText('Ended').waitFor()
  },
})

job({
  what: 'a manager sees the campaign that a repeating one composed',
  clicks: 4,
  page: to,
  run: async () => {
    // Its time is in a few minutes, so its campaign is composed at once.
    const soon = nepalTimeOf(new Date(Date.now() + 10 * 60_000))
    const rule = { rule: 'weekly', weekdays: [0, 1, 2, 3, 4, 5, 6], time: soon.slice(11, 16) } as const
    const days = { fromDay: soon.slice(0, 10), untilDay: inDays(9) }
    await api.ask(repeatRoutes.create, { repeatName: 'At once', setupId, baseId, ...rule, ...days })
    await openMenu(page, 'Repeating Campaigns')
    const row = page.getByRole('row').filter({ hasText: 'At once' })
    const said = async () => {
      await page.reload()
      return await row.textContent()
    }
    await expect.poll(said, { ...polling, interval: 1000 }).toContain('Composed')
    await row.getByRole('link', { name: 'At once' }).click()
    const name = `At once ${soon.slice(0, 10)}`
    await page.getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  },
})
