import type { DtmfKey, Language, PromptType } from '@ghanti/contract/templates.ts'
import type { Flow, Menu, PromptPart, Speech } from './flow.ts'

export type PlainRole = 'welcome' | 'menu' | 'noInput' | 'wrongInput' | 'thanks'

export type PromptRole = PlainRole | PromptType

/** What compose knows when it freezes a flow. */
export type FlowInput = {
  prompts: Partial<Record<PromptRole, PromptPart>>
  keys: readonly DtmfKey[]
  /** For each menu of templates with several. */
  menuKeys: readonly (readonly DtmfKey[])[]
  menuWaitSeconds: number
  rePrompts: number
  agents: readonly { number: string; key: DtmfKey }[]
  /** Null for templates that speak no values. */
  speech: Speech | null
  /** The language of the called people, for flows that play only a notice. */
  language?: Language | undefined
}

/** A template describes what compose must ask for, and has a function that makes the flow from the answers. */
export type Template = {
  id: number
  required: readonly PromptRole[]
  optional: readonly PromptRole[]
  /**
   * Where valid keys come from: none are valid, they are chosen, they belong to agent rows, they are chosen for each menu, or they are always the
   * same.
   */
  keys: 'none' | 'chosen' | 'agents' | 'menus' | 'fixed'
  /** Throws when a required prompt is missing; compose checks that before. */
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

/** For flows that speak no values. */
export const silent = { speech: null, spoken: [] }

/** The single menu of templates 1 and 2, which differ in what a key does. */
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
