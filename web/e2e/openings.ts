import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectOneScript } from './digits.ts'
import { rolesOf } from './looks.ts'
import { expectOperable } from './operable.ts'
import type { Screen } from './screens.ts'

/** A phone of 320 px, and a window of 1280 × 800 at 200 %. */
export const narrowWindows = [
  { width: 320, height: 640 },
  { width: 640, height: 400 },
] as const

/**
 * The windows in which its menus and dialogs are opened. A screen's roles share them, so that every role opens all and each width sees all.
 */
export function windowsOf(screen: Screen, screens: readonly Screen[]): readonly (typeof narrowWindows)[number][] {
  const roles = rolesOf(screen, screens)
  return roles.length === 1 ? narrowWindows : narrowWindows.filter((_, at) => at === roles.indexOf(screen) % 2)
}

/** What floats over a page: dialogs, menus, lists of options, panels of the filter bar. */
const floating = '[role=dialog]:not([hidden]), [role=menu], [role=listbox], .mantine-Popover-dropdown'

/** What opens something: the drawer's button, the palette's, and whatever has a popup. */
const opening = '[aria-haspopup], [aria-controls=sidebar], header button[aria-label$="Ctrl K"]'

/** Openers that every screen has: the shell's, and the list of saved views, of which there are none. */
const everywhere = 'header *, button:has(> .tabler-icon-bookmark)'

type Opener = { kind: string; isEverywhere: boolean; at: Locator }

/**
 * One usable opener of each kind, because all rows have the same menu. Identified by position, because an opener may be replaced when it
 * opens.
 */
async function openers(page: Page): Promise<Opener[]> {
  const found = await page.evaluate(
    ([selector, same]) => {
      const seen = new Set<string>()
      return [...document.querySelectorAll<HTMLElement>(selector)].flatMap((opener, place) => {
        const name = opener.getAttribute('name') ?? opener.getAttribute('aria-label') ?? opener.innerText
        const kind = `${opener.getAttribute('aria-haspopup')} ${name.replace(/:.*/s, '')}`
        const isUsable =
          opener.checkVisibility({ visibilityProperty: true }) && !opener.matches(':disabled, [aria-disabled=true]')
        if (!isUsable || seen.has(kind)) return []
        seen.add(kind)
        return [{ kind, place, isEverywhere: opener.matches(same) }]
      })
    },
    [opening, everywhere] as const,
  )
  return found.map(({ place, ...opener }) => ({ ...opener, at: page.locator(opening).nth(place) }))
}

/** What is open. On wide pages the sidebar is part of the page instead. */
const opened = (page: Page) => page.locator(floating).or(page.locator('#sidebar[data-open]')).filter({ visible: true })

/** Whether it has the focus, perhaps a moment later; a list of options leaves the focus in its field. */
function hasFocus(selector: string): boolean {
  const at = document.activeElement
  return Boolean(at?.matches('input[aria-haspopup=listbox]') || at?.closest(`${selector}, #sidebar[data-open]`))
}

/**
 * Opens each opener and asserts that what opens fits the window, keeps its controls reachable and returns the focus when closed. Skips
 * openers of every screen that are in `seen`, and adds those it opened. Returns how many there are, opened or not.
 */
export async function expectOpenedFit(page: Page, seen: Set<string>): Promise<number> {
  const all = await openers(page)
  for (const { kind, isEverywhere, at } of all) {
    if (isEverywhere && seen.has(kind)) continue
    await expectOpens(page, kind, at)
    if (isEverywhere) seen.add(kind)
  }
  return all.length
}

async function expectOpens(page: Page, kind: string, opener: Locator): Promise<void> {
  await opener.focus()
  await opener.click()
  await opened(page).first().waitFor()
  await expectFits(page, kind)
  await expectOperable(page, kind)
  await expectOneScript(page, kind)
  await page.waitForFunction(hasFocus, floating)
  await page.keyboard.press('Escape')
  await opened(page).first().waitFor({ state: 'detached' })
  const elsewhere = await opener.evaluate((element) => {
    const focused = document.activeElement
    return element === focused ? null : (focused?.outerHTML.slice(0, 200) ?? 'nothing')
  })
  expect(elsewhere, `the focus is back on “${kind}”`).toBe(null)
}

/** Asserts that nothing is wider than the window and every control of what floats can be scrolled into view. */
export async function expectFits(page: Page, what: string): Promise<void> {
  const { width = 0 } = page.viewportSize() ?? {}
  // What floats learns of a new width when the next frame begins; a busy machine looks before.
  await page.evaluate(() => new Promise(requestAnimationFrame))
  const { wider, lost } = await page.evaluate(misfits, floating)
  expect(wider, `nothing of “${what}” is wider than ${width} px`).toEqual([])
  expect(lost, `all that “${what}” opens can be reached`).toEqual([])
}

/** What is wider than the window, in the page or in what floats over it, and controls that stay outside. */
function misfits(selector: string): { wider: string[]; lost: string[] } {
  const named = ({ outerHTML }: Element) => outerHTML.slice(0, 200)
  const isOutside = (element: Element) => {
    const { left, right, width } = element.getBoundingClientRect()
    return width > 0 && (left < -1 || right > document.documentElement.clientWidth + 1)
  }
  const all = [...document.querySelectorAll(selector)]
  const outside = all.filter(isOutside).map(named)
  const { scrollWidth, clientWidth } = document.documentElement
  const wider = scrollWidth > clientWidth ? [`the page, ${scrollWidth} px`, ...outside] : outside
  const before = document.activeElement
  const controls = all.flatMap((one) => [
    ...one.querySelectorAll<HTMLElement>(
      'button:not(:disabled), a[href], input:not([type=hidden]):not([type=radio]), select, textarea, [role=menuitem], [role=option]',
    ),
  ])
  const lost = controls.filter((control) => {
    if (!control.checkVisibility({ visibilityProperty: true })) return false
    control.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    const { left, right, top, bottom } = control.getBoundingClientRect()
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    return x < 0 || y < 0 || x > innerWidth || y > innerHeight
  })
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return { wider, lost: lost.map(named) }
}
