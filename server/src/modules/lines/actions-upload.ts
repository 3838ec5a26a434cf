import { cliChannelsDefault, cliFileMaxBytes, type CliUploaded, type lineRoutes } from '@ghanti/contract/lines.ts'
import { messages } from '@ghanti/contract/messages.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, badField, type FieldError } from '../../errors.ts'
import type { Ctx, StagedFile } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { notRead } from '../contacts/actions-table.ts'
import { hidesOver } from '../shown-clis/actions.ts'
import { usedBy } from './rules.ts'
import { duplicate, invalid, type CliLine, type RefusedLine } from './rules-file.ts'
import * as store from './store-clis.ts'
import { clisIn, type CliLines } from './worker.ts'

type Upload = InputOf<typeof lineRoutes.upload>
const field = 'cliFile'
const refusedLinesMax = 20

/** Adds what it can in one transaction and reports why each other line was refused. A file without a usable line is refused. */
export async function uploadClis(ctx: Ctx, upload: Upload, file: StagedFile): Promise<CliUploaded> {
  const lines = await linesOf(ctx, file)
  return ctx.app.db.transaction().execute(async (tx) => {
    const { taken, refused } = await (upload.uploadType === 'new' ? addAll : moveAll)(tx, upload, lines.accepted)
    const all = [...lines.refused, ...refused].toSorted((a, b) => a.line - b.line)
    const invalidLines = all.filter(({ kind }) => kind === 'invalid').length
    const counts = { accepted: taken, duplicate: all.length - invalidLines, invalid: invalidLines }
    if (taken === 0) throw nothingTaken(counts, all)
    const { uploadType, pool } = upload
    await audit(tx, ctx, 'cli.upload', null, { fileName: file.fileName, uploadType, pool, ...counts })
    return {
      message: messages.success,
      rows: taken + all.length,
      ...counts,
      moreNumbers: lines.moreNumbers,
      refused: all.map(({ line, text, reason }) => ({ line, text, reason })),
    }
  })
}

type Taken = { taken: number; refused: RefusedLine[] }

async function addAll(tx: Tx, { pool, trunkName }: Upload, lines: readonly CliLine[]): Promise<Taken> {
  const { found, refused } = await trunksOf(tx, lines, trunkName)
  const added = await store.insertClis(
    tx,
    pool,
    found.map(({ line: { number, channels }, trunkId }) => ({
      number,
      trunkId,
      channels: channels ?? cliChannelsDefault,
    })),
  )
  const there = found
    .filter(({ line }) => !added.has(line.number))
    .map(({ line: { line, text } }) => duplicate(line, text, 'the number is already there'))
  return { taken: added.size, refused: [...refused, ...there] }
}

async function moveAll(tx: Tx, { trunkName }: Upload, lines: readonly CliLine[]): Promise<Taken> {
  const { found, refused } = await trunksOf(tx, lines, trunkName)
  const numbers = found.map(({ line }) => line.number)
  const clis = new Map((await store.lockNumbers(tx, numbers)).map((cli) => [cli.number, cli]))
  const using = await store.unfinishedFrom(
    tx,
    [...clis.values()].map(({ id }) => id),
  )
  const moved: store.Moved[] = []
  for (const { line, trunkId } of found) {
    const cli = clis.get(line.number)
    const use = cli && usedBy(using.filter(({ cliId }) => cliId === cli.id))
    if (!cli) refused.push(invalid(line.line, line.text, 'the number is not a caller ID here'))
    else if (trunkId === null) refused.push(invalid(line.line, line.text, 'trunkName is missing'))
    else if (trunkId === cli.trunk_id)
      refused.push(duplicate(line.line, line.text, 'the number is already on this trunk'))
    else if (use) refused.push(invalid(line.line, line.text, `the number ${use}`))
    else moved.push({ id: cli.id, trunkId, channels: line.channels ?? cli.channels })
  }
  await store.moveClis(tx, moved)
  return { taken: moved.length, refused }
}

/** Locks the lines' trunks until the transaction ends; a trunk is null when neither the line nor the form names one. */
async function trunksOf(tx: Tx, lines: readonly CliLine[], fallback: string | undefined) {
  const names = new Set(lines.flatMap(({ trunkName }) => trunkName ?? []))
  const trunks = await store.holdTrunks(tx, fallback === undefined ? [...names] : [...names, fallback])
  if (fallback !== undefined && !trunks.has(fallback.toLowerCase()))
    throw badField('trunkName', 'is not a trunk', 'not_found')
  const hides = await hidesOver(
    tx,
    [...trunks.values()].map(({ id }) => id),
  )
  const refused: RefusedLine[] = []
  const found = lines.flatMap((line) => {
    const name = line.trunkName ?? fallback
    const trunkId = name === undefined ? null : trunks.get(name.toLowerCase())?.id
    const hidden = trunkId === undefined || trunkId === null ? null : hides(trunkId, line.number)
    if (trunkId !== undefined && hidden === null) return [{ line, trunkId }]
    refused.push(invalid(line.line, line.text, hidden ?? `there is no trunk '${name}'`))
    return []
  })
  return { found, refused }
}

function nothingTaken(counts: { duplicate: number; invalid: number }, refused: readonly RefusedLine[]): AppError {
  const { duplicate: twice, invalid: wrong } = counts
  const summary = `has no caller ID to take: invalid ${wrong}, duplicate ${twice}`
  const lines = refused.slice(0, refusedLinesMax).map(({ line, reason }) => ({ line, text: `Line ${line}: ${reason}` }))
  return new AppError('bad_input', [
    { field, code: 'nothing_taken', text: summary },
    ...lines.map(({ line, text }): FieldError => ({ field: `${field}.${line}`, code: 'refused', text })),
  ])
}

async function linesOf({ viewer }: Ctx, file: StagedFile): Promise<CliLines> {
  const { path, declaredType, size } = file
  const end = await clisIn({ path, declaredType, sizeMax: cliFileMaxBytes }, viewer.userId)
  if (end.kind !== 'read') throw notRead(end, field, size)
  if (end.accepted.length + end.refused.length === 0) throw badField(field, 'is empty', 'empty')
  return end
}
