import { execFile } from 'node:child_process'
import * as path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const module = path.join(import.meta.dirname, 'own-thread.ts')
const thread = `import { getHeapStatistics } from 'node:v8'; import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ done: getHeapStatistics().heap_size_limit })`
const program = `
  const { inOwnThread } = await import(${JSON.stringify(module)})
  const url = new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(thread)}`)})
  console.log(await inOwnThread({}, { url, what: 'a test', signal: new AbortController().signal, megabytesMax: 192 }))`

test('a thread keeps to its own limits of memory, whatever the process was started with for the engine', async () => {
  const options = ['--max-semi-space-size=64', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, options)
  expect(Number(stdout) / 2 ** 20).toBeLessThan(192 + 48 + 10)
})
