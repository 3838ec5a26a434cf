import { campaignStatusCode, campaignStatusLabel } from '@ghanti/contract/campaign-status.ts'
import type { contactRoutes } from '@ghanti/contract/contacts.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { App } from '../../app.ts'
import { AppError, conflict } from '../../errors.ts'
import type { Ctx, FileReply } from '../../http/types.ts'
import { ownScope, scopeOfPath } from '../../policy.ts'
import { audit, auditRead } from '../audit/actions.ts'
import { settingOf } from '../platform/actions.ts'
import { forgetFile, withFiles, type FilesTx } from '../files/actions.ts'
import { previewBase } from './actions.ts'
import { storedNumbers } from './rows/rules-numbers.ts'
import * as store from './store.ts'

const dayMs = 24 * 3600_000
/** Pasted numbers are kept this long, or until their campaign is over, so that it can still be duplicated for a while. */
const pastedDays = 7

/** Deletes the file with its refused lines. Campaigns keep their own rows. */
export async function deleteBase(ctx: Ctx, baseId: number): Promise<void> {
  const { app, viewer } = ctx
  await withFiles(app, async (tx) => {
    const base = await store.lockOwn(tx, viewer.userId, baseId)
    if (!base) throw new AppError('not_found')
    const uses = await store.unfinishedUses(tx, baseId)
    if (uses.length > 0) {
      const names = uses.map((use) => `'${use.name}' (${campaignStatusLabel[use.status]})`).join(', ')
      throw conflict('baseId', `is used by ${names}: wait until they are finished or stop them`, 'in_use')
    }
    const repeating = (await store.repeatingUses(tx, baseId)).map((name) => `'${name}'`)
    if (repeating.length > 0)
      throw conflict('baseId', `is called again by ${repeating.join(', ')}: end the repeating campaign first`, 'in_use')
    await remove(app, tx, base)
    await audit(tx, ctx, 'base.delete', `base ${baseId}`, { name: base.name })
  })
}

async function remove({ clock }: Pick<App, 'clock'>, tx: FilesTx, base: store.Own): Promise<void> {
  forgetFile(tx, base.file_hash)
  await store.remove(tx, base.id, clock.now())
}

type StoredFile = ReplyOf<typeof contactRoutes.bases>[number]

export async function storedFiles({ app, viewer }: Ctx, userId: number): Promise<StoredFile[]> {
  const bases = await store.list(app.db, await scopeOfPath(app.db, viewer, userId))
  const days = await settingOf(app.db, 'contactFileDays')
  return bases.map((base) => storedFile(base, days))
}

function storedFile(base: store.Listed, days: number): StoredFile {
  return {
    baseId: base.id,
    baseName: base.name,
    username: base.username,
    rows: base.rows,
    dialable: base.dialable,
    columns: base.columns,
    moreNumbers: storedNumbers(base),
    uploadedAt: nepalTimeOf(base.created_at),
    keptUntil: base.is_needed ? null : nepalTimeOf(keptUntil(base.last_use, days)),
    bytes: base.size_bytes,
  }
}

export async function detailOf(ctx: Ctx, baseId: number): Promise<ReplyOf<typeof contactRoutes.detail>> {
  const { app, viewer } = ctx
  const base = await store.findListed(app.db, ownScope(viewer), baseId)
  if (!base) throw new AppError('not_found')
  const preview = await previewBase(ctx, baseId, 0)
  const { newest, count } = await store.campaignsOf(app.db, baseId)
  const { owner_id: ownerId, name } = base
  await auditRead(ctx, { action: 'base.preview', target: `base ${baseId}`, ownerId, detail: { baseId, name } })
  return {
    ...storedFile(base, await settingOf(app.db, 'contactFileDays')),
    preview,
    campaigns: newest.map((campaign) => ({
      kind: campaign.kind,
      campaignId: campaign.id,
      campaignName: campaign.name,
      campaignStatus: campaignStatusCode[campaign.status],
      createdTime: nepalTimeOf(campaign.created_at),
    })),
    campaignCount: count,
  }
}

/** The viewer's own file, byte by byte as it is stored, so that it can be uploaded again. */
export async function downloadBase(ctx: Ctx, baseId: number): Promise<FileReply> {
  const { app, viewer } = ctx
  const base = await store.findListed(app.db, ownScope(viewer), baseId)
  if (!base) throw new AppError('not_found')
  const { owner_id: ownerId, name, file_hash: hash } = base
  await auditRead(ctx, { action: 'base.download', target: `base ${baseId}`, ownerId, detail: { name } })
  return { type: 'text/csv', fileName: `${name}.csv`, body: { hash }, etag: hash }
}

function keptUntil(lastUse: Date, days: number): Date {
  return new Date(lastUse.getTime() + days * dayMs)
}

/** Deletes numbers pasted for one campaign, unless another campaign was made from them too. */
export async function forgetPasted(app: Pick<App, 'db' | 'files' | 'clock'>, baseId: number): Promise<void> {
  await withFiles(app, async (tx) => {
    const base = await store.lockPasted(tx, baseId)
    if (base) await remove(app, tx, base)
  })
}

/** Deletes files unused for the configured days, as the list announces, and pasted numbers whose campaign is over. Returns how many. */
export async function forgetUnneededBases(app: Pick<App, 'db' | 'files' | 'clock' | 'log'>): Promise<number> {
  const { db, clock, log } = app
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs)
  const before = { storedBefore: daysAgo(await settingOf(db, 'contactFileDays')), pastedBefore: daysAgo(pastedDays) }
  let gone = 0
  for (;;) {
    const found = await store.unneeded(db, before)
    for (const { id } of found)
      await withFiles(app, async (tx) => {
        const base = await store.lockUnneeded(tx, id)
        if (!base) return
        await remove(app, tx, base)
        gone += 1
        log.info({ baseId: id, ownerId: base.owner_id }, 'a contact file that nothing needed any more was removed')
      })
    if (found.length === 0) return gone
  }
}
