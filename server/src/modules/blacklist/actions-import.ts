import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pool } from 'pg'
import { kyselyOver, openPool } from '../../db/pool.ts'
import { audit } from '../audit/actions.ts'
import { newNumbers, openStage, storeNumbers, storeUpload } from './store-upload.ts'
import type { FromColumns } from '@ghanti/contract/blacklist.ts'
import type { MoreNumbers } from '@ghanti/contract/more-numbers.ts'
import { isManyRefused, refusedKeptMax } from '@ghanti/contract/refused.ts'
import { expectRoom, requireRoom, type Need } from '../quotas/actions.ts'
import { numberBatches, type NumbersFile, type RefusedLine } from './worker.ts'
import type { FileEnd } from '../contacts/rows/worker-file.ts'

export type BlacklistFile = NumbersFile & {
  fileName: string
  ownerId: number
  /** The platform's list has none. */
  hasQuota: boolean
  field: string
  byUserId: number
  ip: string
  /** Nothing is stored where more than a fifth of the rows would be refused. */
  askColumns: boolean
}

/** The result. Nothing is stored of a file that could not be read to its end. */
export type BlacklistEnd =
  | {
      kind: 'stored'
      uploadId: number
      rows: number
      accepted: number
      duplicate: number
      invalid: number
      numbers: number
      fromColumns: FromColumns
      moreNumbers: MoreNumbers
      refused: RefusedLine[]
    }
  | { kind: 'empty' | 'many'; rows: number; invalid: number; refused: RefusedLine[] }
  | Exclude<FileEnd, { kind: 'read' }>

const shownRows = 100

type Of = { databaseUrl: string; lost: (error: Error) => void }

/**
 * Puts the numbers of a file onto a blacklist in one transaction. It uses constant memory: rows go through a temporary table, which finds
 * duplicates, and which belongs to a session of this import's own.
 */
export async function importBlacklist({ databaseUrl, lost }: Of, file: BlacklistFile): Promise<BlacklistEnd> {
  const pool = openPool({ connectionString: databaseUrl, max: 1, name: 'ghanti-blacklist' }, lost)
  try {
    return await importOver(pool, file)
  } finally {
    await pool.end()
  }
}

async function importOver(pool: Pool, file: BlacklistFile): Promise<BlacklistEnd> {
  const refused: RefusedLine[] = []
  const end = await stage(pool, file, refused)
  if (end.kind !== 'read') return end
  const { rows, invalid, fromColumns, moreNumbers } = end.totals
  const numbers = fromColumns.reduce((sum, column) => sum + column.numbers, 0)
  if (numbers === 0) return { kind: 'empty', rows, invalid, refused }
  if (file.askColumns && isManyRefused(invalid, rows)) return { kind: 'many', rows, invalid, refused }
  return await kyselyOver(pool)
    .transaction()
    .execute(async (tx): Promise<BlacklistEnd> => {
      if (file.hasQuota) await expectRoom(tx, file.ownerId, needsOf(file, await newNumbers(tx, file.ownerId), invalid))
      const accepted = await storeNumbers(tx, file.ownerId)
      const uploadId = await storeUpload(tx, { ...file, rows, invalid, numbers }, accepted)
      const duplicate = numbers - accepted
      const actor = { viewer: { userId: file.byUserId }, origin: { ip: file.ip } }
      const counts = { rows, accepted, duplicate, invalid, numbers }
      const detail = { fileName: file.fileName, ...counts }
      // This comes last, because it blocks other quota checks of the account until the transaction ends.
      if (file.hasQuota)
        await requireRoom(
          tx,
          file.ownerId,
          needsOf(file, accepted, invalid).map((need) => ({ ...need, stored: true })),
        )
      await audit(tx, actor, 'blacklist.upload', `blacklist upload ${uploadId}`, detail)
      return { kind: 'stored', uploadId, ...counts, fromColumns, moreNumbers, refused }
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
  async function* text(): AsyncGenerator<Uint8Array> {
    await using batches = numberBatches(file)
    for (;;) {
      const next = await batches.next()
      if (next.done) {
        ends.push(next.value)
        return
      }
      refused.push(...next.value.refused.slice(0, shownRows - refused.length))
      yield next.value.copy
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
