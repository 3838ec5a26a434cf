import { parentPort } from 'node:worker_threads'
import { strengthChecker } from './worker-strength.ts'
import type { PasswordJob } from './worker.ts'

const checker = strengthChecker()
parentPort?.on('message', ({ password, words }: PasswordJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(checker(password, words))
})
