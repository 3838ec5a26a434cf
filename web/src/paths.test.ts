import { roles } from '@ghanti/contract/roles.ts'
import { expect, test } from 'vitest'
import { texts } from './i18n/en/common.ts'
import { menuOf } from './menu.ts'
import { screenFile, screens } from './paths.ts'

const files = import.meta.glob('./screens/*/*Screen.tsx')

test('every screen of the table exists', () => {
  const missing = screens.filter((line) => !(screenFile(line).replace(/^src/, '.') in files))
  expect(missing).toEqual([])
})

test('an address has one screen', () => {
  expect(new Set(screens.map(({ path }) => path)).size).toBe(screens.length)
})

test.each(roles)('the dashboard is the start of %s', (role) => expect(menuOf(role)[0]?.line.path).toBe('/'))

const users = ['Create User', 'User List']
const plans = ['Add Voice Plan', 'Voice Plans']
const blacklist = ['Add Blacklist Number', 'Bulk Blacklist Upload', 'Voice Blacklist']
const campaigns = ['Compose Voice Campaign', 'Voice Campaign Summary']
test.each([
  { role: 'user', menu: [...campaigns, ...blacklist, 'Upload Voice File', 'Voice Files', 'Credits History'] },
  { role: 'reseller', menu: [...users, ...plans] },
  {
    role: 'superAdmin',
    menu: [...users, ...plans, 'Credits History', 'Add CLI', 'CLI List', 'Prompts for Approval'],
  },
] as const)('the sidebar of $role names all that specification 1 §6 gives it', ({ role, menu }) => {
  expect(menuOf(role).map(({ label }) => texts.menu[label])).toEqual(expect.arrayContaining(['Dashboard', ...menu]))
})

test('an icon belongs to one entry, and every entry has one and a group', () => {
  const entries = screens.filter((line) => Object.values(line.for).some((label) => label !== null))
  expect(entries.filter(({ icon, group, path }) => !icon || (!group && path !== '/'))).toEqual([])
  expect(new Set(entries.map(({ icon }) => icon)).size).toBe(entries.length)
})

test.each(roles)('no group of the sidebar of %s stands in two places', (role) => {
  const groups = menuOf(role).map(({ line }) => line.group)
  expect(groups.filter((group, at) => at === 0 || group !== groups[at - 1])).toEqual([...new Set(groups)])
})
