import { roles } from '@ghanti/contract/roles.ts'
import { expect, test } from 'vitest'
import { texts } from './i18n/en/common.ts'
import { belongsTo, menuGroupsOf, menuOf } from './menu.ts'
import { screenFile, screens } from './paths.ts'
import { screenIcons } from './shell/screen-icons.ts'

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

test('every entry of the menu has a group, and an icon of its own in the search for screens', () => {
  const entries = screens.filter((line) => Object.values(line.for).some((label) => label !== null))
  expect(entries.filter(({ group, path }) => !group && path !== '/')).toEqual([])
  expect(Object.keys(screenIcons).toSorted()).toEqual(entries.map(({ path }) => path).toSorted())
  expect(new Set(Object.values(screenIcons)).size).toBe(entries.length)
})

test.each(roles)('the sidebar of %s has each of its screens in one group, and about ten lines at rest', (role) => {
  const groups = menuGroupsOf(role)
  const [home, ...others] = menuOf(role).map(({ line }) => line.path)
  expect(home).toBe('/')
  const grouped = groups.flatMap(({ entries }) => entries.map(({ line }) => line.path))
  expect(grouped.toSorted()).toEqual(others.toSorted())
  expect(groups.length).toBeLessThanOrEqual(10)
})

test('operators begin with what they operate and their customers, users with their campaigns', () => {
  expect(
    menuGroupsOf('superAdmin')
      .map(({ group }) => group)
      .slice(0, 2),
  ).toEqual(['operate', 'customers'])
  expect(menuGroupsOf('reseller')[0]?.group).toBe('customers')
  expect(menuGroupsOf('user').map(({ group }) => texts.menuGroups[group])).toEqual([
    'Campaigns',
    'Messages',
    'Contacts',
    'Voice files',
    'Results',
    'Money',
    'IDs',
    'Settings',
  ])
})

test('a group that is open has the screen in view, be it an entry or a page behind one', () => {
  const groupless = screens.filter(({ group }) => !group).map(({ path }) => path)
  expect(groupless).toEqual(['/', '/notices', '/user-profile'])
})

test.each(roles)(
  'each screen of %s that is in a group marks one entry of it, be it reached by an address or a link',
  (role) => {
    const entries = menuOf(role)
    const inGroups = screens.filter((line) => line.group && line.for[role] !== undefined)
    for (const line of inGroups) {
      const marked = entries.filter((entry) => belongsTo(entry, line)).map((entry) => entry.line)
      expect(
        marked.map(({ group }) => group),
        line.path,
      ).toEqual([line.group])
    }
    expect(entries.filter((entry) => belongsTo(entry, undefined))).toEqual([])
  },
)
