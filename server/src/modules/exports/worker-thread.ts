import * as os from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { writeExport, type ExportReply } from './worker-table.ts'
import type { FromOwnThread } from '../../workers/own-thread.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const post = (message: FromOwnThread<ExportReply>): void => parentPort?.postMessage(message)

// On Linux this sets the priority of the thread, elsewhere that of the whole process. Serving pages takes precedence over writing files.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_LOW)
post({ done: await writeExport(workerData, (rows) => post({ rows })) })
