import type { composeRoutes } from '@ghanti/contract/compose.ts'
import type { SentOf } from '../../api/client.ts'
import type { ComposeForm } from './form.ts'
import { scheduleTimeOf } from './schedule.ts'
import { composeTemplateOf } from './templates/table.ts'
import type { ComposeBody } from './templates/template.ts'

/** Spec 1 §9: the console always sends these. */
const fixed = { retries: 2, retryInterval: 10, channels: 30 }

/** The request of a form. '' stands for what is absent: now. */
export function toComposeBody(form: ComposeForm, baseId: number): ComposeBody {
  const template = composeTemplateOf(form.template)
  return {
    campaignName: form.campaignName.trim(),
    templateId: template?.sentId(form) ?? '',
    cli: form.cli ?? '',
    baseId,
    ...template?.body(form),
    scheduleTime: form.scheduled ? scheduleTimeOf(form.day, form.time) : '',
    ...fixed,
    ...(form.ringSeconds !== '' && { ringSeconds: form.ringSeconds }),
    ...smsOf(form),
  }
}

/** The messages after the call; those that are not ticked are sent empty, with duration 0 (spec 1 §5). */
function smsOf(form: ComposeForm) {
  const takesKeys = composeTemplateOf(form.template)?.keys(form) !== null
  return {
    smsSuccessApi: form.smsSuccess ? form.smsSuccessApi.trim() : '',
    smsFailApi: form.smsFail ? form.smsFailApi.trim() : '',
    smsDtmfApi: form.smsDtmf && takesKeys ? form.smsDtmfApi.trim() : '',
    callDurationSMS: form.smsSuccess ? form.callDurationSMS : 0,
  }
}

/** What the estimate depends on; without what may still be half typed. */
export function toPreviewBody(form: ComposeForm, baseId: number): SentOf<typeof composeRoutes.preview> {
  const {
    campaignName: _,
    smsSuccessApi: _s,
    smsFailApi: _f,
    smsDtmfApi: _d,
    callDurationSMS: _c,
    ...rest
  } = toComposeBody(form, baseId)
  return rest
}
