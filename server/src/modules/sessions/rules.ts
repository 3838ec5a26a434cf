import type { Browser, System } from '@ghanti/contract/sessions.ts'

/** The first whose mark a User-Agent has. Most programs also name those that they are like, so the order matters. */
const browserMarks: readonly (readonly [mark: string, browser: Browser])[] = [
  ['Edg', 'edge'],
  ['OPR/', 'opera'],
  ['SamsungBrowser/', 'samsung'],
  ['Firefox/', 'firefox'],
  ['FxiOS/', 'firefox'],
  ['Chrome/', 'chrome'],
  ['CriOS/', 'chrome'],
  ['Safari/', 'safari'],
]
const systemMarks: readonly (readonly [mark: string, system: System])[] = [
  ['Android', 'android'],
  ['iPhone', 'iphone'],
  ['Windows', 'windows'],
  ['Mac OS', 'mac'],
  ['Linux', 'linux'],
]

export type Program = { browser: Browser; system: System }

export function programOf(userAgent: string): Program {
  return {
    browser: browserMarks.find(([mark]) => userAgent.includes(mark))?.[1] ?? 'other',
    system: systemMarks.find(([mark]) => userAgent.includes(mark))?.[1] ?? 'other',
  }
}
