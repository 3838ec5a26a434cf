import { expect, test } from 'vitest'
import { texts } from '../../i18n/en/voice-campaigns.ts'
import { composedFields, keysText } from './detail.ts'

test('of what compose was sent, language, calendar and the keys of consultancy’s menus are read', () => {
  const menus = [
    { promptId: 1, dtmf: '1|2|3' },
    { promptId: 2, dtmf: '1|2' },
  ]
  expect(composedFields({ templateId: 8, prompts: { menus }, menuWaitTime: 5 })).toMatchObject({
    menuWaitTime: 5,
    prompts: { menus: [{ dtmf: '1|2|3' }, { dtmf: '1|2' }] },
  })
  const spoken = { language: 'ne', calendar: 'bs', prompts: { welcome: [{ type: 'menu1', promptId: 1 }] } }
  expect(composedFields(spoken)).toEqual({ language: 'ne', calendar: 'bs', prompts: { menus: [] }, agentRows: [] })
})

test('what nobody should have sent is absent', () => {
  const strange = { language: 'de', calendar: 5, prompts: 'none', dtmf: 1, agentRows: {} }
  expect(composedFields(strange)).toEqual({ prompts: { menus: [] }, agentRows: [] })
})

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
