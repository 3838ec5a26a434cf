import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { toTelephone, WavError } from './wav.ts'
import type { WavJob, WavReply } from './wav-worker.ts'

const { path, secondsMax }: WavJob = workerData

function convert(): WavReply {
  try {
    return { wav: toTelephone(readFileSync(path), secondsMax) }
  } catch (error) {
    if (error instanceof WavError) return { refused: error.message }
    throw error
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(convert())
