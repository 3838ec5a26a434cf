import { stat } from 'node:fs/promises'
import type { ExportFormat } from '@ghanti/contract/exports.ts'
import type { CsvCell } from '../../lib/csv.ts'
import { kyselyOver, newClient, openPool } from '../../db/pool.ts'
import type { ReadFrom } from '../../db/servers/replica.ts'
import { oneAhead } from '../../lib/one-ahead.ts'
import { tableOfCalls, type CallsOf } from '../call-report/actions-table.ts'
import { exportFaults, type ExportTable } from './rules.ts'
import { cellsOfRow, columnsOfRows } from './rules-rows.ts'
import { endedRows, rowsHead } from './store-rows.ts'
import { openTable } from './worker-formats.ts'

type Of = { kind: 'calls'; calls: CallsOf } | { kind: 'rows'; campaignId: number }
export type ExportJob = Of &
  ReadFrom & {
    format: ExportFormat
    target: string
    bytesMax: number
    /** A note below the last row, in formats that can have one. */
    lastLine?: string | undefined
  }
/** `refused` continues the sentence 'The export …'. */
export type ExportReply = { rows: number; bytes: number; campaigns: number[] } | { refused: string }

/** Writes the file of an export, with two batches in memory at most. Stops when the file exceeds `bytesMax`. */
export async function writeExport(job: ExportJob, onRows: (rows: number) => void): Promise<ExportReply> {
  if (job.kind === 'rows') return await writeRows(job, onRows)
  const { databaseUrl: connectionString, isReplica } = job
  const pool = openPool({ connectionString, isReplica, max: 2, name: 'ghanti-export' }, () => {})
  try {
    return await writeTable(job, tableOfCalls(kyselyOver(pool), job.calls), onRows)
  } finally {
    await pool.end()
  }
}

async function writeRows(job: ExportJob & { kind: 'rows' }, onRows: (rows: number) => void): Promise<ExportReply> {
  const { databaseUrl: connectionString, isReplica } = job
  const client = newClient({ connectionString, isReplica, name: 'ghanti-export' })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const head = await rowsHead(client, job.campaignId)
    if (!head) return { refused: exportFaults.campaignGone }
    async function* batches(of: typeof head & object): AsyncGenerator<CsvCell[][]> {
      for await (const rows of oneAhead(endedRows(client, job.campaignId))) yield rows.map((row) => cellsOfRow(row, of))
    }
    return await writeTable(
      job,
      { columns: columnsOfRows(head), batches: batches(head), campaigns: new Set([job.campaignId]) },
      onRows,
    )
  } finally {
    await client.end()
  }
}

async function writeTable(
  { format, target, bytesMax, lastLine }: ExportJob,
  { columns, batches, campaigns }: ExportTable,
  onRows: (rows: number) => void,
): Promise<ExportReply> {
  const file = await openTable(format, target, columns)
  const sizeOf = async (): Promise<number> => (await stat(target)).size
  const refused: ExportReply = { refused: exportFaults.tooLarge(bytesMax) }
  let rows = 0
  for await (const batch of batches) {
    await file.write(batch)
    rows += batch.length
    onRows(rows)
    if ((await sizeOf()) <= bytesMax) continue
    await file.abandon()
    return refused
  }
  if (lastLine !== undefined && format !== 'parquet') await file.write([[lastLine]])
  await file.end()
  const bytes = await sizeOf() // what was written last may not have been on disk above
  return bytes <= bytesMax ? { rows, bytes, campaigns: [...campaigns] } : refused
}
