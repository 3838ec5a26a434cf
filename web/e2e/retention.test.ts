// @module-tag exhaustive
// Cheaper: server/src/modules/retention/archive.test.ts and server/src/voice/invariants/deleted.test.ts have the rules.
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { fillIn, rowOf, send, untilStatus } from './campaign.ts'
import { address, chooseAction, expectAccessible, goTo, openBrowser, password, see, useBrowser } from './console.ts'

useBrowser()
let page: Page
let reseller: Caller
const name = 'Shown no more'
beforeAll(async () => {
  page = await openBrowser({ as: 'user' })
  reseller = await signInOver(address, 'reseller', password)
  await fillIn(page, { name, template: 'Simple IVR', contacts: '9841660011' })
  await send(page)
  await untilStatus(page, name, 'Complete')
})
const gone = () => expect.poll(() => rowOf(page, name).count()).toBe(0)
const archived = (which: string) => goTo(page, `/voice-campaign-summary?archived=${which}`, 'Voice Campaign Summary')

test('a campaign that is over is archived, found by the filter alone, and brought back', async () => {
  await chooseAction(page, name, 'Archive')
  await see(page, `“${name}” is archived: the filter “Archived” shows it.`)
  await gone()
  await archived('only')
  await rowOf(page, name).getByText('archived').waitFor()
  await chooseAction(page, name, 'Bring back from the archive')
  await gone()
  await goTo(page, '/voice-campaign-summary', 'Voice Campaign Summary')
  await rowOf(page, name).waitFor()
})

test('it is deleted once its name is typed; its owner and the reseller see that it was, and no number', async () => {
  await chooseAction(page, name, 'Delete for good…')
  const dialog = page.getByRole('dialog', { name: `Delete “${name}”` })
  const button = dialog.getByRole('button', { name: 'Delete for good' })
  expect(await button.isDisabled()).toBe(true)
  await dialog.getByLabel('Type the name of the campaign').fill('Another')
  await dialog.getByText('This is not its name.').waitFor()
  await expectAccessible(page, 'the question before a campaign is deleted')
  await dialog.getByLabel('Type the name of the campaign').fill(name)
  await button.click()
  await see(page, `“${name}” is deleted; its last numbers are removed within minutes.`)
  await gone()
  await archived('only')
  await rowOf(page, name).getByText('(deleted)', { exact: false }).waitFor()
  const [row] = await reseller.ask(voiceCampaignRoutes.list, {
    userId: reseller.userId,
    archived: 'only',
    search: name,
  })
  const { campaignId } = row ?? { campaignId: 0 }
  await expect
    .poll(async () => (await reseller.ask(campaignDetailRoutes.attempts, { campaignId })).map(({ mobile }) => mobile))
    .toEqual(['(deleted)'])
  await goTo(page, `/voice-campaign-summary/${campaignId}`, name)
  await page.getByRole('table', { name: 'Attempts' }).getByText('(deleted)').first().waitFor()
})
