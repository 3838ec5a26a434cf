import type { Called, Found } from '@ghanti/contract/find.ts'
import { dialable, nationalOf, phoneDigits, whyNotDialable } from '@ghanti/contract/phone.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Ctx } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import { badField } from '../../errors.ts'
import { auditRead } from '../audit/actions.ts'
import { archivedTo } from '../retention/actions-read.ts'
import * as store from './store-find.ts'

export function findCampaigns({ app, viewer }: Ctx, search: string): Promise<Found['campaigns']> {
  return store.findCampaigns(app.db, scopeOf(viewer), search)
}

/** The newest campaigns of the viewer's list that called a number. Audited first, also for the owner of each campaign found. */
export async function findCalls(ctx: Ctx, mobile: string): Promise<Called> {
  const { app, viewer } = ctx
  const dialled = dialable(mobile)
  if (!dialled) throw badField('mobile', whyNotDialable(mobile))
  const phone = phoneDigits(dialled)
  await auditRead(ctx, { action: 'number.find', target: nationalOf(String(phone)), ownerId: viewer.userId })
  const found = await store.findCalled(app.db, scopeOf(viewer), phone)
  for (const { campaignId, campaignName, ownerId } of found) {
    const detail = { name: campaignName }
    await auditRead(ctx, { action: 'campaign.attempts', target: `campaign ${campaignId}`, ownerId, detail })
  }
  const archived = await archivedTo(app.db, 'calls', scopeOf(viewer))
  return {
    campaigns: found.map(({ campaignId, campaignName, username, calls }) => ({
      campaignId,
      campaignName,
      username,
      calls,
    })),
    archivedTo: archived && nepalTimeOf(archived),
  }
}
