import { csvStream, csvType, type CsvCell } from '../../lib/csv.ts'
import { fileNameOf } from '../../lib/file-names.ts'
import type { Ctx, FileReply } from '../../http/types.ts'
import { archivedRecords } from '../retention/actions-read.ts'
import { requireRow } from './actions-read.ts'
import { archivedCells, reportHeader } from './rules-replies.ts'
import { submissionsOf } from './store-report.ts'

/** The archived submissions of a campaign, in the columns of its report. A message that was retried has several. */
export async function downloadArchivedMessages(ctx: Ctx, campaignId: number): Promise<FileReply> {
  const { app } = ctx
  const { sender } = await requireRow(ctx, campaignId)
  const { name, batches } = await archivedRecords(ctx, 'messages', campaignId)
  async function* cells(): AsyncGenerator<CsvCell[]> {
    for await (const records of batches())
      for (const submission of await submissionsOf(app.db, records)) yield archivedCells(submission, sender)
  }
  const fileName = fileNameOf('archived messages', 'csv', name, app.clock.now())
  return { type: csvType, fileName, body: { stream: csvStream(reportHeader, cells()) } }
}
