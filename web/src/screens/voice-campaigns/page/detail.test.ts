import { expect, test } from 'vitest'
import { composedFields } from './detail.ts'

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
  expect(composedFields(spoken)).toEqual({
    language: 'ne',
    calendar: 'bs',
    prompts: { menus: [] },
    keyLabels: {},
    agentRows: [],
    smsDtmfTexts: {},
  })
})

test('values that should not have been sent are absent', () => {
  const strange = { language: 'de', calendar: 5, prompts: 'none', dtmf: 1, agentRows: {} }
  expect(composedFields(strange)).toEqual({
    prompts: { menus: [] },
    keyLabels: {},
    agentRows: [],
    smsDtmfTexts: {},
  })
})
