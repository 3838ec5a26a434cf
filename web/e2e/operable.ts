import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Asserts that whatever a pointer can press can be pressed by the keyboard alone. */
export async function expectOperable(page: Page, what: string): Promise<void> {
  expect(await page.evaluate(pointerOnly), `all of “${what}” works without a pointer`).toEqual([])
}

/** Visible elements that a press does something to, and that neither Tab nor arrow keys reach. */
function pointerOnly(): string[] {
  const presses = ['onClick', 'onMouseDown', 'onPointerDown']
  const controls = 'a[href], button, input, select, textarea, summary, label, [tabindex]'
  /** One Tab stop for all of these; arrow keys move among them. */
  const byArrows =
    '[data-action][tabindex="-1"], [role=menuitem], [role=option], [role=tab], [role=radio], [role=slider], [role=grid]:has([tabindex="0"]) [role=gridcell]'
  /** Escape closes what stands before it, arrow keys scroll, and a chart has its table. */
  const otherwise = '.mantine-Overlay-root, .mantine-ScrollArea-scrollbar, .recharts-wrapper'
  const isDay = (element: Element) => element.matches('table:has(button[tabindex="0"]) *')
  const isReached = (element: Element): boolean =>
    element instanceof HTMLElement &&
    (element.tabIndex >= 0 || element.matches(`${byArrows}, :disabled`) || isDay(element))
  const isFine = (element: Element): boolean => {
    // A list of options keeps the focus in its field when it is pressed between them.
    if (element.matches('[role=listbox]')) return true
    if (element.closest(`[aria-hidden=true], [inert], label, ${otherwise}`)) return true
    const control = element.closest('button, a[href], [role=option], [role=menuitem]') ?? element
    // A row that opens what the link in it opens, or a frame that gives its field the focus.
    return isReached(control) || [...element.querySelectorAll(controls)].some(isReached)
  }
  const isPressed = (element: Element): boolean => {
    const key = Object.keys(element).find((name) => name.startsWith('__reactProps$'))
    const props = key === undefined ? {} : (element as unknown as Record<string, Record<string, unknown>>)[key]
    return presses.some((name) => typeof props?.[name] === 'function') || element.matches('a[href], button, summary')
  }
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && isPressed(element))
    .filter((element) => !isFine(element))
    .map(({ outerHTML }) => outerHTML.slice(0, 200))
}
