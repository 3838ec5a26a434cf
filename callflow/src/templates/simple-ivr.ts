import { requiredPart, silent, type Template } from '../template.ts'

export const simpleIvr: Template = {
  id: 0,
  required: ['welcome'],
  optional: [],
  keys: 'none',
  build: (input) => ({ templateId: 0, opening: [requiredPart(input, 'welcome')], menus: [], closing: [], ...silent }),
}
