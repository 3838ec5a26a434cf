import type { SmsOccasion } from '@ghanti/contract/after-call.ts'
import type { composeRoutes } from '@ghanti/contract/compose.ts'
import { hasNames } from '@ghanti/contract/key-names.ts'
import type { SentOf } from '../../api/client.ts'
import { without, type ComposeForm } from './form.ts'
import { endOf, scheduleTimeOf } from './schedule/schedule.ts'
import { bodyOfTexts, textsOfForm, wayOf, type FormText } from './messages/sms-form.ts'
import { keyLabelsOf } from './templates/key-names.ts'
import { composeTemplateOf } from './templates/table.ts'
import type { ComposeBody } from './templates/template.ts'

/** Specification 1 §9: the console always sends these. */
const fixed = { retries: 2, retryInterval: 10, channels: 30 }

/** The request for a form; '' stands for absent, that is, now. */
export function toComposeBody(form: ComposeForm, baseId: number): ComposeBody {
  const template = composeTemplateOf(form.template)
  const keyLabels = keyLabelsOf(form)
  return {
    campaignName: form.campaignName.trim(),
    templateId: template?.sentId(form) ?? '',
    cli: form.cli ?? '',
    baseId,
    ...template?.body(form),
    scheduleTime: form.scheduled ? scheduleTimeOf(form.day, form.time) : '',
    ...(endOf(form) !== '' && { notAfter: endOf(form) }),
    ...fixed,
    ...(form.ringSeconds !== '' && { ringSeconds: form.ringSeconds }),
    ...(hasNames(keyLabels) && { keyLabels }),
    ...smsOf(form),
  }
}

/** Messages after the call; unused addresses are sent empty, with duration 0 (specification 1 §5). */
function smsOf(form: ComposeForm) {
  const isAsked = (occasion: SmsOccasion) => wayOf(form, occasion) === 'address'
  return {
    smsSuccessApi: isAsked('success') ? form.smsSuccessApi.trim() : '',
    smsFailApi: isAsked('fail') ? form.smsFailApi.trim() : '',
    smsDtmfApi: isAsked('dtmf') ? form.smsDtmfApi.trim() : '',
    callDurationSMS: form.smsSuccess ? form.callDurationSMS : 0,
    ...bodyOfTexts(textsOfForm(form), form.smsCli),
  }
}

/** What the estimate depends on, without half-typed fields. `texts`: our texts, which are counted. */
export function toPreviewBody(
  form: ComposeForm,
  baseId: number,
  texts: readonly FormText[] = [],
): SentOf<typeof composeRoutes.preview> {
  const rest = without(toComposeBody(form, baseId), ({ isUnpriced }) => isUnpriced === true)
  return { ...rest, baseId, ...bodyOfTexts(texts, form.smsCli) }
}
