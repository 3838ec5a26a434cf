import type { Role } from '@ghanti/contract/roles.ts'
import type { MenuLabel } from './i18n/en/common.ts'
import { screens, type ScreenLine } from './paths.ts'

/** The sidebar of a role, in the order of the table. */
export function menuOf(role: Role): { line: ScreenLine; label: MenuLabel }[] {
  return screens.flatMap((line) => {
    const label = line.for[role]
    return label ? [{ line, label }] : []
  })
}
