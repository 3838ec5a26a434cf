import { campaignStatusCode } from '@ghanti/contract/campaign-status.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import type { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { calendars, languages } from '@ghanti/contract/templates.ts'
import * as z from 'zod/mini'

export type CampaignDetail = ReplyOf<typeof campaignDetailRoutes.detail>

/** True when a live event brought a status whose history entry is not loaded yet. A campaign starts in Processing without an entry. */
export function isHistoryBehind({ history, campaignStatus }: CampaignDetail): boolean {
  return (history[0]?.to ?? campaignStatusCode.processing) !== campaignStatus
}

const Given = <S extends z.ZodMiniType>(schema: S) => z.catch(z.optional(schema), undefined)

/** The part of compose's request that the screen shows; fields a template lacks are absent. */
const Composed = z.object({
  language: Given(z.enum(languages)),
  calendar: Given(z.enum(calendars)),
  dtmf: Given(z.string()),
  keyLabels: z.catch(z.record(z.string(), z.string()), {}),
  /** Only consultancy's menus have keys of their own: '1|2|3'. */
  prompts: z.catch(z.object({ menus: z.array(z.object({ dtmf: z.string() })) }), { menus: [] }),
  menuWaitTime: Given(z.number()),
  rePrompt: Given(z.number()),
  agentRows: z.catch(z.array(z.object({ agentNumber: z.string(), agentDtmf: z.string() })), []),
  smsSuccessApi: Given(z.string()),
  smsFailApi: Given(z.string()),
  smsDtmfApi: Given(z.string()),
  callDurationSMS: Given(z.number()),
  smsSuccessText: Given(z.string()),
  smsFailText: Given(z.string()),
  smsDtmfTexts: z.catch(z.record(z.string(), z.string()), {}),
})
export type ComposedFields = z.output<typeof Composed>

export function composedFields(composed: Record<string, unknown>): ComposedFields {
  return Composed.parse(composed)
}
