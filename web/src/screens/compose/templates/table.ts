import { callPatch } from './call-patch.ts'
import { consultancy } from './consultancy.ts'
import { dtmfInput } from './dtmf-input.ts'
import { simpleIvr } from './simple-ivr.ts'
import { automobileService, premiumReminder, serviceReminder } from './speaking.ts'
import type { ComposeTemplate } from './template.ts'

export const composeTemplates: readonly ComposeTemplate[] = [
  simpleIvr,
  dtmfInput,
  callPatch,
  automobileService,
  premiumReminder,
  serviceReminder,
  consultancy,
]

export function composeTemplateOf(id: string | null): ComposeTemplate | undefined {
  return composeTemplates.find((template) => String(template.id) === id)
}
