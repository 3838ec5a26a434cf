import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { retentionRoutes } from '@ghanti/contract/retention.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import type { Db } from '../../db/db.ts'
import { AppError, conflict } from '../../errors.ts'
import type { Ctx, FileReply } from '../../http/types.ts'
import { scopeOf, type Scope } from '../../policy.ts'
import { audit, auditRead } from '../audit/actions.ts'
import { recordsIn, type ArchivedRecord } from '../../db/archive-file.ts'
import { auditOf, type Kind } from './rules.ts'
import * as store from './store-archives.ts'

const shown = 500

export async function listArchives({ app }: Ctx): Promise<ReplyOf<typeof retentionRoutes.archives>> {
  const rows = await store.listArchives(app.db, shown)
  return rows.map((row) => ({
    archiveId: row.id,
    kind: row.parent === 'attempt' ? ('calls' as const) : ('messages' as const),
    from: nepalTimeOf(row.first_at),
    to: nepalTimeOf(row.last_at),
    rows: row.rows,
    bytes: row.bytes,
    sha256: row.file_hash,
    madeAt: nepalTimeOf(row.made_at),
  }))
}

export async function downloadArchive(ctx: Ctx, archiveId: number): Promise<FileReply> {
  const { app } = ctx
  const found = await store.findArchive(app.db, archiveId)
  if (!found) throw new AppError('not_found')
  await app.db.transaction().execute((tx) => audit(tx, ctx, 'archive.download', `archive ${archiveId}`))
  const what = found.parent === 'attempt' ? 'calls' : 'messages'
  const fileName = `${what}-${nepalTimeOf(found.first_at).slice(0, 7)}-${archiveId}.csv.gz`
  return { type: 'application/gzip', fileName, etag: found.file_hash, body: { hash: found.file_hash } }
}

/** The archived rows of a campaign, by the names that their columns had when they were archived. Leaves the line in the audit log. */
export async function archivedRecords(
  ctx: Ctx,
  kind: Kind,
  campaignId: number,
): Promise<{ name: string; batches: () => AsyncGenerator<ArchivedRecord[]> }> {
  const { db } = ctx.app
  const campaign = await store.campaignOf(db, kind, scopeOf(ctx.viewer), campaignId)
  if (!campaign) throw new AppError('not_found')
  const parts = await store.partsOf(db, kind, campaignId)
  if (parts.length === 0) throw new AppError('not_found')
  const { action, target } = auditOf[kind]
  const { ownerId, name } = campaign
  await auditRead(ctx, { action: `${action}.archived`, target: `${target} ${campaignId}`, ownerId, detail: { name } })
  async function* batches(): AsyncGenerator<ArchivedRecord[]> {
    for (const { hash, start, bytes, columns } of parts)
      yield* recordsIn(await ctx.app.files.read(hash, { start, end: start + bytes - 1 }), columns.split(','))
  }
  return { name, batches }
}

export { archivesOf, archivesOfCampaigns } from './store-archives.ts'

/** How many calls or messages of a campaign are archived, and since when; null when none are. */
export async function archivedOf(db: Db, kind: Kind, campaignId: number): Promise<{ rows: number; at: string } | null> {
  const parts = await store.partsOf(db, kind, campaignId)
  const last = parts.at(-1)
  return last ? { rows: parts.reduce((sum, { rows }) => sum + rows, 0), at: nepalTimeOf(last.madeAt) } : null
}

/**
 * When the newest archived call or message in the scope was claimed; null when none is archived. Ignores those before `from`, and with
 * `campaignId` other campaigns.
 */
export async function archivedTo(
  db: Db,
  kind: Kind,
  scope: Scope,
  { campaignId, from }: { campaignId?: number | undefined; from?: Date | undefined } = {},
): Promise<Date | null> {
  const [last] = await store.archivesOf(db, kind, scope, campaignId)
  return last && (from === undefined || last.lastAt >= from) ? last.lastAt : null
}

export const archivedLine = (kind: Kind, to: Date): string =>
  `Not here: ${kind} up to ${nepalTimeOf(to)}, which were archived; the page of each campaign gives them as a file`

/** What needs every call of a campaign cannot be made from some of them. */
export async function refuseArchived(db: Db, kind: Kind, campaignId: number): Promise<void> {
  if ((await store.partsOf(db, kind, campaignId)).length > 0)
    throw conflict('campaignId', 'has calls that were archived: download them from its page', 'archived')
}
