import { AppError, conflict } from '../../errors.ts'
import type { Tx } from '../../db/db.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { auditOf, notOver, type Kind } from './rules.ts'
import * as store from './store.ts'

type Asked = { campaignId: number; archived: boolean }

/** Hides a finished campaign from its lists, or shows it again; nothing else about it changes. Idempotent. */
export async function archiveCampaign(ctx: Ctx, kind: Kind, { campaignId, archived }: Asked): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    const campaign = await store.lockCampaign(tx, kind, ownScope(ctx.viewer), campaignId)
    if (!campaign) throw new AppError('not_found')
    if (campaign.archived === archived) return
    const why = archived ? notOver(campaign.status, 'archived') : null
    if (why !== null) throw conflict('campaignId', why, 'status')
    await (archived ? store.archive : store.bringBack)(tx, kind, campaignId)
    const { action, target } = auditOf[kind]
    const done = `${action}.${archived ? 'archive' : 'bringBack'}`
    await audit(tx, ctx, done, `${target} ${campaignId}`, { name: campaign.name })
  })
}

export function showAgain(tx: Tx, kind: Kind, campaignId: number): Promise<void> {
  return store.bringBack(tx, kind, campaignId)
}
