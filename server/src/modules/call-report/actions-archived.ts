import { csvStream, csvType, type CsvCell } from '../../lib/csv.ts'
import { fileNameOf } from '../../lib/file-names.ts'
import type { Ctx, FileReply } from '../../http/types.ts'
import { archivedRecords } from '../retention/actions-read.ts'
import { readerOf } from './actions.ts'
import { rowsOf } from './actions-table.ts'
import { csvCells, csvHeader } from './rules.ts'
import * as store from './store.ts'

/** The archived calls of a campaign, in the columns of the report. */
export async function downloadArchivedCalls(ctx: Ctx, campaignId: number): Promise<FileReply> {
  const { app, viewer } = ctx
  const { name, batches } = await archivedRecords(ctx, 'calls', campaignId)
  const reader = readerOf(ctx)
  async function* cells(): AsyncGenerator<CsvCell[]> {
    for await (const records of batches()) {
      const lines = await store.describedRecords(app.db, records)
      for (const row of await rowsOf(app.db, lines, reader)) yield csvCells(row, viewer.role)
    }
  }
  const fileName = fileNameOf('archived calls', 'csv', name, app.clock.now())
  return { type: csvType, fileName, body: { stream: csvStream(csvHeader(viewer.role), cells()) } }
}
