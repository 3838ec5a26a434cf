import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pool } from 'pg'
import { kyselyOver } from '../../db/pool.ts'
import { AppError, type FieldError } from '../../errors.ts'
import { audit } from '../audit/actions.ts'
import { newNumbers, openStage, storeNumbers, storeUpload } from './store-upload.ts'
import { refusedKeptMax } from '@ghanti/contract/refused.ts'
import { KeptRefused, type RefusedRow } from '../contacts/rules.ts'
import { expectRoom, requireRoom, type Need } from '../quotas/actions.ts'
import { validateFile, type FileEnd, type ValidatedBatch } from '../contacts/rows/worker-file.ts'
import { copyEscaped } from '../../db/copy-text.ts'

export type BlacklistFile = {
  path: string
  declaredType: string
  sizeMax: number
  fileName: string
  ownerId: number
  /** The platform's list has none. */
  hasQuota: boolean
  field: string
  byUserId: number
  ip: string
}

type RefusedLine = Omit<RefusedRow, 'ofFile'>

/** The result. Nothing is stored of a file that could not be read to its end. */
export type BlacklistEnd =
  | {
      kind: 'stored'
      uploadId: number
      rows: number
      accepted: number
      duplicate: number
      invalid: number
      refused: RefusedLine[]
    }
  | { kind: 'overQuota'; errors: readonly FieldError[] }
  | { kind: 'empty'; rows: number; refused: RefusedLine[] }
  | Exclude<FileEnd, { kind: 'read' }>

const shownRows = 100

function copyText({ accepted }: ValidatedBatch, kept: readonly RefusedRow[]): string {
  let text = ''
  for (const { line, phone } of accepted) text += `${line}\t${phone}\t\\N\t\\N\n`
  for (const row of kept) text += `${row.line}\t\\N\t${copyEscaped(row.text)}\t${copyEscaped(row.reason)}\n`
  return text
}

/**
 * Puts the numbers of a file onto a blacklist in one transaction. It uses constant memory: rows go through a temporary table, which finds
 * duplicates. `pool` has one session, to which that table belongs.
 */
export async function importBlacklist(pool: Pool, file: BlacklistFile): Promise<BlacklistEnd> {
  const refused: RefusedLine[] = []
  const end = await stage(pool, file, refused)
  if (end.kind !== 'read') return end
  const { rows, invalid } = end.totals
  if (rows === invalid) return { kind: 'empty', rows, refused }
  const stored = kyselyOver(pool)
    .transaction()
    .execute(async (tx): Promise<BlacklistEnd> => {
      if (file.hasQuota) await expectRoom(tx, file.ownerId, needsOf(file, await newNumbers(tx, file.ownerId), invalid))
      const accepted = await storeNumbers(tx, file.ownerId)
      const uploadId = await storeUpload(tx, { ...file, rows, invalid }, accepted)
      const duplicate = rows - invalid - accepted
      const actor = { viewer: { userId: file.byUserId }, origin: { ip: file.ip } }
      const detail = { fileName: file.fileName, rows, accepted, duplicate, invalid }
      // This comes last, because it blocks other quota checks of the account until the transaction ends.
      if (file.hasQuota)
        await requireRoom(
          tx,
          file.ownerId,
          needsOf(file, accepted, invalid).map((need) => ({ ...need, stored: true })),
        )
      await audit(tx, actor, 'blacklist.upload', `blacklist upload ${uploadId}`, detail)
      return { kind: 'stored', uploadId, rows, accepted, duplicate, invalid, refused }
    })
  return await stored.catch((error: unknown) => {
    if (error instanceof AppError) return { kind: 'overQuota', errors: error.errors }
    throw error
  })
}

function needsOf({ field }: BlacklistFile, numbers: number, invalid: number): Need[] {
  return [
    { what: 'blacklist', more: numbers, field },
    { what: 'rows', more: Math.min(invalid, refusedKeptMax), field },
  ]
}

async function stage(pool: Pool, file: BlacklistFile, refused: RefusedLine[]): Promise<FileEnd> {
  const ends: FileEnd[] = []
  const kept = new KeptRefused()
  async function* text(): AsyncGenerator<string> {
    const batches = validateFile({ ...file, required: 'any', chunkBytes: 262_144 })
    for (;;) {
      const next = await batches.next()
      if (next.done) {
        ends.push(next.value)
        return
      }
      for (const { line, text, reason } of next.value.refused.slice(0, shownRows - refused.length))
        refused.push({ line, text, reason })
      yield copyText(next.value, kept.take(next.value.refused))
    }
  }
  const client = await pool.connect()
  try {
    await pipeline(Readable.from(text(), { objectMode: false }), await openStage(client))
  } finally {
    client.release()
  }
  const [end] = ends
  assert(end)
  return end
}
