import { optionalParts, singleMenu, silent, type Template } from '../template.ts'

/** [welcome] menu → the key of an agent row bridges the call to that agent; when the agent hangs up, [thanks]. */
export const callPatch: Template = {
  id: 2,
  required: ['menu'],
  optional: ['welcome', 'noInput', 'wrongInput', 'thanks'],
  keys: 'agents',
  build: (input) => ({
    templateId: 2,
    opening: optionalParts(input, 'welcome'),
    menus: [
      singleMenu(
        input,
        input.agents.map(({ number, key }) => ({ digit: key, action: { type: 'agent', number } })),
      ),
    ],
    closing: optionalParts(input, 'thanks'),
    ...silent,
    ...(input.language && { language: input.language }),
  }),
}
