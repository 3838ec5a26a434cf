import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import type { Logger } from 'pino'
import type { Pool, PoolClient } from 'pg'
import type { FilesDriver } from '../drivers/files/driver.ts'
import type { FileTotals } from '../modules/contacts/rules.ts'
import type { FileEnd } from '../workers/contact-file.ts'
import { contactBatches } from '../workers/contact-worker.ts'
import {
  beginImport,
  loadPrepared,
  numberRows,
  openCopy,
  publish,
  reportPreparing,
  storeRefused,
  storeRows,
  type PreparedCampaign,
  type Published,
} from './prepare.sql.ts'
import type { Lease } from './statement.ts'

export type PrepareDeps = {
  /** Takes one connection for the import and another for a moment each second. */
  pool: Pool
  files: FilesDriver
  log: Logger
  /** Larger only where no upload limits the file: the benchmark. */
  sizeMax?: number
  reportEveryMs?: number
}

/** What became of it; only `prepared` changed anything. */
export type Prepared =
  | { kind: 'prepared'; status: Published['status']; reason: string | null; uploaded: number }
  /** It was stopped or put on hold, or the lease was lost. */
  | { kind: 'stopped' }
  /** Another connection is at it: an engine that lost its dialer and does not know it yet. */
  | { kind: 'elsewhere' }

class Stopped extends Error {}

/**
 * Reads the file of a campaign in 'processing' into its rows (DESIGN §7): ready, refused when no row can be called, complete when all are
 * blacklisted. All in one transaction: killed or stopped in the middle it leaves nothing and is done again. One at a time per process:
 * `preparer`.
 */
export async function prepareCampaign(
  deps: PrepareDeps,
  lease: Lease,
  campaignId: number,
  signal: AbortSignal,
): Promise<Prepared> {
  signal.throwIfAborted()
  const campaign = await loadPrepared(deps.pool, campaignId)
  if (campaign?.status !== 'processing') return { kind: 'stopped' }
  const startedAt = performance.now()
  const client = await deps.pool.connect()
  client.on('error', ignore)
  try {
    const prepared = await importRows({ ...deps, client, lease, campaignId, campaign, signal })
    await client.query(prepared.kind === 'prepared' ? 'commit' : 'rollback')
    client.off('error', ignore).release()
    deps.log.info({ campaignId, ...prepared, ms: Math.round(performance.now() - startedAt) }, 'campaign prepared')
    return prepared
  } catch (error) {
    client.release(true) // in whatever state it is: closed, so rolled back
    if (error instanceof Stopped) return { kind: 'stopped' }
    throw error
  }
}

/** A lost connection also fails the statement that it carries, which tells. */
const ignore = (): void => {}

/** One import at a time: each takes a thread and much of the database's disk. */
export function preparer(
  deps: PrepareDeps,
): (lease: Lease, campaignId: number, signal: AbortSignal) => Promise<Prepared> {
  let last: Promise<unknown> = Promise.resolve()
  return (lease, campaignId, signal) => {
    const prepared = last.then(() => prepareCampaign(deps, lease, campaignId, signal))
    last = prepared.catch(() => undefined)
    return prepared
  }
}

type Import = PrepareDeps & {
  client: PoolClient
  lease: Lease
  campaignId: number
  campaign: PreparedCampaign
  signal: AbortSignal
}

async function importRows(work: Import): Promise<Prepared> {
  const { client, campaignId, campaign } = work
  if (!(await beginImport(client, campaignId))) return { kind: 'elsewhere' }
  const end = await copyRows(work)
  if (end.kind !== 'read') return await finish(work, unreadable(end))
  const { totals } = end
  await report(work, `checking ${counted(totals.accepted)} numbers against the blacklists`)
  const counts = await numberRows(client, campaign.blacklist_owners)
  await report(work, `storing ${counted(totals.rows)} rows`)
  await storeRows(client, campaignId)
  await storeRefused(client, campaignId)
  const outcome = outcomeOf(totals, counts.uploaded - counts.dnd)
  return await finish(work, { ...outcome, ...counts, file: totals })
}

async function finish({ client, lease, campaignId, signal }: Import, made: Published): Promise<Prepared> {
  signal.throwIfAborted()
  if (!(await publish(client, lease, campaignId, made))) return { kind: 'stopped' }
  return { kind: 'prepared', status: made.status, reason: made.reason, uploaded: made.uploaded }
}

/** The judged file on its way into the import's table, told on screen and stopped as soon as the campaign is. */
async function copyRows(work: Import): Promise<FileEnd> {
  const stored = await storedPath(work)
  if (stored === null) return { kind: 'broken', why: 'is not there any more' }
  const job = {
    path: stored,
    declaredType: '',
    sizeMax: work.sizeMax ?? contactsMaxBytes,
    templateId: work.campaign.template_id,
  }
  let end: FileEnd | null = null
  async function* copyText(): AsyncGenerator<Uint8Array> {
    let reportedAt = performance.now()
    await using batches = contactBatches(job, 'copy', work.signal)
    for (;;) {
      const next = await batches.next()
      if (next.done) {
        end = next.value
        return
      }
      yield next.value.copy
      if (performance.now() - reportedAt < (work.reportEveryMs ?? 1000)) continue
      reportedAt = performance.now()
      await report(work, `reading the file: ${counted(next.value.rows)} rows`)
    }
  }
  await pipeline(Readable.from(copyText()), await openCopy(work.client))
  if (!end) throw new Error('the contact file ended without saying how')
  return end
}

async function storedPath({ files, campaign }: Import): Promise<string | null> {
  try {
    return await files.pathOf(campaign.file_hash)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function report({ pool, campaignId, signal }: Import, words: string): Promise<void> {
  signal.throwIfAborted()
  if (!(await reportPreparing(pool, campaignId, words))) throw new Stopped()
}

const counted = (n: number): string => n.toLocaleString('en')
const none = { uploaded: 0, dnd: 0, firsts: 0 }

/** It was read when it was uploaded, so this is rare: the store lost it or the rules became stricter. */
function unreadable(end: Exclude<FileEnd, { kind: 'read' }>): Published {
  const why = end.kind === 'tooLarge' ? 'is too large' : end.why
  return { status: 'refused', reason: `the contact file ${why}`, file: null, ...none }
}

function outcomeOf(
  { rows, accepted, invalid, duplicate }: FileTotals,
  callable: number,
): Pick<Published, 'status' | 'reason'> {
  if (callable > 0) return { status: 'ready', reason: null }
  if (accepted > 0) return { status: 'complete', reason: 'every number is blacklisted' }
  const why = rows === 0 ? 'it has no rows' : `invalid ${counted(invalid)}, duplicate ${counted(duplicate)}`
  return { status: 'refused', reason: `no row of the contact file can be called: ${why}` }
}
