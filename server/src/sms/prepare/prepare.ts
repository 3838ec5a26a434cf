import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import { refusedKeptMax } from '@ghanti/contract/refused.ts'
import { type OperatorPrefixes } from '@ghanti/contract/operators.ts'
import type { TextApproval } from '@ghanti/contract/sms-texts.ts'
import type { Logger } from 'pino'
import type { Pool, PoolClient } from 'pg'
import type { FilesDriver } from '../../drivers/files/driver.ts'
import { rowsATurn, type AccountTurns, type Turn } from '../../dispatch/turns/account-turns.ts'
import { codeOf } from '../../lib/error-code.ts'
import { valueRuleOf } from '../../modules/contacts/rows/rules-values.ts'
import type { FileEnd } from '../../modules/contacts/rows/worker-file.ts'
import { contactBatches, type ContactJob } from '../../modules/contacts/rows/worker.ts'
import type { SmsLease } from '../model/lease.sql.ts'
import {
  beginSmsImport,
  loadPreparedSms,
  numberSmsRows,
  openSmsCopy,
  publishSms,
  reportPreparingSms,
  storeSmsRest,
  storeSmsRows,
  type PreparedSms,
  type PublishedSms,
  type SmsImportCounts,
} from './prepare.sql.ts'

export type SmsPrepareDeps = {
  /** Takes one connection for the import, and another for a moment each second. */
  pool: Pool
  files: FilesDriver
  log: Logger
  turns: AccountTurns
  prefixes: OperatorPrefixes
  /** Which texts need a super admin's approval. */
  approval: TextApproval
}

class Stopped extends Error {}

const reportMs = 1000

/**
 * Reads the file of a campaign in 'processing' into rows: ready, or refused when no row can get a message.
 * Uses one transaction: killed or stopped midway, it leaves nothing and is done again. Returns the result; null when it was stopped
 * meanwhile or another connection is at it.
 */
export async function prepareSms(
  deps: SmsPrepareDeps,
  lease: SmsLease,
  campaignId: number,
  signal: AbortSignal,
): Promise<PublishedSms | null> {
  signal.throwIfAborted()
  const campaign = await loadPreparedSms(deps.pool, campaignId)
  if (campaign?.status !== 'processing') return null
  const work = { ...deps, lease, campaignId, campaign, signal }
  const startedAt = performance.now()
  try {
    const whose = { accountId: campaign.account_id, rows: campaign.rows }
    const made = await deps.turns.run(whose, (turn) => importAlone({ ...work, turn }))
    if (made) deps.log.info({ campaignId, ...made, ms: Math.round(performance.now() - startedAt) }, 'messages prepared')
    return made
  } catch (error) {
    if (error instanceof Stopped) return null
    throw error
  }
}

type Preparation = SmsPrepareDeps & {
  lease: SmsLease
  campaignId: number
  campaign: PreparedSms
  signal: AbortSignal
  turn: Turn
}
type Import = Preparation & { client: PoolClient }

async function importAlone(work: Preparation): Promise<PublishedSms | null> {
  const client = await work.pool.connect()
  client.on('error', ignore)
  try {
    const made = await importRows({ ...work, client })
    await client.query(made ? 'commit' : 'rollback')
    client.off('error', ignore).release()
    return made
  } catch (error) {
    client.release(true) // closes the connection, which rolls back
    throw error
  }
}

/** A lost connection also fails its statement, which reports it. */
const ignore = (): void => {}

async function importRows(work: Import): Promise<PublishedSms | null> {
  const { client, campaignId, turn, lease, signal } = work
  if (!(await beginSmsImport(client, campaignId))) return null
  const read = await copyRows(work)
  const counts = await turn.aside(() => numberSmsRows(client))
  for (let from = 0; from < counts.uploaded; from += rowsATurn) {
    if (from > 0) await turn.rest()
    await report(work, `storing ${counts.uploaded.toLocaleString('en')} rows`)
    await storeSmsRows(client, campaignId, { from, to: from + rowsATurn })
  }
  const made = publishedOf(read, counts)
  await storeSmsRest(client, campaignId, read.end.kind === 'read' ? read.end.totals.refusedOfFile : 0)
  signal.throwIfAborted()
  return (await publishSms(client, lease, campaignId, made)) ? made : null
}

type FileRead = { end: FileEnd; refusedForText: number }

/** Streams the validated file into the import's table, reports progress, and stops when the campaign does. */
async function copyRows(work: Import): Promise<FileRead> {
  const job = await jobOf(work)
  if (!job) return { end: { kind: 'broken', why: 'is not there any more' }, refusedForText: 0 }
  const read: { end: FileEnd | null; refusedForText: number } = { end: null, refusedForText: 0 }
  async function* copyText(of: ContactJob): AsyncGenerator<Uint8Array> {
    let reportedAt = performance.now()
    let restAt = rowsATurn
    await using batches = contactBatches(of, 'messageCopy', work.signal)
    for (;;) {
      const next = await batches.next()
      if (next.done) {
        read.end = next.value
        return
      }
      const { copy, rows, refused } = next.value
      read.refusedForText += refused
      yield copy
      if (rows >= restAt) {
        restAt = rows + rowsATurn
        await work.turn.rest()
      }
      if (performance.now() - reportedAt < reportMs) continue
      reportedAt = performance.now()
      await report(work, `reading the file: ${rows.toLocaleString('en')} rows`)
    }
  }
  await pipeline(Readable.from(copyText(job)), await openSmsCopy(work.client))
  if (!read.end) throw new Error('the contact file ended without saying how')
  return { end: read.end, refusedForText: read.refusedForText }
}

/** Null when the file no longer exists. */
async function jobOf({ files, campaign, prefixes, approval }: Import): Promise<ContactJob | null> {
  const { template: templateId, text, operators, first_line: firstLine } = campaign
  try {
    const path = await files.pathOf(campaign.file_hash)
    const message = {
      templateId,
      text,
      operators: operators ?? [],
      prefixes,
      values: valueRuleOf(text, campaign.account_type, approval),
    }
    return { path, declaredType: '', sizeMax: contactsMaxBytes, firstLine, templateId, message }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

async function report({ pool, campaignId, signal }: Import, words: string): Promise<void> {
  signal.throwIfAborted()
  if (!(await reportPreparingSms(pool, campaignId, words))) throw new Stopped()
}

function publishedOf({ end, refusedForText }: FileRead, counts: SmsImportCounts): PublishedSms {
  if (end.kind !== 'read') {
    const why = end.kind === 'tooLarge' ? 'is too large' : end.why
    return { ...counts, status: 'refused', reason: `the contact file ${why}`, file: null, refusedKept: 0 }
  }
  const { rows, duplicate, valueBytes, refusedOfFile } = end.totals
  const invalid = end.totals.invalid + refusedForText
  const refusedKept = Math.min(invalid + duplicate - refusedOfFile, refusedKeptMax)
  const file = { rows, invalid, duplicate, valueBytes }
  return { ...counts, ...outcomeOf(file, counts), file, refusedKept }
}

type Outcome = Pick<PublishedSms, 'status' | 'reason'>

function outcomeOf(
  { rows, invalid, duplicate }: { rows: number; invalid: number; duplicate: number },
  { uploaded, unreachable, unapproved }: SmsImportCounts,
): Outcome {
  if (uploaded + unapproved > unreachable) return { status: 'ready', reason: null }
  const parts = [`invalid ${counted(invalid)}`, `duplicate ${counted(duplicate)}`, `landlines ${counted(unreachable)}`]
  const why = rows === 0 ? 'it has no rows' : parts.join(', ')
  return { status: 'refused', reason: `no row of the contact file can be sent a message: ${why}` }
}

const counted = (n: number): string => n.toLocaleString('en')
