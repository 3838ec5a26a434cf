import { SmsCampaignRow, smsCampaignRoutes } from '@ghanti/contract/sms-campaigns.ts'
import * as z from 'zod/mini'
import type { Page } from './client.ts'
import { highlight } from './live-highlight.ts'
import { patchAnswers, refresh } from './query.ts'

const SmsCampaignsEvent = z.array(SmsCampaignRow)

export function readSmsCampaigns(data: string): ReadonlyMap<number, SmsCampaignRow> {
  return new Map(SmsCampaignsEvent.parse(JSON.parse(data)).map((row) => [row.campaignId, row]))
}

/** Patches changed SMS campaigns on screen, and reloads the history of those whose status changed. Loaded with the first such event. */
export function patchSmsCampaigns(changed: ReadonlyMap<number, SmsCampaignRow>): void {
  patchAnswers<Page<SmsCampaignRow>>(smsCampaignRoutes.list.path, (page) =>
    page.rows.some((row) => changed.has(row.campaignId))
      ? { ...page, rows: page.rows.map((row) => changed.get(row.campaignId) ?? row) }
      : page,
  )
  let moved = false
  patchAnswers<SmsCampaignRow>(smsCampaignRoutes.summary.path, (summary) => {
    const row = changed.get(summary.campaignId)
    if (!row) return summary
    moved ||= row.campaignStatus !== summary.campaignStatus
    const { hold: _, heldBy: __, ...kept } = summary
    return { ...kept, ...row }
  })
  highlight(changed.keys())
  if (moved) void refresh(smsCampaignRoutes.summary)
}
