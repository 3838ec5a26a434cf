import { Flow, withSpokenMs } from '@ghanti/callflow/flow.ts'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import { operatorRangesOf, type OperatorPrefixes } from '@ghanti/contract/operators.ts'
import type { Logger } from 'pino'
import type { Pool, PoolClient } from 'pg'
import * as z from 'zod/mini'
import type { Clock } from '../../clock.ts'
import type { FilesDriver } from '../../drivers/files/driver.ts'
import { SpeechDownError } from '../../drivers/tts/driver.ts'
import type { FileTotals } from '../../modules/contacts/rules.ts'
import { storedOrders } from '../../modules/contacts/rules-dates.ts'
import { settings } from '../../modules/platform/rules.ts'
import { valueRuleOf } from '../../modules/contacts/rows/rules-values.ts'
import { NoRoomToSpeakError, type SpeechDeps } from '../../modules/speech/actions.ts'
import { reservePaisa } from '../../modules/voice-compose/rules-estimate.ts'
import type { FileEnd } from '../../modules/contacts/rows/worker-file.ts'
import { contactBatches, type ContactJob } from '../../modules/contacts/rows/worker.ts'
import { codeOf } from '../../lib/error-code.ts'
import {
  beginImport,
  loadPrepared,
  numberRows,
  openCopy,
  publish,
  reportPreparing,
  storeCallTexts,
  storeRefused,
  storeRows,
  storeStreams,
  type PreparedCampaign,
  type Published,
} from './prepare.sql.ts'
import type { Sound } from '../model/calls/plan.ts'
import { doubled } from '../model/calls/retry.ts'
import { storeFlow, storeSpeech } from './prepare-speech.sql.ts'
import { rowsATurn, turnsToPrepare, type PrepareTurns, type Turn } from '../../dispatch/turns/account-turns.ts'
import { makeSpeech, speakRows, type SpeechWork, type Unspeakable } from './prepare-speech.ts'
import { SoundFault } from '../dialer/audio/speech-cache.ts'
import type { Lease } from '../../dispatch/statement.ts'
import { words } from '../model/campaigns/words.ts'
import { clearAlert, raiseAlert } from '../../dispatch/alerts.sql.ts'
import { loadSetting } from '../model/campaigns/snapshot.sql.ts'

export type PrepareDeps = {
  /** Takes one connection for the import, and briefly another each second. */
  pool: Pool
  files: FilesDriver
  log: Logger
  speech: SpeechDeps
  clock: Clock
  /** The factor of the engine's waits. */
  timeScale?: number
  /** How often in a row speech could not be made: the waits double. */
  failures?: number
  /** Larger only where no upload limits the file: in the benchmark. */
  sizeMax?: number
  reportEveryMs?: number
  /** Brings sounds to the campaign's dialer. Rejects with SoundFault, and like `still`. */
  bring?: (sounds: readonly Sound[], still: () => Promise<void>) => Promise<void>
}

/** The result. Only `prepared` changed anything. */
export type Prepared =
  | { kind: 'prepared'; status: Published['status']; reason: string | null; uploaded: number }
  /** It was stopped or put on hold, or the lease was lost. */
  | { kind: 'stopped' }
  /** The speech engine or the dialer is out of order, as the campaign says. Try again later. */
  | { kind: 'later'; waitMs: number }
  /** Another connection prepares it: an engine that has not noticed yet that it lost its dialer. */
  | { kind: 'elsewhere' }

class Stopped extends Error {}

const reportMs = 1000
const speechAgainMs = 15_000
/** After this many failures in a row, which take at least 45 s, a person has to look. */
const failuresForAlert = 3
const engineAlert = ['speech_down', 'speech engine'] as const

/**
 * Reads the file of a campaign in 'processing' into its rows (docs/design.md#contact-files). The campaign is then ready, or refused when no row
 * can be called. First its values are spoken, outside of any transaction; then one transaction
 * stores everything. When it is killed or stopped midway, only spoken values remain, and it starts again. Campaigns that are prepared at the
 * same time share `turns`, account by account.
 */
export async function prepareCampaign(
  deps: PrepareDeps,
  lease: Lease,
  campaignId: number,
  signal: AbortSignal,
  turns: PrepareTurns = turnsToPrepare(),
): Promise<Prepared> {
  signal.throwIfAborted()
  const campaign = await loadPrepared(deps.pool, campaignId)
  if (campaign?.status !== 'processing') return { kind: 'stopped' }
  const work = { ...deps, lease, campaignId, campaign, flow: Flow.parse(campaign.flow), signal }
  const startedAt = performance.now()
  try {
    const whose = { accountId: campaign.account_id, rows: campaign.rows }
    const speaks = work.flow.spoken.length > 0
    const unspeakable = speaks ? await turns.speak.run(whose, (turn) => makeAllSpeech(work, turn)) : noneUnspeakable
    const prepared = await turns.store.run(whose, (turn) => importAlone({ ...work, unspeakable, turn }))
    if (work.failures && prepared.kind === 'prepared') await clearAlert(deps.pool, ...engineAlert)
    deps.log.info({ campaignId, ...prepared, ms: Math.round(performance.now() - startedAt) }, 'campaign prepared')
    return prepared
  } catch (error) {
    if (error instanceof Stopped) return { kind: 'stopped' }
    if (error instanceof SpeechDownError || error instanceof SoundFault) return await speechFailed(work, error)
    throw error
  }
}

async function importAlone(work: Omit<Import, 'client'>): Promise<Prepared> {
  const client = await work.pool.connect()
  client.on('error', ignore)
  try {
    const prepared = await importRows({ ...work, client })
    await client.query(prepared.kind === 'prepared' ? 'commit' : 'rollback')
    client.off('error', ignore).release()
    return prepared
  } catch (error) {
    client.release(true) // the connection is closed in whatever state it is, which rolls back
    throw error
  }
}

/** A lost connection also fails the statement that it carries, which reports it. */
const ignore = (): void => {}

/** The campaign says why it waits. Sounds that were made are kept, so the next try goes on from there. */
async function speechFailed(work: Preparation, error: Error): Promise<Prepared> {
  const isDown = error instanceof SpeechDownError // the dialer has waits of its own for sounds that it cannot play
  const waitMs = doubled(speechAgainMs, isDown ? (work.failures ?? 0) : 0) * (work.timeScale ?? 1)
  const now = work.clock.now()
  const why = isDown ? words.speechDown(error.message, new Date(now.getTime() + waitMs), now) : error.message
  work.log.warn({ error, campaignId: work.campaignId }, 'the speech of a campaign could not be made; trying again')
  if (isDown && (work.failures ?? 0) + 1 >= failuresForAlert) await raiseAlert(work.pool, ...engineAlert, error.message)
  return (await reportPreparing(work.pool, work.campaignId, why)) ? { kind: 'later', waitMs } : { kind: 'stopped' }
}

type Preparation = PrepareDeps & {
  lease: Lease
  campaignId: number
  campaign: PreparedCampaign
  flow: Flow
  signal: AbortSignal
}
/** `unspeakable`: of a text, why the campaign cannot say any more values. */
type Import = Preparation & { client: PoolClient; unspeakable: Unspeakable | string; turn: Turn }

const noneUnspeakable: Unspeakable = new Map()

async function makeAllSpeech(work: Preparation, turn: Turn): Promise<Unspeakable | string> {
  const job = await jobOf(work)
  if (job === null) return noneUnspeakable // the import reports a missing file
  try {
    return await makeSpeech(speechWork(work), job, turn)
  } catch (error) {
    if (error instanceof NoRoomToSpeakError) return error.message
    throw error
  }
}

function speechWork(work: Preparation): SpeechWork {
  const { speech, flow, campaign, signal, bring, reportEveryMs = reportMs } = work
  return {
    speech,
    flow,
    signal,
    reportEveryMs,
    ownerId: campaign.account_id,
    bring: async (sounds, still) => await bring?.(sounds, still),
    report: (text) => report(work, text),
  }
}

async function importRows(work: Import): Promise<Prepared> {
  const { client, campaignId, campaign, turn, unspeakable } = work
  if (!(await beginImport(client, campaignId))) return { kind: 'elsewhere' }
  if (typeof unspeakable === 'string') return await conclude(work, refused(words.valuesUnspoken(unspeakable)))
  const end = await copyRows(work)
  if (end.kind !== 'read') return await conclude(work, unreadable(end))
  const speaks = work.flow.spoken.length
  const say = () => turn.aside(() => speakRows(speechWork(work), client, unspeakable))
  const totals = speaks > 0 ? withRefused(end.totals, await say()) : end.totals
  const byOperator = campaign.by_operator
  const operators = byOperator ? operatorRangesOf(await prefixesOf(work.pool)) : null
  const counts = await turn.aside(() => numberRows(client, operators))
  await storeInPieces(work, counts.uploaded)
  if (byOperator) await storeStreams(client, campaignId)
  if (speaks > 0) await turn.aside(() => storeSpokenFlow(work))
  const texts =
    campaign.texts && (await turn.aside(() => storeCallTexts(client, campaignId, campaign.segment_paisa ?? 0)))
  await storeRefused(client, campaignId, totals.refusedOfFile)
  const outcome = outcomeOf(totals)
  return await conclude(work, { ...outcome, ...counts, byOperator, file: totals, ...(texts && { texts }) })
}

async function storeInPieces(work: Import, rows: number): Promise<void> {
  for (let from = 0; from < rows; from += rowsATurn) {
    if (from > 0) await work.turn.rest()
    await report(work, `storing ${counted(rows)} rows`)
    await storeRows(work.client, work.campaignId, { from, to: from + rowsATurn })
  }
}

function withRefused(totals: FileTotals, refused: number): FileTotals {
  return { ...totals, accepted: totals.accepted - refused, invalid: totals.invalid + refused }
}

/** A call reserves the longest value of each column, before any is dialled, so no row's longest path costs more. */
async function storeSpokenFlow({ client, campaignId, campaign, flow }: Import): Promise<void> {
  const measured = withSpokenMs(flow, await storeSpeech(client, campaignId, flow.spoken.length))
  const price = { pulseMs: campaign.pulse_ms, pulsePaisa: campaign.pulse_paisa }
  await storeFlow(client, campaignId, { flow: measured, reservePaisa: reservePaisa(measured, price) })
}

async function conclude({ client, lease, campaignId, signal }: Import, made: Published): Promise<Prepared> {
  signal.throwIfAborted()
  if (!(await publish(client, lease, campaignId, made))) return { kind: 'stopped' }
  return { kind: 'prepared', status: made.status, reason: made.reason, uploaded: made.uploaded }
}

/** Reads the checked file into the import's table, shows the progress on screen, and stops as soon as the campaign does. */
async function copyRows(work: Import): Promise<FileEnd> {
  const found = await jobOf(work)
  if (!found) return { kind: 'broken', why: 'is not there any more' }
  const job: ContactJob = found
  let end: FileEnd | null = null
  async function* copyText(): AsyncGenerator<Uint8Array> {
    let reportedAt = performance.now()
    let restAt = rowsATurn
    await using batches = contactBatches(job, 'copy', work.signal)
    for (;;) {
      const next = await batches.next()
      if (next.done) {
        end = next.value
        return
      }
      yield next.value.copy
      if (next.value.rows >= restAt) {
        restAt = next.value.rows + rowsATurn
        await work.turn.rest()
      }
      if (performance.now() - reportedAt < (work.reportEveryMs ?? reportMs)) continue
      reportedAt = performance.now()
      await report(work, `reading the file: ${counted(next.value.rows)} rows`)
    }
  }
  await pipeline(Readable.from(copyText()), await openCopy(work.client))
  if (!end) throw new Error('the contact file ended without saying how')
  return end
}

/** Null: the file is not there any more. */
async function jobOf({ pool, files, campaign, sizeMax = contactsMaxBytes }: Preparation): Promise<ContactJob | null> {
  try {
    const path = await files.pathOf(campaign.file_hash)
    const { first_line: firstLine, spoken_from: spokenFrom, template_id: templateId } = campaign
    const dateOrders = storedOrders(campaign)
    const job = { path, declaredType: '', sizeMax, firstLine, templateId, spokenFrom, dateOrders }
    if (!campaign.texts) return job
    const { textApproval } = settings
    const prefixes = await prefixesOf(pool)
    const approval = z.parse(textApproval.schema, (await loadSetting(pool, textApproval.key)) ?? textApproval.fallback)
    const { texts, operators, account_type: accountType } = campaign
    const values = texts.map((text) => valueRuleOf(text, accountType, approval))
    return { ...job, callTexts: { texts, operators: operators ?? [], prefixes, values } }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

async function prefixesOf(pool: Pool): Promise<OperatorPrefixes> {
  const { key, schema, fallback } = settings.operatorPrefixes
  return z.parse(schema, (await loadSetting(pool, key)) ?? fallback)
}

async function report({ pool, campaignId, signal }: Preparation, words: string): Promise<void> {
  signal.throwIfAborted()
  if (!(await reportPreparing(pool, campaignId, words))) throw new Stopped()
}

const counted = (n: number): string => n.toLocaleString('en')
const none = { uploaded: 0, firsts: 0, byOperator: false }

/** Rare, because the file was read when it was uploaded: the store lost it, or the rules became stricter. */
function unreadable(end: Exclude<FileEnd, { kind: 'read' }>): Published {
  const why = end.kind === 'tooLarge' ? 'is too large' : end.why
  return refused(`the contact file ${why}`)
}

const refused = (reason: string): Published => ({ status: 'refused', reason, file: null, ...none })

function outcomeOf({ rows, accepted, invalid, duplicate }: FileTotals): Pick<Published, 'status' | 'reason'> {
  if (accepted > 0) return { status: 'ready', reason: null }
  const why = rows === 0 ? 'it has no rows' : `invalid ${counted(invalid)}, duplicate ${counted(duplicate)}`
  return { status: 'refused', reason: `no row of the contact file can be called: ${why}` }
}
