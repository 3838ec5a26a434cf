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
  }
}

/** What the estimate depends on; without what may still be half typed. */
export function toPreviewBody(form: ComposeForm, baseId: number): SentOf<typeof composeRoutes.preview> {
  const { campaignName: _, ...rest } = toComposeBody(form, baseId)
  return rest
}
