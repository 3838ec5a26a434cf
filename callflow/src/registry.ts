import type { TemplateId } from '@ghanti/contract/template-names.ts'
import type { Template } from './template.ts'
import { callPatch } from './templates/call-patch.ts'
import { consultancy } from './templates/consultancy.ts'
import { dtmfInput } from './templates/dtmf-input.ts'
import { simpleIvr } from './templates/simple-ivr.ts'
import { speakingTemplates } from './templates/speaking.ts'

/** By the id on the wire. A new template is a file in templates/ and a line here; without the line it does not compile. */
const templateOf: Record<TemplateId, Template> = {
  0: simpleIvr,
  1: dtmfInput,
  2: callPatch,
  ...speakingTemplates,
  8: consultancy,
}

export const templateById: ReadonlyMap<number, Template> = new Map(
  Object.values(templateOf).map((template) => [template.id, template]),
)
