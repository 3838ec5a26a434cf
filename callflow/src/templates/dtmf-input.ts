import { optionalParts, singleMenu, silent, type Template } from '../template.ts'

/** [welcome] menu → one of the chosen keys is recorded, [thanks]. */
export const dtmfInput: Template = {
  id: 1,
  required: ['menu'],
  optional: ['welcome', 'noInput', 'wrongInput', 'thanks'],
  keys: 'chosen',
  build: (input) => ({
    templateId: 1,
    opening: optionalParts(input, 'welcome'),
    menus: [
      singleMenu(
        input,
        input.keys.map((digit) => ({ digit, action: { type: 'end', say: [] } })),
      ),
    ],
    closing: optionalParts(input, 'thanks'),
    ...silent,
  }),
}
