import type { App } from '../../app.ts'
import { queueJob } from '../../db/jobs/jobs.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { forgetPasted } from '../contacts/actions-stored.ts'
import { forgetFile, withFiles } from '../files/actions.ts'
import { forgetRecordingsOf } from '../recordings/actions.ts'
import { forgetArchived } from './actions-rewrite.ts'
import { auditOf, notOver, withoutNumbers, type Kind } from './rules.ts'
import * as forget from './store-forget.ts'
import * as store from './store.ts'

/** Rows per deleting statement: a quarter of a second, so that nobody has to wait. */
const batch = 5000
const files = 100
const resumed = 100

type Asked = { campaignId: number; campaignName: string }

/**
 * Deletes a finished campaign: it counts as deleted at once, and a job removes its personal data. `campaignName` confirms the deletion.
 * Money, times and sums stay.
 */
export async function deleteCampaign(ctx: Ctx, kind: Kind, { campaignId, campaignName }: Asked): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute(async (tx) => {
    const campaign = await store.lockCampaign(tx, kind, ownScope(viewer), campaignId)
    if (!campaign) throw new AppError('not_found')
    if (campaignName.trim() !== campaign.name)
      throw badField('campaignName', 'is not the name of this campaign', 'mismatch')
    const why = (await whyNot(tx, kind, campaignId)) ?? notOver(campaign.status, 'deleted')
    if (why !== null) throw conflict('campaignId', why, 'status')
    await forget.markDeleted(tx, kind, campaignId, { userId: viewer.userId, at: app.clock.now() })
    const { action, target } = auditOf[kind]
    await audit(tx, ctx, `${action}.delete`, `${target} ${campaignId}`, { name: campaign.name })
    await queueJob(app.jobs, tx, 'forget', {})
  })
}

async function whyNot(tx: Tx, kind: Kind, campaignId: number): Promise<string | null> {
  if (await forget.isDeleted(tx, kind, campaignId)) return deletedAlready
  if (kind === 'messages' && (await forget.callsOf(tx, campaignId)) !== undefined)
    return 'follows the calls of a campaign: delete that one, and its texts go with it'
  return forget.stillUnderWay(tx, kind, campaignId)
}

const deletedAlready = 'was deleted'

export async function refuseDeleted(db: Db, kind: Kind, campaignId: number): Promise<void> {
  if (await forget.isDeleted(db, kind, campaignId)) throw conflict('campaignId', deletedAlready, 'status')
}

/**
 * Whether the numbers of one of these campaigns are being deleted, or were since then. Until the transaction ends nobody can ask for the deletion
 * of another, so a file that it stores is found by whoever deletes one.
 */
export async function anyDeletedSince(
  tx: Tx,
  kind: Kind,
  campaignIds: readonly number[],
  since: Date,
): Promise<boolean> {
  await forget.holdDeletions(tx)
  return await forget.anyDeletedSince(tx, kind, campaignIds, since)
}

type Forgetting = Pick<App, 'db' | 'files' | 'clock' | 'log' | 'config' | 'databaseUrl'>

/** The job: completes every requested deletion. After a fault or a restart it continues where it was. */
export async function forgetDeleted(app: Forgetting, signal?: AbortSignal): Promise<void> {
  for (const kind of ['messages', 'calls'] as const)
    for (let ids = await forget.unfinished(app.db, kind, resumed); ids.length > 0;) {
      for (const campaignId of ids) await forgetCampaign(app, kind, campaignId, signal)
      ids = await forget.unfinished(app.db, kind, resumed)
    }
}

async function forgetCampaign(app: Forgetting, kind: Kind, campaignId: number, signal?: AbortSignal): Promise<void> {
  const { db, clock, log } = app
  if (kind === 'calls') await forgetFiles(app, campaignId, signal)
  const all = async (next: () => Promise<number>): Promise<void> => {
    do signal?.throwIfAborted()
    while ((await next()) > 0)
  }
  await all(() => forget.forgetHistory(db, kind, campaignId, batch))
  await all(() => forget.forgetRows(db, kind, campaignId, batch))
  await forgetArchived(app, kind, campaignId, signal)
  // Once more, because a file may have been made from the numbers while these were being deleted. Later files contain none.
  if (kind === 'calls') await forgetFiles(app, campaignId, signal)
  const { flow, baseId } = await forget.composedOf(db, kind, campaignId)
  await db.transaction().execute(async (tx) => {
    await forget.finish(tx, kind, campaignId, { flow: withoutNumbers(flow), at: clock.now() })
  })
  if (baseId !== null) await forgetPasted(app, baseId)
  log.info({ kind, campaignId }, 'a campaign that was deleted is forgotten')
}

async function forgetFiles(app: Forgetting, campaignId: number, signal?: AbortSignal): Promise<void> {
  const { db, clock } = app
  await forgetRecordingsOf(app, campaignId, signal)
  for (let some = await forget.namedFiles(db, campaignId, files); some.length > 0;) {
    signal?.throwIfAborted()
    for (const hash of some)
      await withFiles(app, async (tx) => {
        forgetFile(tx, hash)
        await forget.unnameFile(tx, campaignId, hash)
      })
    some = await forget.namedFiles(db, campaignId, files)
  }
  await forget.forgetUnmade(db, campaignId, clock.now())
}
