import type { Template } from './template.ts'
import { callPatch } from './templates/call-patch.ts'
import { consultancy } from './templates/consultancy.ts'
import { dtmfInput } from './templates/dtmf-input.ts'
import { simpleIvr } from './templates/simple-ivr.ts'
import { speakingTemplates } from './templates/speaking.ts'

/** By the id on the wire. A new template is a file in templates/ and a line here. */
export const templateById: ReadonlyMap<number, Template> = new Map(
  [simpleIvr, dtmfInput, callPatch, ...speakingTemplates, consultancy].map((template) => [template.id, template]),
)
