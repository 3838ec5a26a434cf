import { ApiError } from '../../api/error.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { ComposeForm } from './form.ts'

/** The names of the wire as fields of the form, where they differ; where the contacts' error belongs depends on the way they came. */
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
  smsSuccessApi: 'smsSuccessUrl',
  smsFailApi: 'smsFailUrl',
  smsDtmfApi: 'smsDtmfUrl',
  callDurationSMS: 'smsSeconds',
} as const satisfies Record<string, keyof ComposeForm>
const fieldOfContacts = { paste: 'numbers', upload: 'file', stored: 'storedBase' } as const

/** The form's field of each name of the wire. */
export function fieldsOf(values: ComposeForm): Record<string, keyof ComposeForm> {
  return { ...fieldOfWire, baseId: fieldOfContacts[values.contactsFrom] }
}

/** 'agentRows.1.agentNumber' belongs to the field of agentRows. */
export function atFields(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const errors = error.errors.map((one) => ({ ...one, field: one.field.split('.')[0] ?? '' }))
  return new ApiError(error.status, error.message, errors, error.retryAfterSeconds)
}

/** The names of the wire as the screen says them, for the error modal. */
export function labelsOf(t: TextsOf<'compose'>): Record<string, string> {
  return {
    campaignName: t.campaignName,
    cli: t.cli,
    templateId: t.template,
    baseId: t.contacts.title,
    welcomePId: t.prompts.welcome,
    menuPId: t.prompts.menu,
    noInputPId: t.prompts.noInput,
    wrongInputPId: t.prompts.wrongInput,
    thanksPId: t.prompts.thanks,
    dtmf: t.keys,
    menuWaitTime: t.menuWait,
    rePrompt: t.rePrompts,
    agentRows: t.agents.title,
    scheduleTime: t.schedule.time,
    smsSuccessApi: t.sms.successUrl,
    smsFailApi: t.sms.failUrl,
    smsDtmfApi: t.sms.dtmfUrl,
    callDurationSMS: t.sms.seconds,
  }
}

/** A failure with the screen's names in the place of the wire's. */
export function labelled(error: unknown, t: TextsOf<'compose'>): unknown {
  if (!(error instanceof ApiError)) return error
  const labels = labelsOf(t)
  const errors = error.errors.map((one) => ({ ...one, field: labels[one.field] ?? one.field }))
  return new ApiError(error.status, error.message, errors, error.retryAfterSeconds)
}
