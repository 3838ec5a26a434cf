/** Reads over HTTP as consoles do and measures. A thread, so that waiting in this process does not count as the server's time. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import * as z from 'zod/mini'

const Reading = z.object({
  address: z.string(),
  paths: z.record(z.string(), z.string()),
  authorization: z.string(),
  everyMs: z.number(),
})
export type Reading = z.output<typeof Reading>

const { address, paths, authorization, everyMs } = Reading.parse(workerData)
const replyMs = 30_000
const asked = { toStop: false }
parentPort?.once('message', () => (asked.toStop = true))
const reads: Record<string, number[]> = {}
for (const path of Object.values(paths)) await read(path) // the first round, with nothing compiled and no connection, does not count
do {
  for (const [name, path] of Object.entries(paths)) {
    reads[name] = [...(reads[name] ?? []), await read(path)]
    await sleep(everyMs)
  }
} while (!asked.toStop)
parentPort?.postMessage(reads) // oxlint-disable-line unicorn/require-post-message-target-origin -- a thread, no window

async function read(path: string): Promise<number> {
  const began = performance.now()
  const reply = await fetch(address + path, { headers: { authorization }, signal: AbortSignal.timeout(replyMs) })
  await reply.text()
  assert(reply.ok, `${path}: ${reply.status}`)
  return performance.now() - began
}
