import { platformRoutes } from '@ghanti/contract/platform.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import * as path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { address, expectAccessible, goOn, goTo, openBrowser, password, useBrowser, type Rules } from './console.ts'
import { expectIconsShown } from './icons.ts'
import { allLooks, looksOf, rolesOf, take, type Look } from './looks.ts'
import { expectOneScript } from './digits.ts'
import { measured } from './measured.ts'
import { expectFits, expectOpenedFit, narrowWindows, windowsOf } from './openings.ts'
import { callsForScreens, dataForScreens } from './screen-data.ts'
import { expectOperable } from './operable.ts'
import { screens, type Ids, type Screen } from './screens.ts'

useBrowser()
const pages = new Map<string, Page>()
let admin: Caller
let dialBlockId: number
let ids: Ids

/** Data for the screens: a complete campaign, a waiting one, a voice file to decide on, a disabled account. */
beforeAll(async () => {
  const api = await signInOver(address, 'user', password)
  admin = await signInOver(address, 'superadmin', password)
  const data = await dataForScreens(api)
  const [target] = await admin.ask(platformRoutes.dialTargets, { kind: 'account', search: 'user2' })
  const stop = { kind: 'account', targetId: target?.targetId, reason: 'Screens' }
  dialBlockId = (await admin.ask(platformRoutes.stopDialling, stop)).dialBlockId
  const isOver = async () =>
    expect((await api.ask(campaignDetailRoutes.detail, { campaignId: data.campaignId })).campaignStatus).toBe(2)
  await vi.waitFor(isOver, polling)
  ids = { ...data, ...(await callsForScreens(admin, data.campaignId)) }
  for (const as of ['user', 'reseller', 'superadmin']) pages.set(as, await openBrowser({ as }))
  pages.set('nobody', await openBrowser())
})
afterAll(() => admin.ask(platformRoutes.allowDialling, { dialBlockId }))

/** Set by `npm run shots`: screens are photographed in these looks instead of examined. */
const shots = process.env['SHOTS'] ? (JSON.parse(process.env['SHOTS']) as { folder: string; looks: Look[] }) : null
const only = { role: process.env['SCREENS_ROLE'], screen: process.env['SCREENS_NAME'] }
const whole = process.env['SCREENS'] === 'all'

const first: Look = { language: 'en', theme: 'light', width: 1440 }

/** Moves from an unobstructed page to the next screen as a click would; otherwise loads it. */
async function show(page: Page, { path: pathOf, component, open }: Screen, before: Screen | undefined): Promise<void> {
  const to = pathOf(ids)
  if (before?.component && component && before.component !== component) await goOn(page, to)
  else await goTo(page, to)
  await open?.(page)
}

async function photograph(page: Page, { as, name }: Screen, folder: string, looks: readonly Look[]): Promise<void> {
  const file = name === '/' ? 'dashboard' : name.replace(/\W+/g, '-').replace(/^-|-$/g, '')
  for (const look of looks) {
    await take(page, look)
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true], [data-stale]'))
    const photo = path.join(folder, as, `${file}-${look.width}-${look.theme}-${look.language}.png`)
    await page.screenshot({ path: photo, animations: 'disabled' }) // at another width the sidebar slides away
  }
}

const openedEverywhere = 2

const seenEverywhere = new Map<string, Set<string>>()
/** What this role has opened of the things on every screen, at this width. */
function seenBy({ as }: Screen, { width }: { width: number }): Set<string> {
  const key = `${as} ${width}`
  const seen = seenEverywhere.get(key) ?? new Set()
  seenEverywhere.set(key, seen)
  return seen
}

/**
 * The first look of a screen is in English and the last in Nepali, one of them narrow: together they have all of its elements. The others
 * differ in how these are coloured and laid out.
 */
const rulesOf = (at: number, looks: readonly Look[]): Rules =>
  whole || at === 0 || at === looks.length - 1 ? 'all' : 'colours'

async function examineIn(page: Page, screen: Screen, look: Look, rules: Rules): Promise<void> {
  await take(page, look)
  await expectAccessible(page, `${look.language}, ${look.theme}, ${look.width} px`, rules)
  await expectOperable(page, screen.name)
  await expectIconsShown(page, screen.name)
  if (look.language === 'ne') await expectOneScript(page, screen.name)
}

async function expectWellSet(page: Page, screen: Screen): Promise<void> {
  const width = page.viewportSize()?.width
  expect(await measured(page), `${screen.name}, ${width} px`).toEqual([])
}

/** The desktop's and the phone's look that are furthest apart. */
const measuredLooks: readonly Look[] = [
  { language: 'en', theme: 'light', width: 1440 },
  { language: 'ne', theme: 'dark', width: 390 },
]

/** One of its looks, so that the screens together are seen in all. */
function lookOf(screen: Screen): Look {
  const looks = looksOf(screen, screens)
  const look = looks[screens.indexOf(screen) % looks.length]
  if (!look) throw new Error(`${screen.name} has no look`)
  return look
}

async function glance(page: Page, screen: Screen): Promise<void> {
  await examineIn(page, screen, lookOf(screen), 'all')
  await expectWellSet(page, screen)
  for (const narrow of narrowWindows) {
    await page.setViewportSize(narrow)
    await expectFits(page, screen.name)
  }
}

/** One look after the other, because changing it renders the whole page anew. What is opened on a screen is found by its English words. */
const byLook = (one: Screen, other: Screen): number => allLooks.indexOf(lookOf(one)) - allLooks.indexOf(lookOf(other))
const inTurn = (all: readonly Screen[]): Screen[] => [
  ...all.filter(({ open }) => !open).toSorted(byLook),
  ...all.filter(({ open }) => open),
]

/** Of the roles that have a screen one in turn, so that the screens together are seen as all. Each role has a dashboard of its own. */
function isGlancedAt(screen: Screen): boolean {
  if (screen.isAnother) return false
  const roles = rolesOf(screen, screens)
  const [first] = roles
  if (screen.open || screen.name === '/' || !first) return true
  return roles[screens.indexOf(first) % roles.length] === screen
}

async function examine(page: Page, screen: Screen): Promise<void> {
  const looks = whole ? allLooks : looksOf(screen, screens)
  for (const [at, look] of looks.entries()) await examineIn(page, screen, look, rulesOf(at, looks))
  for (const look of measuredLooks) {
    await take(page, look)
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true], [data-stale]'))
    await expectWellSet(page, screen)
  }
  for (const narrow of narrowWindows) {
    await page.setViewportSize(narrow)
    await expectFits(page, screen.name)
    if (!screen.open && (whole || windowsOf(screen, screens).includes(narrow))) {
      const found = await expectOpenedFit(page, seenBy(screen, narrow))
      expect(found).toBeGreaterThanOrEqual(screen.component ? openedEverywhere : 0)
    }
  }
}

/** Matches part of the name; '/' matches only the dashboard. */
const isChosen = (name: string) => !only.screen || (only.screen === '/' ? name === '/' : name.includes(only.screen))
const chosen = screens.filter(({ name }) => isChosen(name))
const roles = [...new Set(chosen.map(({ as }) => as))].filter((as) => !only.role || as === only.role)
/** Each role has its own browser, so they run concurrently. */
describe.concurrent.each(roles)('%s', (role) => {
  const own = chosen.filter(({ as }) => as === role)
  const on = async (screen: Screen, shown: readonly Screen[], look: (page: Page) => Promise<void>): Promise<void> => {
    const page = pages.get(role)
    if (!page) throw new Error(`nobody is ${role}`)
    if (screen.open) await take(page, first)
    await show(page, screen, shown[shown.indexOf(screen) - 1])
    await look(page)
  }
  const glancedAt = inTurn(own.filter(isGlancedAt))
  test.skipIf(shots).each(glancedAt)(
    '$name: nothing keeps anybody from using it in one of its looks, and it fits narrow windows',
    { concurrent: false },
    (screen) => on(screen, glancedAt, (page) => glance(page, screen)),
  )
  test.each(own)(
    '$name: nothing keeps anybody from using it, in either language and scheme, at four widths',
    { concurrent: false, tags: ['exhaustive'] },
    (screen) =>
      on(screen, own, (page) => (shots ? photograph(page, screen, shots.folder, shots.looks) : examine(page, screen))),
  )
})
