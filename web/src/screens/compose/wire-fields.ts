import { ownValue } from '@ghanti/contract/own-values.ts'
import { ApiError } from '../../api/error.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { dtmfKeys, type PromptType } from '@ghanti/contract/templates.ts'
import type { FieldName } from './fields.ts'
import { fieldNames, fieldOf, labelsOfFields, type ComposeForm } from './form.ts'
import { consultancyMenus } from './templates/consultancy.ts'
import { heardSections, speakingIdOf } from './templates/speaking.ts'

/** The contacts' error belongs to the way in which they were given. */
const fieldOfContacts = { paste: 'numbers', upload: 'file', stored: 'storedBase' } as const satisfies Record<
  ComposeForm['contactsFrom'],
  FieldName
>

/** Fields whose name in requests differs, with the field that shows their errors. */
const renamedFields = fieldNames.flatMap((name): [string, FieldName][] => {
  const { wire, errorAt = name } = fieldOf(name)
  const at = fieldNames.find((known) => known === errorAt)
  return wire === undefined || at === undefined ? [] : [[wire, at]]
})

/** 'prompts.welcome.0' for each prompt that is sent as one of several. */
function partsOf(values: ComposeForm): [string, PromptType][] {
  if (values.template === '6') return consultancyMenus.map((menu, index) => [`prompts.menus.${index}`, menu])
  const id = speakingIdOf(values)
  if (id === null) return []
  return heardSections(id).flatMap(({ section, parts }) =>
    parts.flatMap(({ type }, index): [string, PromptType][] => (type ? [[`prompts.${section}.${index}`, type]] : [])),
  )
}

type FieldOfKey = `${'smsDtmfTexts' | 'keyLabels'}.${string}`

export function fieldsOf(values: ComposeForm): Record<string, FieldName | FieldOfKey> {
  const ofKeys = dtmfKeys.flatMap((key) =>
    ([`smsDtmfTexts.${key}`, `keyLabels.${key}`] as const).map((field) => [field, field] as const),
  )
  return {
    ...Object.fromEntries(renamedFields),
    ...Object.fromEntries(ofKeys),
    baseId: fieldOfContacts[values.contactsFrom],
    ...Object.fromEntries(partsOf(values)),
  }
}

/** 'agentRows.1.agentNumber' belongs to the field of agentRows, 'prompts.welcome.0.promptId' to that of the prompt. */
export function atFields(error: unknown): unknown {
  return renamed(
    error,
    (field) => /^(?:prompts\.\w+\.\d+|(?:smsDtmfTexts|keyLabels)\.[\d*])/.exec(field)?.[0] ?? field.split('.')[0] ?? '',
  )
}

function renamed(error: unknown, nameOf: (field: string) => string): unknown {
  if (!(error instanceof ApiError)) return error
  const errors = error.errors.map((one) => ({ ...one, field: nameOf(one.field) }))
  return new ApiError(error.status, error.message, errors, error.retryAfterSeconds)
}

/** By the names of requests. */
export function labelsOf(t: TextsOf<'compose'>, values: ComposeForm): Record<string, string> {
  return {
    ...Object.fromEntries(partsOf(values).map(([name, type]) => [name, t.prompts[type]])),
    ...Object.fromEntries(fieldNames.map((name) => [fieldOf(name).wire ?? name, fieldOf(name).label(t)])),
    ...labelsOfKeys(t),
    baseId: t.contacts.title,
  }
}

/** By the names of fields. */
export function labelsInForm(t: TextsOf<'compose'>): Record<string, string> {
  return { ...labelsOfFields(t), ...labelsOfKeys(t) }
}

function labelsOfKeys({ sms, keyNames }: TextsOf<'compose'>): Record<string, string> {
  const labels = dtmfKeys.flatMap((key) => [
    [`smsDtmfTexts.${key}`, sms.textOfKey(key)],
    [`keyLabels.${key}`, keyNames.of(key)],
  ])
  return Object.fromEntries(labels)
}

export function labelled(error: unknown, t: TextsOf<'compose'>, values: ComposeForm): unknown {
  const labels = labelsOf(t, values)
  return renamed(atFields(error), (field) => ownValue(labels, field) ?? field)
}
