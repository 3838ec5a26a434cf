import type { CallRow } from '@ghanti/contract/call-report.ts'
import type { TextsOf } from '../../i18n/areas.ts'

/** With the menu's number where there are several, because keys alone do not show which question they answer. */
export function keysText(
  { keys, menuKeys }: Pick<CallRow, 'keys' | 'menuKeys'>,
  { keysOfMenu }: Pick<TextsOf<'callReport'>, 'keysOfMenu'>,
  digits: (number: string) => string,
): string {
  const numbered = menuKeys.flatMap(({ menu, key }) => {
    const number = /^menu(\d)$/.exec(menu)?.[1]
    return number === undefined ? [] : keysOfMenu(digits(number), key).replaceAll(' ', '\u00a0')
  })
  return numbered.length > 0 ? numbered.join(', ') : keys
}
