import type { composeRoutes } from '@ghanti/contract/compose.ts'
import type { SentOf } from '../../api/client.ts'
import type { ComposeForm } from './form.ts'
import { scheduleTimeOf } from './schedule.ts'
import { composeTemplateOf, hasKeys } from './templates/table.ts'
import type { ComposeBody } from './templates/template.ts'

/** Spec 1 §9: the console always sends these. */
const fixed = { retries: 2, retryInterval: 10, channels: 30 }

/** The request of a form. '' stands for what is absent: now, no SMS. */
export function toComposeBody(form: ComposeForm, baseId: number): ComposeBody {
  const template = composeTemplateOf(form.template)
  const onDtmf = form.smsOnDtmf && hasKeys(form)
  return {
    campaignName: form.campaignName.trim(),
    templateId: template?.sentId(form) ?? '',
    cli: form.cli ?? '',
    baseId,
    ...template?.body(form),
    scheduleTime: form.scheduled ? scheduleTimeOf(form.day, form.time) : '',
    smsSuccessApi: form.smsOnSuccess ? form.smsSuccessUrl.trim() : '',
    smsFailApi: form.smsOnFail ? form.smsFailUrl.trim() : '',
    smsDtmfApi: onDtmf ? form.smsDtmfUrl.trim() : '',
    callDurationSMS: form.smsOnSuccess ? Number(form.smsSeconds) : 0,
    ...fixed,
  }
}

/** What the estimate depends on; without what may still be half typed. */
export function toPreviewBody(form: ComposeForm, baseId: number): SentOf<typeof composeRoutes.preview> {
  const { campaignName: _, smsSuccessApi: _s, smsFailApi: _f, smsDtmfApi: _d, ...rest } = toComposeBody(form, baseId)
  return rest
}
