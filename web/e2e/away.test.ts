import { readFile } from 'node:fs/promises'
import * as path from 'node:path'
import { platformRoutes } from '@ghanti/contract/platform.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import type { ViteManifest } from '../build/closure.ts'
import { fillIn, mark } from './campaign.ts'
import { address, expectAccessible, expectRefusals, goTo, openBrowser, password, useBrowser } from './console.ts'
import { openGroupOf } from './menu.ts'

/** The walk before them has a part that does not arrive, and comes back. */
const exhaustive = { tags: ['exhaustive'] }

useBrowser()
let page: Page
beforeAll(async () => {
  page = await openBrowser({ as: 'user' })
})

/** The screen; a part of the frame around it that comes later may be missing, too. */
const notLoaded = () => page.getByRole('main').getByRole('alert').filter({ hasText: 'This could not be loaded' })
const menu = () => page.getByRole('navigation', { name: 'Main menu' })
const dashboard = () => page.getByRole('heading', { level: 1, name: 'Dashboard' })
/** How the browser logs a request without an answer. */
const noAnswer = Number.NaN

/** What the build calls a part of the console: 'console/HolE217.js'. */
async function fileOf(part: string): Promise<string> {
  const text = await readFile(path.join(import.meta.dirname, '../dist/.vite/manifest.json'), 'utf8')
  const { file } = (JSON.parse(text) as ViteManifest)[`src/${part}`] ?? {}
  if (file === undefined) throw new Error(`the build has no ${part}`)
  return file
}

async function away(): Promise<void> {
  expectRefusals(noAnswer, 404)
  await page.context().route('**/*', (route) => route.abort('connectionrefused'))
}

async function back(): Promise<void> {
  await page.context().unrouteAll()
}

test('with the server away a click on a screen that was never opened leaves the console there, says so, and shows the screen when the server is back', async () => {
  await goTo(page, '/', 'Dashboard')
  await page.getByRole('region', { name: 'Unfinished campaigns' }).waitFor() // a part that comes after the heading
  const notReloaded = await mark(page)
  await away()
  await openGroupOf(page, 'Credits History')
  await menu().getByRole('link', { name: 'Credits History' }).click()
  await dashboard().waitFor({ state: 'detached' }) // its parts could not be loaded either
  await notLoaded().waitFor()
  await menu().waitFor()
  await page.getByRole('banner').waitFor()
  await expectAccessible(page, 'a screen that did not arrive')
  await notLoaded().getByRole('button', { name: 'Retry' }).click()
  await notLoaded().waitFor()
  // What has loaded still works.
  await menu().getByRole('link', { name: 'Dashboard' }).click()
  await dashboard().waitFor()
  await openGroupOf(page, 'Credits History')
  await menu().getByRole('link', { name: 'Credits History' }).click()
  await dashboard().waitFor({ state: 'detached' }) // its parts could not be loaded either
  await notLoaded().waitFor()
  await back()
  await page.getByRole('heading', { level: 1, name: 'Credits History' }).waitFor()
  expect(await page.getByRole('table').first().isVisible()).toBe(true)
  await notReloaded()
  expectRefusals()
})

test(
  'a filled-in campaign is reviewed and refused with the server away, another template is awaited, and nothing that was typed is lost',
  exhaustive,
  async () => {
    const review = page.getByRole('dialog', { name: 'Review' })
    const parts = await Promise.all(
      ['components/ui/dialogs/Dialog.tsx', 'screens/compose/review/Review.tsx'].map(fileOf),
    )
    const asked = parts.map((file) => page.waitForResponse((reply) => reply.url().endsWith(file)))
    await fillIn(page, { name: 'Typed long', template: 'Simple IVR', contacts: '9841000050' })
    // Together with everything they import.
    for (const part of asked) await page.evaluate(`import("${(await part).url()}").then(() => undefined)`)
    const notReloaded = await mark(page)
    await away()
    const api = await signInOver(address, 'superadmin', password)
    const { dialBlockId } = await api.ask(platformRoutes.stopDialling, {
      kind: 'account',
      targetId: (await signInOver(address, 'user', password)).userId,
      reason: 'Seen by the live events alone',
    })
    await page.getByText(/Seen by the live events alone/).waitFor()
    await page.getByRole('complementary', { name: 'Estimate' }).getByRole('button', { name: 'Send Now' }).click()
    await review.getByText(/^Calls 1 number from/).waitFor()
    await api.ask(platformRoutes.allowDialling, { dialBlockId })
    await review.getByRole('button', { name: 'Send Now' }).click()
    const failed = page.getByRole('dialog', { name: 'Error' })
    await failed.getByText('The server cannot be reached. Check your connection and try again.').waitFor()
    await failed.getByRole('button', { name: 'OK' }).click()
    await page.getByText('Consultancy', { exact: true }).click()
    await notLoaded().waitFor()
    expect(await page.getByLabel('Campaign name').inputValue()).toBe('Typed long')
    expect(await page.getByLabel('List of numbers').inputValue()).toBe('9841000050')
    await back()
    await page.getByRole('combobox', { name: 'Menu file 5' }).waitFor()
    await page.getByText('Simple IVR', { exact: true }).click()
    expect(await page.getByRole('combobox', { name: 'Welcome file' }).inputValue()).toBe('Welcome (demo tone).wav')
    await notReloaded()
    expectRefusals()
  },
)

test(
  'after an update of the server a missing part offers a reload, and asks first if something was typed',
  exhaustive,
  async () => {
    await page.evaluate(() => sessionStorage.clear())
    await goTo(page, '/add-voice-campaign', 'Compose Voice Campaign')
    const notReloaded = await mark(page)
    await page.getByLabel('Campaign name').fill('Typed before the update')
    expectRefusals(noAnswer, 404)
    const fields = await fileOf('screens/compose/templates/CallPatchFields.tsx')
    await page.context().route(`**/${fields}`, (route) => route.fulfill({ status: 404, body: '' }))
    const next = '<!doctype html><script type="module" src="/console/index-next.js"></script>'
    const index = (address: URL) => address.pathname === '/'
    await page.context().route(index, (route) => route.fulfill({ contentType: 'text/html', body: next }))
    await page.getByText('Call Patch', { exact: true }).click()
    await page.getByText('The console was updated. Reload the page to continue.').waitFor()
    const reload = async (answer: 'accept' | 'dismiss') => {
      const asked = page.waitForEvent('dialog')
      const clicked = page.getByRole('button', { name: 'Reload the page' }).click()
      const question = await asked
      expect(question.message()).toMatch(/^What you entered here and did not send may be lost\./)
      await question[answer]()
      await clicked
    }
    await reload('dismiss')
    await notReloaded()
    expect(await page.getByLabel('Campaign name').inputValue()).toBe('Typed before the update')
    await back()
    await reload('accept')
    await page.getByText('Draft restored').waitFor()
    expect(await page.getByLabel('Campaign name').inputValue()).toBe('Typed before the update')
    expectRefusals()
  },
)
