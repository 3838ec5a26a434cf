import { createReadStream, createWriteStream } from 'node:fs'
import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { contactsMaxBytes, type ContactPreview } from '@ghanti/contract/contacts.ts'
import type { MoreNumbers } from '@ghanti/contract/more-numbers.ts'
import type { ColumnOrders, DateOrder } from '@ghanti/contract/date-orders.ts'
import { isManyRefused, refusedKeptMax, refusedShown, type RefusedFile } from '@ghanti/contract/refused.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import type { App } from '../../app.ts'
import { csvStream, csvType, type CsvCell } from '../../lib/csv.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, badField, badFile, conflict } from '../../errors.ts'
import type { Ctx, FileReply, StagedFile } from '../../http/types.ts'
import { ownScope, scopeOf, type Scope, type Viewer } from '../../policy.ts'
import { allNumbers, outsideOf, storedNumbers } from './rows/rules-numbers.ts'
import type { FileEnd } from './rows/worker-file.ts'
import { contactBatches, contactTurn, type ContactJob } from './rows/worker.ts'
import { audit, auditRead } from '../audit/actions.ts'
import type { Hidden } from './tables/worker-table.ts'
import { linesOfPasted } from './tables/worker.ts'
import { notRead, withText, type Reading } from './actions-table.ts'
import { keepFile, withFiles } from '../files/actions.ts'
import { AnswerCache } from '../../lib/answer-cache.ts'
import { openWorkFolder } from '../../lib/work-folder.ts'
import { askedFor, datesOf, mustAskFor, orderProblems, ordersWith, storedOrders } from './rules-dates.ts'
import { manyRefused } from './rules-refused.ts'
import {
  columnsOfTemplate,
  dateColumns,
  leftOutOf,
  missingColumns,
  refusedOf,
  sourcesOf,
  type FileTotals,
} from './rules.ts'
import { spokenValues } from './rules-spoken.ts'
import * as store from './store.ts'

export type StoredBase = {
  baseId: number
  rows: number
  dialable: number
  lostLetters: string[]
  moreNumbers: MoreNumbers
  dateOrders: ColumnOrders
} & Hidden
export type Base = NonNullable<Awaited<ReturnType<typeof store.find>>>

/** Refuses a file that has no number to call. */
export async function uploadBase(ctx: Ctx, name: string, file: StagedFile, reading: Reading = {}): Promise<StoredBase> {
  const { app, viewer } = ctx
  if (await store.nameTaken(app.db, viewer.userId, name)) throw nameTaken()
  const field = 'baseFile'
  return await withText({ app, accountId: viewer.userId, file, field }, reading, async (text) => {
    const askColumns = reading.askColumns === 'yes'
    const { sheet, firstLine, outside, hiddenLeft, hiddenTaken } = text
    const asked = reading.dateOrders
    const how = { sheet, firstLine, outside, askColumns, asked }
    const stored = await keep(ctx, { name, pasted: false, field, file: text, ...how })
    return { ...stored, hiddenLeft, hiddenTaken }
  })
}

/** Takes numbers, one per line or separated by commas, or a table with its header. Stored like a file, but not listed. */
export async function pasteContacts(ctx: Ctx, pasted: StagedFile): Promise<StoredBase> {
  const file = await pastedAsFile(ctx.viewer.userId, pasted)
  const stored = await keep(ctx, { name: 'Pasted numbers', pasted: true, field: 'contactList', file })
  return { ...stored, hiddenLeft: 0, hiddenTaken: 0 }
}

/** Pasted numbers as a file with one on each line; a table stays as it is. */
export async function pastedAsFile(accountId: number, pasted: StagedFile): Promise<StagedFile> {
  const file = { ...pasted, fileName: '', declaredType: 'text/plain' }
  const target = `${pasted.path} as lines`
  const end = await linesOfPasted({ want: 'lines', path: pasted.path, target }, accountId)
  if (end.kind === 'same') return file
  if (end.kind === 'refused') throw badField('contactList', end.why, end.code)
  return { ...file, path: target, size: end.bytes }
}

type Upload = {
  name: string
  pasted: boolean
  field: string
  file: StagedFile
  sheet?: string | null
  firstLine?: number
  outside?: MoreNumbers
  askColumns?: boolean
  asked?: Readonly<Record<string, DateOrder>> | undefined
}

async function keep(
  ctx: Ctx,
  { name, pasted, field, file, sheet = null, firstLine = 1, outside = [], askColumns = false, asked }: Upload,
): Promise<Omit<StoredBase, keyof Hidden>> {
  const { app, viewer } = ctx
  const { totals, refused } = await readTotals(viewer.userId, { ...file, firstLine }, field)
  const { rows, dialable, columns, refusedOfFile, valueBytes, lostLetters, dateOrders: found } = totals
  const moreNumbers = allNumbers(totals.moreNumbers, outside)
  if (dialable === 0) {
    const where = rows > 0 ? ` in its ${rows === 1 ? '1 row' : `${rows} rows`}` : ''
    const ofSheet = sheet === null ? '' : `${where === '' ? ' in' : ' of'} the sheet '${sheet}'`
    const text = `has no number that can be called${where}${ofSheet}`
    throw badFile({ field, code: 'no_numbers', text }, { rows, dialable, refused })
  }
  if (askColumns && isManyRefused(refusedOfFile, rows))
    throw badFile(manyRefused(field, refusedOfFile, rows), { rows, dialable, refused })
  const dateOrders = chosenOrders({ columns, found, asked })
  const ownerId = viewer.userId
  return await withFiles(app, async (tx) => {
    const lines = Math.min(refusedOfFile, refusedKeptMax)
    if (!pasted && (await store.nameTaken(tx, ownerId, name))) throw nameTaken()
    const beside = [{ what: 'rows', more: lines, field }] as const
    const fileHash = await keepFile(tx, app.files, file.path, { ownerId, field, beside })
    const base = {
      ownerId,
      name,
      pasted,
      fileHash,
      sizeBytes: file.size,
      rows,
      dialable,
      columns,
      valueBytes,
      firstLine,
      moreNumbers,
      dateOrders,
    }
    const baseId = await store.insert(tx, base)
    if (baseId === undefined) throw nameTaken()
    await audit(tx, ctx, 'base.upload', `base ${baseId}`, { name, pasted, rows, dialable })
    return { baseId, rows, dialable, lostLetters, moreNumbers, dateOrders }
  })
}

/** The orders that the file proves, and those that a person chose; throws where they contradict each other. */
export function chosenOrders({ asked = {}, ...file }: ChosenOrders): ColumnOrders {
  const wrong = orderProblems({ ...file, asked })
  if (wrong.length > 0) throw new AppError('bad_input', wrong)
  return ordersWith(file.found, asked)
}
type ChosenOrders = {
  columns: readonly string[]
  found: ColumnOrders
  asked: Readonly<Record<string, DateOrder>> | undefined
}

export function nameTaken(): AppError {
  return conflict('baseName', 'is the name of another of your contact files', 'taken')
}

/** Counts what reading the file gives; throws when it cannot be read. */
export async function totalsOf(accountId: number, file: StagedFile, field: string): Promise<FileTotals> {
  return (await readTotals(accountId, file, field)).totals
}

type Totals = Pick<RefusedFile, 'refused'> & { totals: FileTotals }

async function readTotals(
  accountId: number,
  { path, declaredType, firstLine = 1, size }: StagedFile & { firstLine?: number },
  field: string,
): Promise<Totals> {
  const job = { path, declaredType, sizeMax: contactsMaxBytes, firstLine, templateId: 0 }
  return await contactTurn(accountId, async () => {
    const refused: RefusedFile['refused'] = []
    await using batches = contactBatches(job, 'totals')
    for (;;) {
      const next = await batches.next()
      if (next.done) return { totals: readOrRefused(next.value, field, size), refused }
      for (const { line, text, reason } of next.value.refused.slice(0, refusedShown - refused.length))
        refused.push({ line, text, reason })
    }
  })
}

export function readOrRefused(end: FileEnd, field: string, size: number): FileTotals {
  if (end.kind === 'read') return end.totals
  throw notRead(end, field, size)
}

/**
 * The base that a body names, locked until the transaction ends. Throws 400 when it is missing, another owner's, lacks the template's columns, or
 * has dates for it of which nobody knows the order.
 */
export async function requireBase(tx: Tx, scope: Scope, baseId: number, templateId: number): Promise<Base> {
  const base = usable(await store.hold(tx, scope, baseId), templateId)
  const dates = dateColumns(base.columns, columnsOfTemplate(templateId, base.spoken_from))
  refuseUnknown(storedOrders(base), dates)
  return base
}

export function refuseUnknown(orders: ColumnOrders | null, columns: readonly string[], field = 'baseId'): void {
  const unknown = columns.find((column) => mustAskFor(orders, column))
  if (unknown !== undefined) throw badField(field, askedFor(unknown), 'which_date_order')
}

function usable(base: Base | undefined, templateId: number): Base {
  if (!base) throw badField('baseId', 'is not a contact file of yours', 'not_found')
  const missing = missingColumns(base.columns, columnsOfTemplate(templateId, base.spoken_from))
  const columns = missing.length === 1 ? 'column' : 'columns'
  if (missing.length > 0) throw badField('baseId', `must have the ${columns} ${missing.join(', ')}`, 'columns_missing')
  return base
}

export async function jobOf(
  app: App,
  base: Pick<Base, 'file_hash' | 'first_line' | 'spoken_from' | 'date_orders'>,
  templateId: number,
): Promise<ContactJob> {
  const stored = await app.files.pathOf(base.file_hash)
  const { first_line: firstLine, spoken_from: spokenFrom } = base
  const dateOrders = storedOrders(base)
  return { path: stored, declaredType: '', sizeMax: contactsMaxBytes, firstLine, templateId, spokenFrom, dateOrders }
}

const shownRows = 10

type Preview = Omit<ContactPreview, 'estimate'>
/** A form asks after each change, and most changes affect only the price. */
const knownPreviews = new AnswerCache<Preview>({ max: 50, ms: 60_000 })

/**
 * What preparation would make of the viewer's own base: same validation, same blacklists. Stores nothing; cached for a minute. Compose adds
 * the estimate.
 */
export async function previewBase(
  { app, viewer }: { app: App; viewer: Viewer },
  baseId: number,
  templateId: number,
): Promise<Preview> {
  const base = usable(await store.find(app.db, ownScope(viewer), baseId), templateId)
  const readAs = JSON.stringify([base.spoken_from, base.date_orders])
  const key = `${viewer.userId}/${baseId}/${base.file_hash}/${templateId}/${readAs}`
  return knownPreviews.get(app, key, () =>
    app.workLimits.run(app.db, 'previews', viewer.userId, () => previewOfBase({ app, viewer }, base, templateId)),
  )
}

async function previewOfBase(
  { app, viewer }: { app: App; viewer: Viewer },
  base: Base,
  templateId: number,
): Promise<Preview> {
  const job = await jobOf(app, base, templateId)
  const owners = await store.blacklistOwners(app.db, viewer.userId)
  return await contactTurn(viewer.userId, async () => {
    let blacklisted = 0
    const first: Omit<ContactPreview['first'][number], 'dates' | 'spoken'>[] = []
    const refused: ContactPreview['refused'] = []
    await using batches = contactBatches(job, 'numbers')
    for (;;) {
      const next = await batches.next()
      if (next.done) {
        const totals = readOrRefused(next.value, 'baseId', base.size_bytes)
        const { rows, invalid, duplicate, columns, lostLetters, dateOrders } = totals
        const moreNumbers = allNumbers(totals.moreNumbers, outsideOf(storedNumbers(base)))
        const accepted = totals.accepted - blacklisted
        const counts = {
          rows,
          accepted,
          blacklisted,
          invalid,
          duplicate,
          columns,
          lostLetters,
          moreNumbers,
          dateOrders,
        }
        if (base.date_orders === null) await store.setDateOrders(app.db, base.id, base.file_hash, dateOrders)
        const required = columnsOfTemplate(templateId, base.spoken_from)
        const spokenOf = spokenValues(columns, required)
        const shown = first.map((row) => ({
          ...row,
          dates: datesOf(row.values, dateOrders),
          spoken: spokenOf(row.values),
        }))
        const spokenFrom = sourcesOf(columns, required)
        return { ...counts, refusedKept: refusedOf(totals).kept, first: shown, refused, spokenFrom }
      }
      const batch = next.value
      const barred = await store.blacklisted(app.db, Array.from(batch.phones), owners)
      for (const phone of batch.phones) if (barred.has(phone)) blacklisted++
      for (const { line, phone, values } of batch.accepted)
        if (first.length < shownRows)
          // shown whether blacklisted or not: the reader must not learn who is
          first.push({ line, mobile: nationalOf(String(phone)), values })
      for (const { line, text, reason } of batch.refused.slice(0, shownRows - refused.length))
        refused.push({ line, text, reason })
    }
  })
}

/** The rows that a campaign of this template would refuse, as CSV. Written to disk first, so that no thread waits for a slow reader. */
export async function refusedCsv(ctx: Ctx, baseId: number, templateId: number): Promise<FileReply> {
  const { app, viewer } = ctx
  const base = await store.find(app.db, scopeOf(viewer), baseId)
  if (!base) throw new AppError('not_found')
  const job = await jobOf(app, base, templateId)
  const folder = await openWorkFolder(app, 'uploads')
  try {
    const target = path.join(folder, 'refused.csv')
    await contactTurn(viewer.userId, () =>
      pipeline(refusedRowsCsv(refusedRows(job, base.size_bytes)), createWriteStream(target)),
    )
    const { owner_id: ownerId, name } = base
    await auditRead(ctx, { action: 'base.download_refused', target: `base ${baseId}`, ownerId, detail: { name } })
    const stream = createReadStream(target)
    stream.on('close', () => void fs.rm(folder, { recursive: true, force: true }))
    return { type: csvType, fileName: `${base.name} refused.csv`, body: { stream } }
  } catch (error) {
    await fs.rm(folder, { recursive: true, force: true })
    throw error
  }
}

const linesAtOnce = 2000
type RefusedLine = { line: number; text: string; reason: string }

/** The refused lines that were kept. `read` returns those after a line, in the order of the file; `leftOut` is appended. */
export function refusedLinesCsv(
  read: (afterLine: number, limit: number) => Promise<RefusedLine[]>,
  leftOut: readonly string[],
): Readable {
  async function* rows(): AsyncGenerator<CsvCell[]> {
    let lines: RefusedLine[] = []
    do {
      lines = await read(lines.at(-1)?.line ?? 0, linesAtOnce)
      for (const { line, text, reason } of lines) yield [line, text, reason]
    } while (lines.length === linesAtOnce)
    yield* asRows(leftOut)
  }
  return refusedRowsCsv(rows())
}

function refusedRowsCsv(rows: AsyncIterable<readonly CsvCell[]>): Readable {
  return csvStream(['Line', 'Row', 'Reason'], rows)
}

async function* refusedRows(job: ContactJob, size: number): AsyncGenerator<CsvCell[]> {
  await using batches = contactBatches(job, 'refused')
  for (;;) {
    const next = await batches.next()
    if (next.done) {
      yield* asRows(leftOutOf(readOrRefused(next.value, 'baseId', size)))
      return
    }
    for (const { line, text, reason } of next.value.refused) yield [line, text, reason]
  }
}

const asRows = (leftOut: readonly string[]): CsvCell[][] => leftOut.map((text) => ['', '', text])
