// @module-tag exhaustive
// Cheaper: nothing; it is about the time that a frame takes, and finds a style that somebody gave to a row.
import { voiceCampaignRoutes, type CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { scheduled } from './campaign.ts'
import { goTo, openBrowser, useBrowser } from './console.ts'

useBrowser()

const rowsShown = 40
/** Enough for what the page has without its rows. */
const layersMax = 20

beforeAll(() => scheduled('In layers'))

/** The list's first row, as often as that. */
async function answerManyRows(page: Page): Promise<void> {
  const path = voiceCampaignRoutes.list.path.replace(':userId', '*')
  await page.route(`**${path}?*`, async (route) => {
    const response = await route.fetch()
    const [row] = (await response.json()) as CampaignRow[]
    await route.fulfill({
      response,
      json: Array.from({ length: rowsShown }, (_, n) => ({ ...row, campaignId: n + 1 })),
    })
  })
}

/** How many layers the browser has drawn the page into. */
async function layersOf(page: Page): Promise<() => number> {
  const cdp = await page.context().newCDPSession(page)
  let drawn = 0
  cdp.on('LayerTree.layerTreeDidChange', ({ layers }) => {
    if (layers) drawn = layers.filter(({ drawsContent }) => drawsContent).length
  })
  await cdp.send('LayerTree.enable')
  return () => drawn
}

const name = 'in %s no row of a list has a layer, for which each frame would pay'
type Scheme = 'light' | 'dark'

async function expectFewLayers(scheme: Scheme): Promise<void> {
  const page = await openBrowser({ as: 'user', colorScheme: scheme })
  await answerManyRows(page)
  await goTo(page, '/voice-campaign-summary?pageSize=50')
  await page
    .locator('tbody tr[data-row]')
    .nth(rowsShown - 1)
    .waitFor()
  const layers = await layersOf(page)
  await page.locator('tbody tr[data-row]').nth(3).hover()
  await expect.poll(layers, polling).toBeGreaterThan(0)
  expect(layers()).toBeLessThan(layersMax)
}

test.each<Scheme>(['light'])(name, expectFewLayers)
test.each<Scheme>(['dark'])(name, { tags: ['exhaustive'] }, expectFewLayers)
