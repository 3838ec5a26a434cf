import { consultancyKeys, promptTypes } from '@ghanti/contract/templates.ts'
import { requiredPart, silent, type FlowInput, type Template } from '../template.ts'
import type { Menu } from '../flow.ts'

const menus = promptTypes.slice(0, consultancyKeys.length)

/** Welcome, then five questions one after the other, answered or not. */
export const consultancy: Template = {
  id: 8,
  required: ['welcome', ...menus],
  optional: [],
  keys: 'menus',
  build: (input) => ({
    templateId: 8,
    opening: [requiredPart(input, 'welcome')],
    menus: menus.map((name, index) => question(input, name, index)),
    closing: [],
    ...silent,
  }),
}

function question(input: FlowInput, name: (typeof menus)[number], index: number): Menu {
  return {
    name,
    ask: [requiredPart(input, name)],
    keys: (input.menuKeys[index] ?? []).map((digit) => ({ digit, action: { type: 'nextMenu', say: [] } })),
    waitMs: input.menuWaitSeconds * 1000,
    rePrompts: input.rePrompts,
    noInput: [],
    wrongInput: [],
    unanswered: 'nextMenu',
  }
}
