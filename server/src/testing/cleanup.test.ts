import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as path from 'node:path'
import { expect, test } from 'vitest'
import { atEndOfFile, cleanUp } from './cleanup.ts'
import { until } from './until.ts'

test('what a test opened is closed in the opposite order, once, and a failure keeps none of the others open', async () => {
  const closed: string[] = []
  atEndOfFile(() => closed.push('database'))
  atEndOfFile(() => Promise.reject(new Error('the server hangs')))
  atEndOfFile(async () => closed.push('browser'))
  await expect(cleanUp()).rejects.toMatchObject({ errors: [{ message: 'the server hangs' }] })
  expect(closed).toEqual(['browser', 'database'])
  await cleanUp()
  expect(closed).toHaveLength(2)
})

const parent = (way: string) => `
  import { spawn } from 'node:child_process'
  import { endWithUs } from '${path.join(import.meta.dirname, 'cleanup.ts')}'
  console.log(endWithUs(spawn('sleep', ['100'])).pid)
  ${way}
`
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.each([
  { how: 'ends by itself', way: 'setTimeout(() => process.exit(), 100)' },
  { how: 'is ended by a signal', way: `setTimeout(() => process.kill(process.pid, 'SIGTERM'), 100)` },
])('what a process of tests started ends with it when it $how', async ({ way }) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', parent(way)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [pid] = await once(child.stdout, 'data')
  await until('its end', () => !isAlive(Number(pid)))
})
