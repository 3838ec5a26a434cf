import type { baseFromRoutes } from '@ghanti/contract/base-from.ts'
import { finishedStatuses, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { InputOf, ReplyOf } from '@ghanti/contract/route.ts'
import { queueJob } from '../../db/jobs/jobs.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { requireFreeName } from '../contacts/actions-made.ts'
import { tooMuch } from '../limits/actions.ts'
import { baseMakingLimit, busyAgainSeconds, tooMuchAtOnce } from '../limits/rules.ts'
import { expectRoom } from '../quotas/actions.ts'
import { refuseArchived } from '../retention/actions-read.ts'
import { refuseDeleted } from '../retention/actions-delete.ts'
import { choiceOf, isEmptyChoice } from './rules.ts'
import * as store from './store.ts'

type Asked = InputOf<typeof baseFromRoutes.make>

/** Requests a contact file of rows of the viewer's own ended campaign. A background job writes it. */
export async function askForBase(ctx: Ctx, asked: Asked): Promise<number> {
  const { app, viewer } = ctx
  const { campaignId, baseName } = asked
  const choice = choiceOf(asked)
  const campaign = await store.ownCampaign(app.db, viewer.userId, campaignId)
  if (!campaign) throw new AppError('not_found')
  if (isEmptyChoice(choice)) throw badField('dispositions', 'is required: say which rows', 'required')
  if (!(finishedStatuses as readonly CampaignStatus[]).includes(campaign.status))
    throw conflict('campaignId', 'is not over: wait until it is finished or stop it', 'not_over')
  await refuseDeleted(app.db, 'calls', campaignId)
  await refuseArchived(app.db, 'calls', campaignId)
  await requireOther(ctx, asked)
  await requireFreeName(app.db, viewer.userId, baseName)
  await expectRoom(app.db, viewer.userId, [{ what: 'bytes', more: 1, field: 'baseName' }])
  return await app.db.transaction().execute(async (tx) => {
    const before = await store.countUnfinished(tx, viewer.userId)
    if (before >= baseMakingLimit.atOnce) throw tooMuch(tooMuchAtOnce(baseMakingLimit), busyAgainSeconds)
    const at = app.clock.now()
    const makingId = await store.insert(tx, { ownerId: viewer.userId, campaignId, name: baseName, choice, at })
    await queueJob(app.jobs, tx, 'base-from', { makingId }, { turn: { accountId: viewer.userId, before } })
    await audit(tx, ctx, 'base.from', `campaign ${campaignId}`, { name: campaign.name, baseName, ...choice })
    return makingId
  })
}

async function requireOther({ app, viewer }: Ctx, { campaignId, notInCampaignId }: Asked): Promise<void> {
  if (notInCampaignId === undefined) return
  if (notInCampaignId === campaignId) throw badField('notInCampaignId', 'must be another campaign')
  if (!(await store.ownCampaign(app.db, viewer.userId, notInCampaignId)))
    throw badField('notInCampaignId', 'is not a campaign of yours', 'not_found')
  await refuseDeleted(app.db, 'calls', notInCampaignId)
}

export async function progressOf(
  { app, viewer }: Ctx,
  makingId: number,
): Promise<ReplyOf<typeof baseFromRoutes.progress>> {
  const making = await store.find(app.db, viewer.userId, makingId)
  if (!making) throw new AppError('not_found')
  const { status, rows, base_id: baseId, name, reason } = making
  return { makingStatus: status, rows, baseId, baseName: name, reason }
}
