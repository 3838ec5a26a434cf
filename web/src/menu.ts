import type { Role } from '@ghanti/contract/roles.ts'
import type { MenuGroup, MenuLabel } from './i18n/en/common.ts'
import { screens, type ScreenLine } from './paths.ts'
import type { IconName } from './components/ui/icons/Icon.tsx'

export type MenuEntry = { line: ScreenLine & { icon: IconName }; label: MenuLabel }

export function menuOf(role: Role): MenuEntry[] {
  return screens.flatMap((line) => {
    const label = line.for[role]
    const { icon } = line
    return label && icon ? [{ line: { ...line, icon }, label }] : []
  })
}

/** The sidebar in groups, without empty ones. The dashboard, which belongs to none, comes first. */
export function menuGroupsOf(role: Role): { group: MenuGroup | null; entries: MenuEntry[] }[] {
  return [...Map.groupBy(menuOf(role), ({ line }) => line.group ?? null)].map(([group, entries]) => ({
    group,
    entries,
  }))
}
