/** The thread of password-worker.ts: judges one password after the other. */
import { parentPort } from 'node:worker_threads'
import { strengthJudge } from './password-strength.ts'
import type { PasswordJob } from './password-worker.ts'

const judge = strengthJudge()
parentPort?.on('message', ({ password, words }: PasswordJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(judge(password, words))
})
