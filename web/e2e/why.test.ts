// @module-tag exhaustive
// Cheaper: web/src/screens/voice-campaigns/hold/hold.test.tsx has every cause for each role, server/src/voice/scheduler the decisions.
import { campaignStatusCode } from '@ghanti/contract/campaign-status.ts'
import { callingHoursRoutes } from '@ghanti/contract/calling-hours.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { freezingRoutes } from '@ghanti/contract/freezing.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { platformRoutes } from '@ghanti/contract/platform.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { rowOf } from './campaign.ts'
import { address, expectAccessible, goTo, openBrowser, password, useBrowser } from './console.ts'

useBrowser()
const name = 'Election day notice'
let campaignId: number
let owner: Caller
let provider: Caller
let boss: Caller
const pages: Partial<Record<'user2' | 'reseller' | 'superadmin', Page>> = {}

beforeAll(async () => {
  ;[owner, provider, boss] = await Promise.all([
    signInOver(address, 'user2', password),
    signInOver(address, 'reseller', password),
    signInOver(address, 'superadmin', password),
  ])
  const [line] = await owner.ask(lineRoutes.clisOfUser, { userId: owner.userId })
  const [welcome] = await owner.ask(promptRoutes.list, { userId: owner.userId, promptCategory: 'welcome' })
  // They answer and listen: two minutes of calls.
  const numbers = Array.from(
    { length: 2400 },
    (_, n) => `98417${String(Math.floor(n / 40)).padStart(3, '0')}${50 + (n % 40)}`,
  )
  const { baseId } = await owner.ask(contactRoutes.paste, { contactList: numbers.join('\n') })
  const composed = { campaignName: name, templateId: 0, cli: line?.cli, baseId, welcomePId: welcome?.promptId }
  ;({ campaignId } = await owner.ask(composeRoutes.compose, composed))
  // Before it has begun it waits, and is not held.
  const isRunning = async () => {
    const rows = await owner.ask(voiceCampaignRoutes.list, { userId: owner.userId, search: name })
    return rows.some(({ campaignStatus }) => campaignStatus === campaignStatusCode.running)
  }
  await vi.waitFor(async () => expect(await isRunning()).toBe(true), polling)
})
// The freeze ended its owner's session.
afterAll(() => provider.ask(voiceCampaignRoutes.stop, { campaignId, reason: 'The test is over' }))

/** The campaign's page as somebody opens it: nothing is clicked. */
async function opened(who: 'user2' | 'reseller' | 'superadmin'): Promise<ReturnType<Page['locator']>> {
  const page = (pages[who] ??= await openBrowser({ as: who }))
  await goTo(page, `/voice-campaign-summary/${campaignId}`, name)
  return page.getByRole('main')
}

/** The same reason on the row of the owner's list, and on the owner's dashboard. */
async function sameElsewhere(row: RegExp, dashboard: RegExp): Promise<void> {
  const page = (pages.user2 ??= await openBrowser({ as: 'user2' }))
  await goTo(page, '/voice-campaign-summary', 'Voice Campaign Summary')
  await rowOf(page, name).getByText(row).waitFor()
  await page.goto('/')
  await page.getByRole('main').getByText(dashboard).first().waitFor()
}

test('outside the calling hours everybody reads it, and who sets them has a button', async () => {
  const hours = {
    enabled: true,
    from: '00:00',
    to: '00:01',
    weekdays: [0, 1, 2, 3, 4, 5, 6],
    ownHours: [],
    holidays: [],
  }
  await boss.ask(callingHoursRoutes.saveException, { userId: owner.userId, hours, reason: 'Only at midnight' })
  onTestFinished(async () => void (await boss.ask(callingHoursRoutes.removeException, { userId: owner.userId })))
  await (await opened('user2')).getByText('Outside the calling hours. Goes on by itself.').waitFor()
  const main = await opened('superadmin')
  await main.getByRole('link', { name: `Calling hours: ${name}` }).waitFor()
  if (pages.superadmin) await expectAccessible(pages.superadmin, 'the page of a campaign outside the calling hours')
  await sameElsewhere(/^Outside calling hours/, /Outside calling hours/)
})

test('whoever paused it is named, and has the button that resumes it', async () => {
  await provider.ask(voiceCampaignRoutes.pause, { campaignId, reason: 'Please call us' })
  const main = await opened('user2')
  await main.getByText(/^reseller paused it\. Ask .+ Goes on when they resume it\./).waitFor()
  await main.getByText('Please call us').first().waitFor()
  expect(await main.getByRole('button', { name: 'Resume', exact: true }).count()).toBe(0)
  await (await opened('reseller')).getByText(/^You paused it\. Resume it to go on\./).waitFor()
  expect(await pages.reseller?.getByRole('button', { name: 'Resume', exact: true }).count()).toBe(1)
  await sameElsewhere(/Please call us/, /reseller paused it\./)
  await provider.ask(voiceCampaignRoutes.resume, { campaignId })
})

test('dialling that was stopped is the reason on the page and in the list', async () => {
  const { dialBlockId } = await boss.ask(platformRoutes.stopDialling, {
    kind: 'account',
    targetId: owner.userId,
    reason: 'Unpaid since Asoj',
  })
  await (
    await opened('user2')
  )
    .getByText(/stopped by the administrator: Unpaid since Asoj/)
    .first()
    .waitFor()
  await sameElsewhere(/Unpaid since Asoj/, /Unpaid since Asoj/)
  await boss.ask(platformRoutes.allowDialling, { dialBlockId })
})

test('a frozen account is what its provider reads, beside the button that lifts the freeze', async () => {
  // It ends the owner's sessions.
  await pages.user2?.close()
  await provider.ask(freezingRoutes.freeze, { userId: owner.userId, reason: 'The laptop is gone', calls: 'finish' })
  const main = await opened('reseller')
  await main
    .getByText(/The laptop is gone/)
    .first()
    .waitFor()
  await main.getByRole('button', { name: 'Lift the freeze' }).first().waitFor()
  await provider.ask(freezingRoutes.freeze, { userId: owner.userId, frozen: false, reason: 'It was found' })
})
