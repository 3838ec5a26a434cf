import { addRows, type AddEnd, type AddJob } from './worker-added.ts'
import { pastedLines, type PasteEnd, type PasteJob } from './worker-pasted.ts'
import { readTable, type TableEnd, type TableJob } from './worker-table.ts'

export type Job = TableJob | AddJob | PasteJob
export type EndOf<J extends Job> = J extends AddJob ? AddEnd : J extends PasteJob ? PasteEnd : TableEnd

export function read(job: Job): Promise<EndOf<Job>> {
  if ('added' in job) return addRows(job)
  return job.want === 'lines' ? pastedLines(job) : readTable(job)
}
