import { endOf, fileReader, type GivenUp } from '../../../workers/file-reader.ts'
import { FairSemaphore } from '../../../lib/fair-semaphore.ts'
import type { AddEnd, AddJob } from './worker-added.ts'
import type { PasteEnd, PasteJob } from './worker-pasted.ts'
import type { EndOf, Job, read } from './worker-reader.ts'
import type { TableEnd, TableJob } from './worker-table.ts'

const url = new URL('./worker-reader.ts', import.meta.url)
const readTables = fileReader<typeof read>('table', url)
/** Every row of both files is remembered. */
const readRows = fileReader<typeof read>('addedRows', url)

type Done<J extends Job> = Promise<EndOf<J> | GivenUp>

/** The caller limits how many run at once: by `contactTurn`. */
export function tableOf(job: TableJob): Promise<TableEnd> {
  return endOf(readTables(job, { paths: [job.path] })) as Done<TableJob>
}

export function addedTo(job: AddJob): Promise<AddEnd> {
  return endOf(readRows(job, { paths: [job.stored.path, job.added.path] })) as Done<AddJob>
}

/** Not those of `contactTurn`: a pasted list is read in milliseconds and need not wait for somebody's file. */
const turnsToPaste = new FairSemaphore(1)

export function linesOfPasted(job: PasteJob, accountId: number): Promise<PasteEnd | GivenUp> {
  return turnsToPaste.run(() => endOf(readTables(job, { paths: [job.path] })) as Done<PasteJob>, accountId)
}
