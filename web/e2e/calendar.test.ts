// @module-tag exhaustive
// Cheaper: server/src/modules/calendar/calendar.test.ts has whose campaigns and which moves, web/src/screens/calendar/plans.test.ts the days.
import { calendarRoutes } from '@ghanti/contract/calendar.ts'
import { campaignStatusCode, editableStatuses } from '@ghanti/contract/campaign-status.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { addDays, weekOf } from '@ghanti/contract/days.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { smsComposeRoutes } from '@ghanti/contract/sms-compose.ts'
import { smsCampaignRoutes } from '@ghanti/contract/sms-campaigns.ts'
import { smsSenderRoutes } from '@ghanti/contract/sms-senders.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { quickTime } from '../src/screens/compose/schedule/schedule.ts'
import {
  address,
  chooseAction,
  chooseOption,
  expectAccessible,
  openBrowser,
  password,
  see,
  useBrowser,
} from './console.ts'
import { job, openCounted, openMenu } from './jobs.ts'

useBrowser()
let page: Page
let api: Caller
let smsCampaignId: number
/** The week after this one: all of it is to come. */
const week = weekOf(addDays(nepalDayOf(new Date()), 7))
const monday = addDays(week.from, 1)
const to = () => page
let calls: Readonly<Record<string, unknown>>

beforeAll(async () => {
  api = await signInOver(address, 'user', password)
  const [[line], [welcome], [sender]] = await Promise.all([
    api.ask(lineRoutes.clisOfUser, { userId: api.userId }),
    api.ask(promptRoutes.list, { userId: api.userId, promptCategory: 'welcome', promptStatus: '1' }),
    api.ask(smsSenderRoutes.list, { userId: api.userId, cliStatus: '1' }),
  ])
  const { baseId } = await api.ask(contactRoutes.paste, { contactList: '9841770001' })
  calls = { templateId: 0, cli: line?.cli, welcomePId: welcome?.promptId, baseId }
  await api.ask(composeRoutes.compose, { ...calls, campaignName: 'On Monday', scheduleTime: `${monday} 10:00:00` })
  const message = { templateId: 0, cli: sender?.cliName, smsText: 'Namaste', contactList: '9841770001' }
  const sms = { ...message, campaignName: 'Notice of Monday', scheduleTime: `${monday} 12:00:00` }
  ;({ campaignId: smsCampaignId } = await api.ask(smsComposeRoutes.create, sms))
  page = await openCounted('user')
})
const timeOf = async (name: string) => {
  const { campaigns } = await api.ask(calendarRoutes.range, { userId: api.userId, ...week })
  return campaigns.find(({ campaignName }) => campaignName === name)?.scheduleTime
}
const chip = (name: string, on = page) => on.getByRole('button', { name: new RegExp(`^${name}, `) })
async function openWeek(): Promise<void> {
  await openMenu(page, 'Calendar')
  await page.getByRole('button', { name: 'Next week' }).click()
}

job({
  what: 'a manager drags a campaign to Wednesday, and takes that back',
  clicks: 5,
  page: to,
  run: async () => {
    await openWeek()
    const box = await chip('On Monday').boundingBox()
    const grid = await page.locator('[data-grid]').boundingBox()
    if (!box || !grid) throw new Error('nothing is drawn')
    await page.mouse.move(box.x + 20, box.y + 8)
    await page.mouse.down()
    await page.mouse.move(grid.x + (grid.width * 3.5) / 7, box.y + 8 + 40, { steps: 5 })
    await see(page, `On Monday: Wednesday, ${addDays(monday, 2)} 11:00.`)
    await page.mouse.up()
    await see(page, `“On Monday” starts at ${addDays(monday, 2)} 11:00.`)
    expect(await timeOf('On Monday')).toBe(`${addDays(monday, 2)} 11:00:00`)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => timeOf('On Monday')).toBe(`${monday} 10:00:00`)
    await expectAccessible(page, 'the calendar of a week')
  },
})

job({
  what: 'a manager moves a campaign of messages by the keys alone',
  clicks: 0,
  page: to,
  run: async () => {
    await page.goto(`/calendar?week=${week.from}`)
    await chip('Notice of Monday').focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
    const status = page.getByRole('status')
    await status.getByText(`Notice of Monday: Tuesday, ${addDays(monday, 1)} 12:30.`).waitFor()
    await page.keyboard.press('Escape')
    await status.getByText('Notice of Monday is back where it was.').waitFor()
    expect(await timeOf('Notice of Monday')).toBe(`${monday} 12:00:00`)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await see(page, `“Notice of Monday” starts at ${monday} 11:45.`)
    expect(await timeOf('Notice of Monday')).toBe(`${monday} 11:45:00`)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Notice of Monday')
  },
})

job({
  what: 'a manager gives a campaign of messages an end',
  clicks: 8,
  page: to,
  run: async () => {
    await openMenu(page, 'SMS Campaign Summary')
    await chooseAction(page, 'Notice of Monday', 'Change…')
    const dialog = page.getByRole('dialog', { name: 'Change “Notice of Monday”' })
    await dialog.getByText('No messages after a certain time').click()
    await dialog.getByLabel('No messages after: date').fill(monday)
    await chooseOption(page, 'No messages after: time', '17:00')
    await expectAccessible(page, 'the dialog that changes a campaign of messages')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await see(page, '“Notice of Monday” was changed.')
    const summary = await api.ask(smsCampaignRoutes.summary, { campaignId: smsCampaignId })
    expect([summary.notAfter, summary.sendUntil]).toEqual([true, `${monday} 17:00:00`])
  },
})

test('what has begun says why it is not moved, and so does what is over', async () => {
  await api.ask(composeRoutes.compose, { ...calls, campaignName: 'Begun' })
  const isEditable = async () => {
    const { campaigns } = await api.ask(calendarRoutes.range, { userId: api.userId, ...weekOf(nepalDayOf(new Date())) })
    const status = campaigns.find(({ campaignName }) => campaignName === 'Begun')?.campaignStatus
    return editableStatuses.some((one) => campaignStatusCode[one] === status)
  }
  await expect.poll(isEditable, polling).toBe(false)
  await page.goto('/calendar?view=list')
  await page.getByRole('button', { name: /Begun/ }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Begun' })
  await dialog.getByText('Only a campaign that has not begun can be moved.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Change…' }).count()).toBe(0)
  await expectAccessible(page, 'the dialog of a campaign in the calendar')
  await dialog.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('heading', { level: 1, name: 'Begun' }).waitFor()
})

test('a reseller sees the campaigns of customers, whose they are, and moves none', async () => {
  const reseller = await openBrowser({ as: 'reseller' })
  await reseller.goto(`/calendar?week=${week.from}`)
  await chip('On Monday', reseller).focus()
  await reseller.keyboard.press('ArrowDown')
  await reseller.getByRole('status').getByText('On Monday: Only its owner can move it.').waitFor()
  await chip('On Monday', reseller).click()
  await reseller.getByRole('dialog', { name: 'On Monday' }).getByText('user', { exact: true }).waitFor()
  expect(await timeOf('On Monday')).toBe(`${monday} 10:00:00`)
})

test('a time that is over is not taken', async () => {
  const { day, time } = quickTime('inAnHour', new Date())
  expect(time).toMatch(/^\d\d:\d\d$/)
  await page.goto(`/calendar?week=${weekOf(day).from}`)
  await api.ask(composeRoutes.compose, { ...calls, campaignName: 'Soon', scheduleTime: `${day} ${time}:00` })
  await page.reload()
  await chip('Soon').focus()
  for (let n = 0; n < 9; n++) await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Soon was not moved: that time has passed.').waitFor()
  const { campaigns } = await api.ask(calendarRoutes.range, { userId: api.userId, ...weekOf(day) })
  expect(campaigns.find(({ campaignName }) => campaignName === 'Soon')?.scheduleTime).toBe(`${day} ${time}:00`)
})

test('a week without a campaign says what it is for, and leads to composing one', async () => {
  await page.goto(`/calendar?week=${addDays(week.from, 140)}`)
  await see(page, 'Campaigns that begin in this week are listed here by day and hour. There are none yet.')
  expect(await page.getByText(/^Drag a campaign/).count()).toBe(0)
  await page.getByRole('main').getByRole('link', { name: 'Compose a campaign' }).click()
  await page.waitForURL(/\/add-voice-campaign$/)
})
