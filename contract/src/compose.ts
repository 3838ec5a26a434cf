import * as z from 'zod/mini'
import { callTextInput } from './call-texts.ts'
import { addressInput } from './sms-address.ts'
import { AgentRows, CampaignStart, ContactPreview, TemplateIdInput } from './contacts.ts'
import { KeyLabels } from './key-labels.ts'
import { PromptsInput } from './parts.ts'
import { json } from './route.ts'
import { calendars, languages, menuWaitSecondsMax, rePromptMax } from './templates.ts'
import { EndOrNone, groupNameMax, Id, Name, NepalTime, OneLine, RingSeconds, Text, wireInt } from './values.ts'

/**
 * The compose payload of specification 1 §3; docs/api.md#compose has its defaults. The template's own schema, on the server and in the form,
 * says which fields it needs.
 */
export const scheduleDaysMax = 366

export const ComposeInput = z.object({
  userId: z.optional(Id),
  campaignName: Name,
  templateId: TemplateIdInput,
  templateName: z.optional(
    OneLine({ error: 'must be text' }).check(z.maxLength(40, { error: 'is longer than 40 characters' })),
  ),
  cli: Text(groupNameMax),
  baseId: Id,
  dtmf: z.optional(
    OneLine({ error: 'must be text' }).check(z.maxLength(40, { error: 'is longer than 40 characters' })),
  ),
  welcomePId: z.optional(Id),
  menuPId: z.optional(Id),
  noInputPId: z.optional(Id),
  wrongInputPId: z.optional(Id),
  thanksPId: z.optional(Id),
  menuWaitTime: z.optional(wireInt(0, menuWaitSecondsMax)),
  rePrompt: z.optional(wireInt(0, rePromptMax)),
  agentRows: z.optional(AgentRows),
  prompts: z.optional(PromptsInput),
  /** How values are spoken; defaults: ne, and the language's calendar. */
  language: z.optional(z.enum(languages, { error: 'must be ne or en' })),
  calendar: z.optional(z.enum(calendars, { error: 'must be ad or bs' })),
  scheduleTime: z.optional(NepalTime),
  /** No call begins after this, and the campaign ends. Left out: the platform's last day for it. */
  notAfter: z.optional(NepalTime),
  ...addressInput,
  ...callTextInput,
  /** Names of keys that the campaign takes. */
  keyLabels: z.optional(KeyLabels),
  retries: z._default(wireInt(0, 5), 2),
  retryInterval: z._default(wireInt(1, 1440), 10),
  channels: z._default(wireInt(1, 1000), 30),
  /** Left out: the trunk's ring time, which is also the maximum. */
  ringSeconds: z.optional(RingSeconds),
})
export type ComposeInput = z.output<typeof ComposeInput>

export const PreviewInput = z.partial(ComposeInput)
export type PreviewInput = z.output<typeof PreviewInput>

/** What may change in a campaign that has not begun. Fields left out stay. Its contacts, voice files and prices never change. */
export const EditInput = z.object({
  campaignId: Id,
  campaignName: z.optional(Name),
  scheduleTime: z.optional(NepalTime),
  /** 'none': no end of its own. Left out: it moves with the time when that changes. */
  notAfter: z.optional(EndOrNone),
  retries: z.optional(wireInt(0, 5)),
  retryInterval: z.optional(wireInt(1, 1440)),
  channels: z.optional(wireInt(1, 1000)),
  ringSeconds: z.optional(RingSeconds),
  /** All names: a key that is left out has none any more. */
  keyLabels: z.optional(KeyLabels),
})
export type EditInput = z.output<typeof EditInput>

export const composeRoutes = {
  compose: json({
    method: 'POST',
    path: '/api/obd/campaign/compose',
    input: ComposeInput,
    reply: z.object({ message: z.string(), campaignId: z.number(), start: CampaignStart }),
  }),
  /** The owner's, while it is Processing or Ready. */
  edit: json({
    method: 'POST',
    path: '/api/obd/campaign/edit',
    input: EditInput,
    reply: z.object({ message: z.string(), start: CampaignStart }),
  }),
  /** Takes compose's body and stores nothing: what the file would give and cost. Only baseId is required. */
  preview: json({
    method: 'POST',
    path: '/api/obd/campaign/preview',
    input: PreviewInput,
    reply: ContactPreview,
  }),
}
