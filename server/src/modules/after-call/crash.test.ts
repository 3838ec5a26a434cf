// @module-tag exhaustive
// Cheaper: server/src/sms/crash.test.ts kills an engine of messages at six points.
import { afterAll, expect, test } from 'vitest'
import { spawnEngine, type EngineProcess } from '../../voice/testing/crash/crash.ts'
import type { AfterCallOrder } from '../../testing/processes/after-call-process.ts'
import { testApp } from '../../testing/app.ts'
import { polling } from '../../testing/timeouts.ts'
import { newUser } from '../../testing/seed.ts'
import { changeSetting } from '../platform/actions.ts'
import { messageCounts } from './actions.ts'
import { newDue, testService } from './testing.ts'

/** In order: the process dies at each point, and the next one recovers what it left. */
const deaths: NonNullable<AfterCallOrder['killAt']>[] = [
  { what: 'claimed', nth: 1 },
  { what: 'asked', nth: 1 },
  { what: 'answered', nth: 1 },
  { what: 'claimed', nth: 4 },
  { what: 'asked', nth: 3 },
  { what: 'answered', nth: 6 },
  { what: 'asked', nth: 7 },
  { what: 'answered', nth: 2 },
]
const rows = 90

const app = await testApp()
const processes: EngineProcess<AfterCallOrder>[] = []
afterAll(async () => {
  for (const one of processes) await one.kill()
})

const asksOnce = 'killed at any moment, it asks for no number twice, and what it had begun is unknown: $length moments'
test.each([deaths.slice(0, 3)].map((them) => ({ them, length: them.length })))(asksOnce, expectOnce)
test.each([{ them: deaths, length: deaths.length }])(asksOnce, { tags: ['exhaustive'] }, expectOnce)

async function expectOnce({ them }: { them: typeof deaths }): Promise<void> {
  const service = await testService((response) => void setTimeout(() => response.end('OK'), 20))
  const host = `127.0.0.1:${service.port}`
  await app.db.transaction().execute((tx) => changeSetting(tx, 'smsAddressHosts', [host], null))
  const campaignId = await newDue(app, await newUser(app), { address: `http://${host}/?to={PHONE}`, rows })
  for (const killAt of [...them, null]) {
    const sends = await spawnEngine<AfterCallOrder>('after-call-process.ts')
    processes.push(sends)
    sends.begin({ databaseUrl: app.loginUrl, dataFolder: app.config.dataFolder, killAt })
    if (killAt) await expect.poll(() => sends.died, { ...polling, message: JSON.stringify(killAt) }).toBe('SIGKILL')
  }
  const counted = async () => (await messageCounts(app.db, campaignId))[0]
  await expect.poll(async () => (await counted())?.waiting, { ...polling, timeout: 90_000 }).toBe(0)
  const count = await counted()
  const asked = service.asked.map(({ url }) => new URL(url, 'http://x').searchParams.get('to'))
  await processes.at(-1)?.kill() // it holds the lock, for which the next one would wait
  await service.close()
  expect(new Set(asked).size, 'nobody twice').toBe(asked.length)
  const { sent = 0, unknown = 0 } = count ?? {}
  expect(sent + unknown, 'and none lost').toBe(rows)
  expect(asked.length, 'what counts as sent was asked for').toBeGreaterThanOrEqual(sent)
  expect(unknown, 'what the dead had under way').toBeLessThanOrEqual(them.length * 5)
}
