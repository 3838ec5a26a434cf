import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import type { HookOrder } from '../../testing/processes/hook-process.ts'
import { newUser } from '../../testing/seed.ts'
import { polling } from '../../testing/timeouts.ts'
import { spawnEngine, type EngineProcess } from '../../voice/testing/crash/crash.ts'
import { happens, newHook, newReceiver } from './testing.ts'

/** In order: the process dies at each point, and the next one sends what it left. */
const deaths: NonNullable<HookOrder['killAt']>[] = [
  { what: 'answered', nth: 2 },
  { what: 'claimed', nth: 1 },
  { what: 'asked', nth: 1 },
  { what: 'claimed', nth: 4 },
  { what: 'asked', nth: 3 },
  { what: 'answered', nth: 6 },
]
const events = 30

const app = await testApp()
const processes: EngineProcess<HookOrder>[] = []
afterAll(async () => {
  for (const one of processes) await one.kill()
})

const arrives = 'killed at any moment, each event arrives at least once, and always under one id: $length moments'
test.each([deaths.slice(0, 1)].map((them) => ({ them, length: them.length })))(arrives, expectAll)
test.each([{ them: deaths, length: deaths.length }])(arrives, { tags: ['exhaustive'] }, expectAll)

async function expectAll({ them }: { them: typeof deaths }): Promise<void> {
  const user = await newUser(app)
  const { receiver, url } = await newReceiver(app, (_asked, response) => void setTimeout(() => response.end(), 20))
  const { hookId } = await newHook(app, user, url)
  await happens(app, user, events)
  for (const killAt of [...them, null]) {
    // What the dead had taken is due again after a minute.
    await sql`update hook_delivery set due_at = now() where state = 'waiting'`.execute(app.db)
    const sends = await spawnEngine<HookOrder>('hook-process.ts')
    processes.push(sends)
    sends.begin({ databaseUrl: app.loginUrl, dataFolder: app.config.dataFolder, killAt })
    if (killAt) await expect.poll(() => sends.died, { ...polling, message: JSON.stringify(killAt) }).toBe('SIGKILL')
  }
  const left = app.db.selectFrom('hook_delivery').select('id').where('hook_id', '=', hookId)
  const waiting = async () => (await left.where('state', '<>', 'delivered').execute()).length
  await expect.poll(waiting, { ...polling, timeout: 60_000 }).toBe(0)
  expect(await left.execute()).toHaveLength(events)
  const ids = receiver.asked.map(({ headers }) => headers['webhook-id'])
  await processes.at(-1)?.kill() // it holds the lock, for which the next one would wait
  await receiver.close()
  expect(new Set(ids).size, 'as many names as events').toBe(events)
  expect(ids.length - events, 'only what the dead had under way is repeated').toBeLessThanOrEqual(them.length * 5)
}
