import type { CampaignAction } from '@ghanti/contract/campaign-status.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { scopeOf, type Scope } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { canStill, refusal, type Current } from './rules.ts'
import * as store from './store-state.ts'

export { actAs, liftedStatus, mayHold, mayLift } from './store-state.ts'

/** Keeps the account from being deleted until the transaction ends; throws 404 when it is deleted already. */
export async function requireOwner(tx: Tx, ownerId: number): Promise<void> {
  if (!(await store.lockOwner(tx, ownerId))) throw new AppError('not_found')
}

export function requireReason(reason: string | undefined): string {
  if (reason === undefined) throw badField('reason', 'is required: the owner reads it')
  return reason
}

type Kind = {
  /** The prefix of action and id in the audit log. */
  audit: 'campaign' | 'sms'
  target: 'campaign' | 'sms campaign'
  current: (tx: Tx, scope: Scope, campaignId: number) => Promise<Current | undefined>
}

type Changing = {
  action: CampaignAction
  campaignId: number
  detail?: Record<string, unknown>
  /** Returns whether it changed anything, or why it did not. */
  change: (tx: Tx, scope: Scope) => Promise<boolean | string>
}

/**
 * One change of status with its audit line. Throws 404 outside the scope, and 409 with the reason when the current status or `change`
 * forbids it.
 */
export async function changeStatus(ctx: Ctx, kind: Kind, changing: Changing): Promise<void> {
  const { app, viewer } = ctx
  const { action, campaignId, detail, change } = changing
  const scope = scopeOf(viewer)
  await app.db.transaction().execute(async (tx) => {
    await store.actAs(tx, viewer.userId)
    const changed = await change(tx, scope)
    const campaign = await kind.current(tx, scope, campaignId)
    if (!campaign) throw new AppError('not_found')
    if (changed !== true) {
      const why =
        typeof changed === 'string' && canStill(action, campaign) ? changed : refusal(action, campaign, viewer.role)
      throw conflict('campaignId', why, 'status')
    }
    await audit(tx, ctx, `${kind.audit}.${action}`, `${kind.target} ${campaignId}`, { name: campaign.name, ...detail })
  })
}
