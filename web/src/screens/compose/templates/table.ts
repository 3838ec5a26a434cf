import type { TemplateId } from '@ghanti/contract/template-names.ts'
import { callPatch } from './call-patch.ts'
import { consultancy } from './consultancy.ts'
import { dtmfInput } from './dtmf-input.ts'
import { simpleIvr } from './simple-ivr.ts'
import { automobileService, premiumReminder, serviceReminder } from './speaking.ts'
import type { ComposeTemplate } from './template.ts'

/** The card of each template, by the sent id. Does not compile when one is missing. */
const cardOf: Record<TemplateId, ComposeTemplate> = {
  0: simpleIvr,
  1: dtmfInput,
  2: callPatch,
  3: automobileService,
  4: automobileService,
  5: automobileService,
  6: premiumReminder,
  7: serviceReminder,
  8: consultancy,
}

/** In the order of the cards. */
export const composeTemplates: readonly ComposeTemplate[] = [...new Set(Object.values(cardOf))]

export function composeTemplateOf(id: string | null): ComposeTemplate | undefined {
  return composeTemplates.find((template) => String(template.id) === id)
}
