import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { changeStatus, requireOwner, requireReason } from '../campaigns/actions-state.ts'
import { administratorsReason } from '../campaigns/rules.ts'
import { requireRoom } from '../quotas/actions.ts'
import { showAgain } from '../retention/actions-archive.ts'
import { refuseDeleted } from '../retention/actions-delete.ts'
import * as store from './store-state.ts'

const messages = { audit: 'sms', target: 'sms campaign', current: store.current } as const

type Asked = { campaignId: number; reason?: string | undefined }

/** Nothing more is sent. The owner's pause ends in Paused; an administrator's needs a reason and is On Hold at once. */
export function pauseCampaign(ctx: Ctx, { campaignId, reason }: Asked): Promise<void> {
  const { viewer } = ctx
  if (viewer.role === 'user')
    return changeStatus(ctx, messages, {
      action: 'pause',
      campaignId,
      change: (tx, scope) => store.pause(tx, scope, campaignId),
    })
  const held = administratorsReason('pause', requireReason(reason))
  return changeStatus(ctx, messages, {
    action: 'hold',
    campaignId,
    detail: { reason },
    change: (tx, scope) => store.hold(tx, scope, campaignId, viewer, held),
  })
}

/** Messages on their way to a gateway continue, nothing else is sent. Administrators must give a reason. */
export function stopCampaign(ctx: Ctx, { campaignId, reason }: Asked): Promise<void> {
  const shown = ctx.viewer.role === 'user' ? (reason ?? null) : administratorsReason('stop', requireReason(reason))
  return changeStatus(ctx, messages, {
    action: 'stop',
    campaignId,
    detail: { reason },
    change: (tx, scope) => store.stop(tx, scope, campaignId, shown),
  })
}

export function resumeCampaign(ctx: Ctx, campaignId: number): Promise<void> {
  return changeStatus(ctx, messages, {
    action: 'resume',
    campaignId,
    change: (tx, scope) => store.resume(tx, scope, campaignId, ctx.viewer),
  })
}

/** Sends again to each number whose message failed or expired. Unknown messages may have arrived, so they are not repeated. */
export function retryCampaign(ctx: Ctx, campaignId: number): Promise<void> {
  const own = ownScope(ctx.viewer)
  return changeStatus(ctx, messages, {
    action: 'retry',
    campaignId,
    change: async (tx) => {
      // A complete campaign does not prevent its owner's deletion, so the owner may be gone.
      await requireOwner(tx, ctx.viewer.userId)
      if (await store.followsCalls(tx, own, campaignId))
        return 'follows the calls of its campaign: each of its messages is sent once'
      if (await store.isFeed(tx, own, campaignId)) return 'has messages that programs sent: each is sent once'
      const retried = await store.retry(tx, own, campaignId)
      await refuseDeleted(tx, 'messages', campaignId)
      if (!retried) return 'has no message left that failed or expired'
      await showAgain(tx, 'messages', campaignId)
      const unfinished = { what: 'campaigns', more: 1, field: 'campaignId', stored: true } as const
      await requireRoom(tx, ctx.viewer.userId, [unfinished])
      return true
    },
  })
}
