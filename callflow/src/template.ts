import type { DtmfKey, Language, PromptType } from '@ghanti/contract/templates.ts'
import type { Flow, Menu, PromptPart, Speech } from './flow.ts'

/** The prompts for which compose has a field of their own. */
export type PlainRole = 'welcome' | 'menu' | 'noInput' | 'wrongInput' | 'thanks'

/** What a prompt is for in a flow. */
export type PromptRole = PlainRole | PromptType

/** What compose knows when it freezes a flow. The template says which prompts and keys are needed. */
export type FlowInput = {
  prompts: Partial<Record<PromptRole, PromptPart>>
  keys: readonly DtmfKey[]
  /** For each of several menus. */
  menuKeys: readonly (readonly DtmfKey[])[]
  menuWaitSeconds: number
  rePrompts: number
  agents: readonly { number: string; key: DtmfKey }[]
  /** How values are said; null for templates that say none. */
  speech: Speech | null
  /** Of those who are called, where nothing is said to them but a notice. */
  language?: Language | undefined
}

/** A template describes what compose must ask for, and has a function that makes the flow from the answers. */
export type Template = {
  id: number
  required: readonly PromptRole[]
  optional: readonly PromptRole[]
  /**
   * Where valid keys come from: there are none, they are chosen, they are those of the agent rows, they are chosen for each menu, or they are
   * always the same.
   */
  keys: 'none' | 'chosen' | 'agents' | 'menus' | 'fixed'
  /** Throws when a required prompt is missing, which compose has checked before. */
  build: (input: FlowInput) => Flow
}

export function requiredPart(input: FlowInput, role: PromptRole): PromptPart {
  const part = input.prompts[role]
  if (!part) throw new Error(`the flow needs a ${role} prompt`)
  return { ...part, name: role }
}

/** Empty when the optional prompt was not chosen. */
export function optionalParts(input: FlowInput, role: PromptRole): PromptPart[] {
  return input.prompts[role] ? [requiredPart(input, role)] : []
}

/** A flow that says no values. */
export const silent = { speech: null, spoken: [] }

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
