import type { Page } from 'playwright-core'
import type { Screen } from './screens.ts'

const languages = ['en', 'ne'] as const
const themes = ['light', 'dark'] as const
export const widths: readonly number[] = [375, 768, 1280, 1440]

export type Look = { language: (typeof languages)[number]; theme: (typeof themes)[number]; width: number }

/** Sorted by language, because changing it renders the whole page anew. */
export const allLooks: readonly Look[] = languages.flatMap((language) =>
  widths.flatMap((width) => themes.map((theme) => ({ language, theme, width }))),
)

/** The same screen as it opens, for each role that has it. */
export function rolesOf({ name }: Screen, screens: readonly Screen[]): readonly Screen[] {
  return screens.filter((other) => other.name === name && !other.open)
}

/** Eight looks that contain each pair of language, theme and width. */
const pairs = allLooks.filter(
  ({ language, theme, width }) => (language === 'en') === ((theme === 'light') === (widths.indexOf(width) % 2 === 0)),
)
/** Four looks that contain each pair of language and theme, and every width. */
const four = [0, 3, 5, 6].flatMap((at) => pairs[at] ?? [])

/** A screen's roles share the eight looks; states of a screen are examined in four. */
export function looksOf(screen: Screen, screens: readonly Screen[]): readonly Look[] {
  if (screen.open) return four
  const roles = rolesOf(screen, screens)
  return pairs.filter((_, at) => at % roles.length === roles.indexOf(screen))
}

const signs = { en: /^EN$/, ne: /^ने$/ }

/** Applies a look without reloading. Works from outside, because a dialog may cover the switch or a closed menu hide it. */
export async function take(page: Page, { language, theme, width }: Look): Promise<void> {
  await page.setViewportSize({ width, height: width < 600 ? 812 : 900 })
  await page.emulateMedia({ colorScheme: theme })
  if ((await page.evaluate(() => document.documentElement.lang)) === language) return
  await page.locator('button').filter({ hasText: signs[language] }).first().dispatchEvent('click')
  await page.waitForFunction((wanted) => document.documentElement.lang === wanted, language)
}
