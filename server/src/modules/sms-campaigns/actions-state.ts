import type { CampaignAction } from '@ghanti/contract/campaign-status.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope, scopeOf, type Scope } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { administratorsReason, canStill, refusal } from '../campaigns/rules.ts'
import { requireRoom } from '../quotas/actions.ts'
import { lockOwner } from './store-compose.ts'
import * as store from './store-state.ts'

type Asked = { campaignId: number; reason?: string | undefined }

/** Nothing more is sent from now on. The owner's ends in Paused; an administrator's, who must say why, is On Hold at once. */
export function pauseCampaign(ctx: Ctx, { campaignId, reason }: Asked): Promise<void> {
  const { viewer } = ctx
  if (viewer.role === 'user')
    return act(ctx, 'pause', campaignId, {}, (tx, scope) => store.pause(tx, scope, campaignId))
  const held = administratorsReason('pause', required(reason))
  return act(ctx, 'hold', campaignId, { reason }, (tx, scope) => store.hold(tx, scope, campaignId, viewer, held))
}

/** What is on its way to a gateway goes on; nothing else is sent. Administrators must say why. */
export function stopCampaign(ctx: Ctx, { campaignId, reason }: Asked): Promise<void> {
  const shown = ctx.viewer.role === 'user' ? (reason ?? null) : administratorsReason('stop', required(reason))
  return act(ctx, 'stop', campaignId, { reason }, (tx, scope) => store.stop(tx, scope, campaignId, shown))
}

export function resumeCampaign(ctx: Ctx, campaignId: number): Promise<void> {
  return act(ctx, 'resume', campaignId, {}, (tx, scope) => store.resume(tx, scope, campaignId, ctx.viewer))
}

/** Once more to each number whose message failed or expired. Unknown ones may have arrived: they are not sent again. */
export function retryCampaign(ctx: Ctx, campaignId: number): Promise<void> {
  const own = ownScope(ctx.viewer)
  return act(ctx, 'retry', campaignId, {}, async (tx) => {
    // A complete campaign does not stand in the way of its owner's deletion.
    if (!(await lockOwner(tx, ctx.viewer.userId))) throw new AppError('not_found')
    const retried = await store.retry(tx, own, campaignId)
    if (!retried) return 'has no message left that failed or expired'
    const unfinished = { what: 'campaigns', more: 1, field: 'campaignId', stored: true } as const
    await requireRoom(tx, ctx.viewer.userId, [unfinished])
    return true
  })
}

function required(reason: string | undefined): string {
  if (reason === undefined) throw badField('reason', 'is required: the owner reads it')
  return reason
}

/** One change of status with its line in the audit log; 404 outside the scope, 409 with the reason when another status forbids it. */
async function act(
  ctx: Ctx,
  action: CampaignAction,
  campaignId: number,
  detail: Record<string, unknown>,
  change: (tx: Tx, scope: Scope) => Promise<boolean | string>,
): Promise<void> {
  const { app, viewer } = ctx
  const scope = scopeOf(viewer)
  await app.db.transaction().execute(async (tx) => {
    await store.actAs(tx, viewer.userId)
    const changed = await change(tx, scope)
    const campaign = await store.current(tx, scope, campaignId)
    if (!campaign) throw new AppError('not_found')
    if (changed !== true) {
      const why =
        typeof changed === 'string' && canStill(action, campaign) ? changed : refusal(action, campaign, viewer.role)
      throw conflict('campaignId', why, 'status')
    }
    await audit(tx, ctx, `sms.${action}`, `sms campaign ${campaignId}`, { name: campaign.name, ...detail })
  })
}
