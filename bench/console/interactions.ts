/** How long the console takes to answer an input, from the input to the next frame, by the browser's event timing. */
import type { Browser, Page } from 'playwright-core'
import { slowDown, type Visit } from './page.ts'

type Act = { name: string; path: string; content: string; act(page: Page): Promise<unknown> }

const settleMs = 600
const summary = { path: '/voice-campaign-summary?pageSize=50', content: 'tbody tr[data-row]' }
const compose = { path: '/add-voice-campaign', content: 'input[name=campaignName]' }

/** Each is repeated on the same page, so the first time includes what loads on demand. */
export const interactions: readonly Act[] = [
  {
    name: 'switch the colours, 50 rows',
    ...summary,
    act: (page) =>
      page
        .getByRole('banner')
        .getByRole('button', { name: /colours$/ })
        .click(),
  },
  {
    name: 'open and close a row menu',
    ...summary,
    async act(page) {
      await page
        .getByRole('button', { name: /^Take Action/ })
        .first()
        .click()
      await page.getByRole('menu').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'open and close the filters',
    ...summary,
    async act(page) {
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.locator('.mantine-Popover-dropdown').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('.mantine-Popover-dropdown').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'type into the search',
    ...summary,
    async act(page) {
      const search = page.locator('input[type=search]')
      await search.pressSequentially('bench', { delay: 120 })
      await page.waitForTimeout(settleMs)
      await search.press('Control+a')
      await search.press('Delete')
    },
  },
  {
    name: 'ask before stopping a campaign',
    ...summary,
    async act(page) {
      await page
        .getByRole('button', { name: /^Take Action/ })
        .first()
        .click()
      await page.getByRole('menuitem', { name: /^Stop/ }).click()
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'open and close the palette',
    ...summary,
    async act(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('textbox', { name: 'Go to…' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('textbox', { name: 'Go to…' }).waitFor({ state: 'detached' })
    },
  },
  { name: 'sort 50 rows', ...summary, act: (page) => page.locator('thead button').first().click() },
  {
    name: 'type a campaign’s name',
    ...compose,
    act: (page) => page.locator('input[name=campaignName]').pressSequentially('Dashain offer', { delay: 80 }),
  },
  {
    name: 'open and close a choice of compose',
    ...compose,
    async act(page) {
      await page.getByRole('combobox', { name: 'Sender ID (CLI)' }).click()
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('option').first().waitFor({ state: 'detached' })
    },
  },
  {
    name: 'choose another template',
    ...compose,
    async act(page) {
      const group = page.getByRole('group', { name: 'Template' })
      await group.getByText('Call Patch', { exact: true }).click()
      await page.waitForTimeout(settleMs)
      await group.getByText('Simple IVR', { exact: true }).click()
    },
  },
]

type Timing = PerformanceEntry & { interactionId: number }

/** Runs in the page: the longest event of each interaction since the last call. */
function watchEvents(): void {
  const worst = new Map<number, number>()
  const take = (entries: PerformanceEntryList): void => {
    for (const { interactionId, duration } of entries as Timing[])
      if (interactionId > 0) worst.set(interactionId, Math.max(worst.get(interactionId) ?? 0, duration))
  }
  const observer = new PerformanceObserver((list) => take(list.getEntries()))
  observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  Object.assign(window, {
    slowest(): number {
      take(observer.takeRecords())
      const longest = Math.max(16, ...worst.values()) // faster events are not reported
      worst.clear()
      return longest
    },
  })
}

/** A page on which interactions are measured, once it has finished loading. */
export async function openForInput(
  browser: Browser,
  visit: Omit<Visit, 'path' | 'content'> & { cpuSlower: number; idleMs: number },
  { path, content }: Pick<Act, 'path' | 'content'>,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1350, height: 940 }, baseURL: visit.address })
  const page = await context.newPage()
  await visit.signIn?.(page)
  await page.addInitScript(watchEvents)
  await page.goto(path)
  await page.locator(content).first().waitFor({ state: 'attached' })
  await page.waitForTimeout(visit.idleMs)
  await slowDown(page, visit.cpuSlower)
  return page
}

/** The slowest event of an interaction in milliseconds, for each of `rounds`. */
export async function slowestOf(page: Page, rounds: number, { act }: Act): Promise<number[]> {
  const slowest = () => page.evaluate(() => (window as unknown as { slowest(): number }).slowest())
  await slowest()
  const found: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await act(page)
    await page.waitForTimeout(settleMs)
    found.push(await slowest())
  }
  return found
}
