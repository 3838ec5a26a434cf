import * as path from 'node:path'
import { contactsMaxBytes, type contactRoutes } from '@ghanti/contract/contacts.ts'
import type { ColumnOrders } from '@ghanti/contract/date-orders.ts'
import { isManyRefused } from '@ghanti/contract/refused.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { AppError, badField, badFile, conflict } from '../../errors.ts'
import type { Ctx, StagedFile } from '../../http/types.ts'
import { withWorkFolder } from '../../lib/work-folder.ts'
import { ownScope } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { forgetFile, keepFile, withFiles } from '../files/actions.ts'
import { chosenOrders, pastedAsFile, totalsOf } from './actions.ts'
import { notRead, withText, type Reading, type TextFile } from './actions-table.ts'
import { decidedIn, orderProblems, ordersWith, storedOrders } from './rules-dates.ts'
import type { FileTotals } from './rules.ts'
import { manyRefused } from './rules-refused.ts'
import type { Added } from './tables/worker-added.ts'
import type { Hidden } from './tables/worker-table.ts'
import { addedTo } from './tables/worker.ts'
import { contactTurn } from './rows/worker.ts'
import { allNumbers, outsideOf, storedNumbers } from './rows/rules-numbers.ts'
import * as store from './store.ts'

type Files = { baseFile: StagedFile | undefined; contactList: StagedFile | undefined }
type Result = Omit<ReplyOf<typeof contactRoutes.add>, 'message'>
type RowsOf = Omit<Result, keyof Hidden>

/** Writes a new file; the old one stays until a transaction has replaced it. */
export async function addToBase(ctx: Ctx, baseId: number, files: Files, reading: Reading): Promise<Result> {
  const { app, viewer } = ctx
  const base = await store.findListed(app.db, ownScope(viewer), baseId)
  if (!base) throw new AppError('not_found')
  const field = files.contactList ? 'contactList' : 'baseFile'
  const file = files.contactList ? await pastedAsFile(viewer.userId, files.contactList) : files.baseFile
  if (!file) throw badField('baseFile', 'is required', 'required')
  return await withText({ app, accountId: viewer.userId, file, field }, reading, (text) =>
    withWorkFolder(app, 'files-added-to', async (folder) => {
      const { hiddenLeft, hiddenTaken } = text
      const askColumns = reading.askColumns === 'yes'
      const added = await addText(ctx, base, { text, field, folder, askColumns, asked: reading.dateOrders })
      return { ...added, hiddenLeft, hiddenTaken }
    }),
  )
}

type Adding = { text: TextFile; field: string; folder: string; askColumns: boolean; asked: Reading['dateOrders'] }

async function addText(
  ctx: Ctx,
  base: store.Listed,
  { text, field, folder, askColumns, asked }: Adding,
): Promise<RowsOf> {
  const { app, viewer } = ctx
  const sizeMax = contactsMaxBytes
  const target = path.join(folder, 'contacts.csv')
  const stored = { path: await app.files.pathOf(base.file_hash), declaredType: '', sizeMax, firstLine: base.first_line }
  const added = { path: text.path, declaredType: text.declaredType, sizeMax, firstLine: text.firstLine }
  const known = decidedIn(storedOrders(base))
  refuseOtherOrders(base.columns, known, asked)
  const end = await contactTurn(viewer.userId, () => addedTo({ stored, added, target, sizeMax, dateOrders: known }))
  if (end.kind !== 'added') throw notRead(end, field, text.size)
  const { kind: _, bytes, firstInvalid, ...counts } = end
  const rows = counts.added + counts.duplicate + counts.invalid
  if (askColumns && isManyRefused(counts.invalid, rows))
    throw badFile(manyRefused(field, counts.invalid, rows), {
      rows,
      dialable: rows - counts.invalid,
      refused: firstInvalid,
    })
  if (counts.added === 0) {
    const { rows: all, dialable } = base
    const before = storedNumbers(base)
    const moreNumbers = before && allNumbers(before, text.outside)
    return { rows: all, dialable, moreNumbers, dateOrders: storedOrders(base) ?? {}, ...counts }
  }
  const made = { path: target, size: bytes, fileName: '', declaredType: 'text/csv' }
  const { dateOrders: found, ...read } = await totalsOf(viewer.userId, made, field)
  const dateOrders = ordersWith(chosenOrders({ columns: read.columns, found, asked }), known)
  const moreNumbers = allNumbers(read.moreNumbers, outsideOf(storedNumbers(base)), text.outside)
  const totals = { ...read, moreNumbers, dateOrders }
  await replace(ctx, base, { file: made, totals, counts, field })
  return { rows: totals.rows, dialable: totals.dialable, moreNumbers, dateOrders, ...counts }
}

/** Rows that were stored in one order are not read in another because rows are added. */
function refuseOtherOrders(columns: readonly string[], known: ColumnOrders, asked: Reading['dateOrders'] = {}): void {
  const named = Object.fromEntries(Object.entries(asked).filter(([column]) => columns.includes(column)))
  const wrong = orderProblems({ columns, found: known, asked: named })
  if (wrong.length > 0) throw new AppError('bad_input', wrong)
}

type Made = { file: StagedFile; totals: FileTotals; counts: Omit<Added, 'firstInvalid'>; field: string }

/** Replaces the old file by the new one, unless somebody else replaced it meanwhile. */
async function replace(ctx: Ctx, base: store.Listed, { file, totals, counts, field }: Made): Promise<void> {
  const { app, viewer } = ctx
  await withFiles(app, async (tx) => {
    const held = await store.lockOwn(tx, viewer.userId, base.id)
    if (!held) throw new AppError('not_found')
    if (held.file_hash !== base.file_hash)
      throw conflict('baseId', 'got other rows meanwhile: look at it and try again', 'changed')
    if (await store.isBeingRead(tx, base.id))
      throw conflict('baseId', 'is being read for a campaign: try again in a minute', 'in_use')
    const room = { ownerId: viewer.userId, field, replaced: [base.size_bytes] }
    const fileHash = await keepFile(tx, app.files, file.path, room)
    forgetFile(tx, base.file_hash)
    await store.replaceFile(tx, base.id, { fileHash, sizeBytes: file.size, ...totals })
    const { added, duplicate, invalid } = counts
    await audit(tx, ctx, 'base.add', `base ${base.id}`, { name: base.name, added, duplicate, invalid })
  })
}
