import type { DtmfKey, Language, PromptType } from '@ghanti/contract/templates.ts'
import type { Flow, Menu, PromptPart, Speech } from './flow.ts'

export type PlainRole = 'welcome' | 'menu' | 'noInput' | 'wrongInput' | 'thanks'

export type PromptRole = PlainRole | PromptType

/** Known when compose freezes a flow. */
export type FlowInput = {
  prompts: Partial<Record<PromptRole, PromptPart>>
  keys: readonly DtmfKey[]
  /** Of templates with several menus. */
  menuKeys: readonly (readonly DtmfKey[])[]
  menuWaitSeconds: number
  rePrompts: number
  agents: readonly { number: string; key: DtmfKey }[]
  /** Null: no values are spoken. */
  speech: Speech | null
  /** For flows that play only a notice. */
  language?: Language | undefined
}

export type Template = {
  id: number
  required: readonly PromptRole[]
  optional: readonly PromptRole[]
  /** 'agents': of the agent rows. 'menus': chosen for each menu. */
  keys: 'none' | 'chosen' | 'agents' | 'menus' | 'fixed'
  /** Throws without a required prompt; compose checks that before. */
  build: (input: FlowInput) => Flow
}

export function requiredPart(input: FlowInput, role: PromptRole): PromptPart {
  const part = input.prompts[role]
  if (!part) throw new Error(`the flow needs a ${role} prompt`)
  return { ...part, name: role }
}

export function optionalParts(input: FlowInput, role: PromptRole): PromptPart[] {
  return input.prompts[role] ? [requiredPart(input, role)] : []
}

/** Speaks no values. */
export const silent = { speech: null, spoken: [] }

/** Of templates 1 and 2, which differ in what a key does. */
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
