import { roles } from '@ghanti/contract/roles.ts'
import { expect, test } from 'vitest'
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
