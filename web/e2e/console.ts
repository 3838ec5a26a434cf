import axe from 'axe-core'
import * as path from 'node:path'
import { buffer } from 'node:stream/consumers'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { browserOptions } from '../../scripts/chromium.ts'
import { polling } from '../../server/src/testing/timeouts.ts'
import { chromiumTestFlags } from '../build/chromium.ts'

export const password = 'ghanti-demo'
export const address = inject('address')
export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

let launched: Promise<Browser> | undefined
/** One for all files of this process. If another process had launched it, each message to it would pass two sockets more. */
function theBrowser(): Promise<Browser> {
  if (launched) return launched
  const browser = chromium.launch({ ...browserOptions(chromiumTestFlags), handleSIGTERM: false })
  // Vitest ends its processes so.
  process.once('SIGTERM', () => void browser.then((one) => one.close()).finally(() => process.exit()))
  launched = browser
  return browser
}

let browser: Browser
const results = path.resolve(import.meta.dirname, '../../test-results')
const contexts: BrowserContext[] = []
/** Unexpected messages in the browser's console; every test must end without any. */
const complaints: string[] = []

/** Call it at the top of a test file. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await theBrowser()
  })
  afterEach(async ({ task }) => {
    const said = complaints.splice(0)
    if (task.result?.state === 'fail') await photograph(task.name)
    expect(said, 'errors in the browser’s console').toEqual([])
  })
  afterAll(async () => {
    for (const context of contexts.splice(0)) await context.close()
    // The next file runs in this process too.
    complaints.splice(0)
    expected = []
  })
}

/** Saves what each browser showed when a test failed. */
async function photograph(test: string): Promise<void> {
  const name = test.slice(0, 60).replace(/[^\w]+/g, '-')
  const pages = contexts.flatMap((context) => context.pages())
  for (const [n, page] of pages.entries())
    await page.screenshot({ path: path.join(results, `${name}-${n}.png`), fullPage: true })
}

/** Chromium says so where the page's program takes longer than three seconds, as it does on a busy machine. */
const lateHint = /was preloaded using link preload but not used within a few seconds/

/** Refusals that a test expects: the browser logs every failed request. */
let expected: number[] = []
export function expectRefusals(...statuses: number[]): void {
  expected = statuses
}

/** A separate browser; `as` is already signed in, with the demo's password or `word`. */
export async function openBrowser(options: BrowserContextOptions & { as?: string; word?: string } = {}): Promise<Page> {
  const { as, word = password, ...more } = options
  const context = await browser.newContext({ viewport: desktop, baseURL: address, acceptDownloads: true, ...more })
  contexts.push(context)
  context.setDefaultTimeout(polling.timeout)
  if (as) await context.request.post('/api/obd/login', { data: { username: as, password: word } })
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type()) || lateHint.test(message.text())) return
    const status = Number(/the server responded with a status of (\d+)/.exec(message.text())?.[1])
    if (!expected.includes(status)) complaints.push(`${page.url()}: ${message.text()}`)
  })
  return page
}

/** Opens a screen and waits for its heading. */
export async function goTo(page: Page, path: string, heading?: string | RegExp): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1, ...(heading === undefined ? {} : { name: heading }) }).waitFor()
}

/** Navigates with the router's handling of 'Forward', whatever the address. */
export async function goOn(page: Page, to: string): Promise<void> {
  await page.evaluate((address) => {
    for (const heading of document.querySelectorAll('h1')) heading.dataset['old'] = ''
    const { idx = 0 } = (history.state ?? {}) as { idx?: number }
    history.pushState({ idx: idx + 1, key: address, usr: null }, '', address)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, to)
  await page.locator('h1:not([data-old])').waitFor()
  expect(await page.evaluate(() => document.activeElement?.tagName), 'the focus is somewhere').not.toBe('BODY')
}

export async function see(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).filter({ visible: true }).first().waitFor()
}

/** Colours in transition would fail the contrast check. */
function withoutMotion(): void {
  const sheet = new CSSStyleSheet()
  const still = '*, ::before, ::after { transition: none !important; animation: none !important }'
  // A refetched list dims after 200 ms, and without the transition at once.
  const undimmed = '[aria-busy=true] tbody { opacity: 1 !important }'
  sheet.replaceSync(`${still} ${undimmed}`)
  document.adoptedStyleSheets.push(sheet)
}

/** Which axe rules a look needs: all, or those that its difference from examined looks can break. */
export type Rules = 'all' | 'colours'

/** Asserts WCAG A and AA. */
export async function expectAccessible(page: Page, what: string, rules: Rules = 'all'): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true], [data-stale]'))
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe.source)
    await page.evaluate(withoutMotion)
  }
  const violations = await page.evaluate(async (wanted) => {
    const { axe: runner } = window as unknown as { axe: typeof axe }
    const { violations } = await runner.run(document, {
      runOnly: wanted === 'colours' ? ['color-contrast'] : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
      resultTypes: ['violations'],
      preload: { assets: ['media'] }, // style sheets are for rules that are not asked for
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }, rules)
  expect(violations, what).toEqual([])
}

/** A file in Playwright's form. */
export async function bytesOf(file: File): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  return { name: file.name, mimeType: file.type, buffer: Buffer.from(await file.arrayBuffer()) }
}

export async function chooseOption(page: Page, field: string, option: string | RegExp): Promise<void> {
  const box = page.getByRole('combobox', { name: field })
  // The only value there is is set when the options have come; that closes the list again.
  await box.and(page.locator(':not([placeholder="Loading…"])')).waitFor()
  await box.click()
  await page.getByRole('option', { name: option }).click()
}

/** Opens the menu of the page's first list, or of `inside`: its export, its refresh, its columns. */
export async function openListMenu(inside: Page | Locator): Promise<void> {
  await inside.getByRole('button', { name: 'Options of the list' }).first().click()
}

export async function chooseAction(page: Page, subject: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Take Action: ${subject}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** The questions whose words and buttons specification 1 §4 and specification 2 §2 give. */
const specified = /^Are you sure you want to (stop|pause|resume|retry) this campaign\?|call this number\?$/

/**
 * Asserts that the dialog names its object and asks exactly this question, then answers it: a specified one by YES, any other by the verb that
 * its title begins with.
 */
export async function confirmWith(page: Page, title: string, question: string, reason?: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByText(question).waitFor()
  if (reason !== undefined) await dialog.getByLabel('Reason').fill(reason)
  const yes = dialog.getByRole('button').last()
  const verb = await yes.innerText()
  if (specified.test(question)) expect(verb).toBe('YES')
  else if (verb !== 'YES')
    expect(await dialog.getByRole('heading').innerText()).toMatch(new RegExp(`^${verb}(?::? .+)?\\?$`))
  await yes.click()
  await dialog.waitFor({ state: 'detached' })
}

export async function seeDone(page: Page, text: string | RegExp): Promise<void> {
  const toast = page.getByRole('status').locator('div').filter({ hasText: text }).last()
  await toast.getByRole('button', { name: 'Close' }).click()
  await toast.waitFor({ state: 'detached' })
}

/** Asserts and closes the Error modal with the catalogue's text. */
export async function closeError(page: Page, message: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Error' })
  await dialog.getByText(message).waitFor()
  await dialog.getByRole('button', { name: 'OK' }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Asserts that a form's summary says it, and that no dialog does. */
export async function seeSummed(page: Page, said: string): Promise<void> {
  await page.getByRole('region', { name: 'Error' }).getByRole('link', { name: said }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
}

export async function downloadedBy(page: Page, click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  return { name: download.suggestedFilename(), bytes: await buffer(await download.createReadStream()) }
}
