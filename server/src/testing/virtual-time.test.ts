import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDb } from './db.ts'
import { real, virtualTime } from './virtual-time.ts'

const time = virtualTime()
const { db } = await testDb()

test('a day passes in milliseconds, and what is due in it happens in its order', async () => {
  const done: string[] = []
  const begun = performance.now()
  const at = (what: string): void => void done.push(`${what} ${Math.round(performance.now() - begun)}`)
  const hourly = setInterval(() => at('hour'), 3600_000)
  setTimeout(at, 7200_001, 'later')
  const never = setTimeout(at, 3000, 'never')
  clearTimeout(never)
  const waits = sleep(5000, 'slept').then(at)
  await time.pass(3 * 3600_000)
  clearInterval(hourly)
  await waits
  expect(done).toEqual(['slept 5000', 'hour 3600000', 'hour 7200000', 'later 7200001', 'hour 10800000'])
  await time.pass(24 * 3600_000)
  expect(Math.round(performance.now() - begun)).toBe(27 * 3600_000)
  expect(done).toHaveLength(5)
})

test('what is due waits for the statements that came before it, and for what they lead to', async () => {
  const done: string[] = []
  setTimeout(() => void ask().then(() => done.push('asked')), 10)
  setTimeout(() => done.push('later'), 11)
  await time.pass(20)
  expect(done).toEqual(['asked', 'later'])
})
async function ask(): Promise<void> {
  await sql`select pg_sleep(0.02)`.execute(db)
  await sql`select 1`.execute(db)
}

test('a signal ends a wait', async () => {
  const ended = new AbortController()
  const waits = sleep(1000, undefined, { signal: ended.signal })
  ended.abort(new Error('over'))
  await expect(waits).rejects.toMatchObject({ name: 'AbortError', code: 'ABORT_ERR' })
  await expect(sleep(1000, undefined, { signal: ended.signal })).rejects.toMatchObject({ name: 'AbortError' })
})

test('it passes by itself where a file wants that, and libraries have real time', async () => {
  const [begun, really] = [performance.now(), real.now()]
  time.run()
  await sleep(60_000)
  await expect.poll(() => true).toBe(true)
  await time.stand()
  expect(performance.now() - begun).toBeGreaterThanOrEqual(60_000)
  expect(real.now() - really).toBeLessThan(10_000)
})
