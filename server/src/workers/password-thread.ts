/** The thread of password-worker.ts: judges one password and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { passwordFault } from './password-strength.ts'
import type { PasswordJob } from './password-worker.ts'

const { password, words }: PasswordJob = workerData
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(passwordFault(password, words))
