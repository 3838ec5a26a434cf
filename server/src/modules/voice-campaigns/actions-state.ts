import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { changeStatus, requireOwner, requireReason } from '../campaigns/actions-state.ts'
import { administratorsReason } from '../campaigns/rules.ts'
import { deletedPromptsOf } from '../prompts/actions.ts'
import { requireRoom } from '../quotas/actions.ts'
import { showAgain } from '../retention/actions-archive.ts'
import { refuseDeleted } from '../retention/actions-delete.ts'
import { resumeCallMessages } from '../sms-campaigns/actions-calls.ts'
import { dialUntil } from '../voice-compose/actions.ts'
import { promptsDeleted } from './rules-state.ts'
import * as store from './store-state.ts'

const calls = { audit: 'campaign', target: 'campaign', current: store.current } as const

/** No new call starts. The owner's pause ends in Paused; an administrator's needs a reason and is On Hold at once. */
export function pauseCampaign(ctx: Ctx, { campaignId, reason }: { campaignId: number; reason?: string | undefined }) {
  const { viewer } = ctx
  if (viewer.role === 'user')
    return changeStatus(ctx, calls, {
      action: 'pause',
      campaignId,
      change: (tx, scope) => store.pause(tx, scope, campaignId),
    })
  const held = administratorsReason('pause', requireReason(reason))
  return changeStatus(ctx, calls, {
    action: 'hold',
    campaignId,
    detail: { reason },
    change: (tx, scope) => store.hold(tx, scope, campaignId, viewer, held),
  })
}

type Stop = { campaignId: number; now?: boolean | undefined; reason?: string | undefined }

/** Ringing calls are cancelled; answered ones finish, or end at once with `now`. Administrators must give a reason. */
export function stopCampaign(ctx: Ctx, { campaignId, now = false, reason }: Stop): Promise<void> {
  const shown = ctx.viewer.role === 'user' ? (reason ?? null) : administratorsReason('stop', requireReason(reason))
  const stopped = { endNow: now, reason: shown }
  return changeStatus(ctx, calls, {
    action: 'stop',
    campaignId,
    detail: { reason, now },
    change: (tx, scope) => store.stop(tx, scope, campaignId, stopped),
  })
}

export function resumeCampaign(ctx: Ctx, campaignId: number): Promise<void> {
  return changeStatus(ctx, calls, {
    action: 'resume',
    campaignId,
    change: (tx, scope) => store.resume(tx, scope, campaignId, ctx.viewer),
  })
}

/**
 * One more attempt for each row that never answered, provided that all prompts still exist. `invalidToo`: includes numbers that the
 * operator reported as unknown. The engine queues the rows.
 */
export function retryCampaign(ctx: Ctx, campaignId: number, invalidToo: boolean): Promise<void> {
  const own = ownScope(ctx.viewer)
  return changeStatus(ctx, calls, {
    action: 'retry',
    campaignId,
    detail: { invalidToo },
    change: async (tx) => {
      // A complete campaign does not prevent its owner's deletion, so the owner may be gone.
      await requireOwner(tx, ctx.viewer.userId)
      const gone = await deletedPromptsOf(tx, campaignId)
      if (gone.length > 0) return promptsDeleted(gone)
      // Before the campaign itself is locked: claims lock the two in this order, by way of the account.
      await resumeCallMessages(tx, ctx.viewer.userId, campaignId, await dialUntil(tx, ctx.app.clock.now()))
      const retried = await store.retry(tx, own, campaignId, invalidToo)
      const unfinished = { what: 'campaigns', more: 1, field: 'campaignId', stored: true } as const
      await refuseDeleted(tx, 'calls', campaignId)
      if (retried) await showAgain(tx, 'calls', campaignId)
      if (retried) await requireRoom(tx, ctx.viewer.userId, [unfinished])
      return retried
    },
  })
}
