import type { Page } from 'playwright-core'
import { texts } from '../src/i18n/en/common.ts'
import { screens } from '../src/paths.ts'

/** Opens the sidebar's group of an entry, unless it is open. */
export async function openGroupOf(page: Page, entry: string): Promise<void> {
  const isEntry = (label: keyof typeof texts.menu | null) => label !== null && texts.menu[label] === entry
  const group = screens.find((line) => Object.values(line.for).some(isEntry))?.group
  if (!group) throw new Error(`no group of the sidebar has ${entry}`)
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  const button = menu.getByRole('group', { name: texts.menuGroups[group] }).getByRole('button')
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
}

/** The names of all entries, in order; each group is opened for it. */
export async function entriesOf(page: Page): Promise<string[]> {
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  await menu.getByRole('group').first().waitFor()
  const folded = menu.getByRole('button', { expanded: false })
  while ((await folded.count()) > 0) await folded.first().press('Enter')
  // Other tests may leave something that waits: its number stands below the name.
  return (await menu.getByRole('link').allInnerTexts()).map((text) => text.split('\n', 1)[0] ?? '')
}
