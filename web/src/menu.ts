import type { Role } from '@ghanti/contract/roles.ts'
import type { MenuGroup, MenuLabel } from './i18n/en/common.ts'
import { screens, type ScreenLine } from './paths.ts'
import type { IconName } from './components/ui/icons/Icon.tsx'

export type MenuEntry = { line: ScreenLine; label: MenuLabel; role: Role }

export function menuOf(role: Role): MenuEntry[] {
  return screens.flatMap((line) => {
    const label = line.for[role]
    return label ? [{ line, label, role }] : []
  })
}

/** A screen without an entry of its own belongs to the one that leads to it. */
export function belongsTo({ line, role }: MenuEntry, here: ScreenLine | undefined): boolean {
  if (!here || here.for[role]) return line === here
  return line.path === here.under || here.path.startsWith(`${line.path}/`)
}

/** In the order of the sidebar: what operators and resellers come for stands first, and users have none of it. */
const groups: Record<MenuGroup, IconName> = {
  operate: 'trunks',
  customers: 'users',
  campaigns: 'campaigns',
  messages: 'messages',
  contacts: 'contacts',
  audio: 'sound',
  results: 'insight',
  money: 'credits',
  ids: 'clis',
  settings: 'settings',
}

type MenuSection = { group: MenuGroup; icon: IconName; entries: MenuEntry[] }

/** The sidebar in groups, without empty ones and without the dashboard, which belongs to none. */
export function menuGroupsOf(role: Role): MenuSection[] {
  const menu = menuOf(role)
  return (Object.keys(groups) as MenuGroup[])
    .map((group) => ({ group, icon: groups[group], entries: menu.filter(({ line }) => line.group === group) }))
    .filter(({ entries }) => entries.length > 0)
}
