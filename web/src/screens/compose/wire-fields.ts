import { ownValue } from '@ghanti/contract/own-values.ts'
import { ApiError } from '../../api/error.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { dtmfKeys, type PromptType } from '@ghanti/contract/templates.ts'
import type { ComposeForm } from './form.ts'
import { consultancyMenus } from './templates/consultancy.ts'
import { heardSections, speakingIdOf } from './templates/speaking.ts'

/** Form fields by wire name, where they differ. The contacts' error belongs to the way in which they were given. */
const fieldOfWire = {
  templateId: 'template',
  welcomePId: 'welcome',
  menuPId: 'menu',
  noInputPId: 'noInput',
  wrongInputPId: 'wrongInput',
  thanksPId: 'thanks',
  dtmf: 'keys',
  menuWaitTime: 'menuWait',
  rePrompt: 'rePrompts',
  agentRows: 'agentNumber',
  scheduleTime: 'time',
  notAfter: 'endTime',
} as const satisfies Record<string, keyof ComposeForm>
const fieldOfContacts = { paste: 'numbers', upload: 'file', stored: 'storedBase' } as const

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

export function fieldsOf(values: ComposeForm): Record<string, keyof ComposeForm | FieldOfKey> {
  const ofKeys = dtmfKeys.flatMap((key) =>
    ([`smsDtmfTexts.${key}`, `keyLabels.${key}`] as const).map((field) => [field, field] as const),
  )
  return {
    ...fieldOfWire,
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

export function labelsOf(t: TextsOf<'compose'>, values: ComposeForm): Record<string, string> {
  return {
    ...Object.fromEntries(partsOf(values).map(([name, type]) => [name, t.prompts[type]])),
    campaignName: t.campaignName,
    cli: t.cli,
    ringSeconds: t.ringSeconds,
    templateId: t.template,
    baseId: t.contacts.title,
    welcomePId: t.prompts.welcome,
    menuPId: t.prompts.menu,
    noInputPId: t.prompts.noInput,
    wrongInputPId: t.prompts.wrongInput,
    thanksPId: t.prompts.thanks,
    dtmf: t.keys,
    ...Object.fromEntries(dtmfKeys.map((key) => [`keyLabels.${key}`, t.keyNames.of(key)])),
    menuWaitTime: t.menuWait,
    rePrompt: t.rePrompts,
    agentRows: t.agents.title,
    templateName: t.templateName,
    smsSuccessApi: `${t.sms.success}: ${t.sms.address}`,
    smsFailApi: `${t.sms.fail}: ${t.sms.address}`,
    smsDtmfApi: `${t.sms.dtmf}: ${t.sms.address}`,
    ...Object.fromEntries(dtmfKeys.map((key) => [`smsDtmfTexts.${key}`, t.sms.textOfKey(key)])),
    smsCli: t.sms.sender,
    smsSuccessText: `${t.sms.success}: ${t.sms.text}`,
    smsFailText: `${t.sms.fail}: ${t.sms.text}`,
    callDurationSMS: t.sms.seconds,
    language: t.speech.language,
    calendar: t.speech.calendar,
    scheduleTime: t.schedule.time,
    notAfter: t.schedule.ends.calls.time,
  }
}

export function labelled(error: unknown, t: TextsOf<'compose'>, values: ComposeForm): unknown {
  const labels = labelsOf(t, values)
  return renamed(atFields(error), (field) => ownValue(labels, field) ?? field)
}
