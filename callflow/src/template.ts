import type { DtmfKey } from '@ghanti/contract/templates.ts'
import type { Flow, Menu, Part } from './flow.ts'

/** What a prompt is for in a flow. */
export type PromptRole = 'welcome' | 'menu' | 'noInput' | 'wrongInput' | 'thanks'

/** What compose knows when it freezes a flow. Which prompts and keys are needed says the template. */
export type FlowInput = {
  prompts: Partial<Record<PromptRole, Part>>
  keys: readonly DtmfKey[]
  menuWaitSeconds: number
  rePrompts: number
  agents: readonly { number: string; key: DtmfKey }[]
}

/** A template is a description of what compose must ask for and a function that makes the flow of the answers. */
export type Template = {
  id: number
  required: readonly PromptRole[]
  optional: readonly PromptRole[]
  /** Where valid keys come from: none, chosen ones, those of the agent rows. */
  keys: 'none' | 'chosen' | 'agents'
  /** Throws when a required prompt is missing: compose has asked for it before. */
  build: (input: FlowInput) => Flow
}

export function requiredPart(input: FlowInput, role: PromptRole): Part {
  const part = input.prompts[role]
  if (!part) throw new Error(`the flow needs a ${role} prompt`)
  return part
}

/** Empty when the optional prompt was not chosen. */
export function optionalParts(input: FlowInput, role: PromptRole): Part[] {
  const part = input.prompts[role]
  return part ? [part] : []
}

/** A single menu as templates 1 and 2 have it; they differ in what a key does. */
export function singleMenu(input: FlowInput, keys: Menu['keys']): Menu {
  return {
    name: 'menu',
    ask: [requiredPart(input, 'menu')],
    keys,
    waitMs: input.menuWaitSeconds * 1000,
    rePrompts: input.rePrompts,
    noInput: optionalParts(input, 'noInput'),
    wrongInput: optionalParts(input, 'wrongInput'),
    unanswered: 'end',
  }
}
