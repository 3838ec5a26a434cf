import { expect, test } from 'vitest'
import { texts } from '../../i18n/en/call-report.ts'
import { keysText } from './keys.ts'

test.each([
  {
    why: 'of several menus each with its own',
    keys: '31',
    menuKeys: [
      { menu: 'menu1', key: '3' },
      { menu: 'menu4', key: '1' },
    ],
    text: 'Menu\u00a01:\u00a03, Menu\u00a04:\u00a01',
  },
  { why: 'of one menu as they were pressed', keys: '12', menuKeys: [{ menu: 'menu', key: '2' }], text: '12' },
  { why: 'of a call that nobody saw', keys: '12', menuKeys: [], text: '12' },
])('the keys of an attempt: $why', ({ text, ...row }) => expect(keysText(row, texts, String)).toBe(text))
