/** Kills a process while it composes a day. The day must still be composed exactly once. */
import { spawn } from 'node:child_process'
import * as path from 'node:path'
import { nepalDayOf, nepalTimeOf } from '@ghanti/contract/time.ts'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { startWorkers } from '../../jobs.ts'
import { testApp } from '../../testing/app.ts'
import { newBase, newPrompt } from '../../testing/campaigns.ts'
import { newLine, newPlan, newReseller, newUser } from '../../testing/seed.ts'
import { polling } from '../../testing/timeouts.ts'
import { queueDueRepeats, runRepeat } from './actions-run.ts'

const app = await testApp()

async function due(): Promise<{ repeatId: number; day: string; accountId: number }> {
  const reseller = await newReseller(app, { planId: await newPlan(app, { pulseSeconds: 30, pulsePaisa: 40 }) })
  const user = await newUser(app, { parent: reseller, planId: await newPlan(app, { owner: reseller }) })
  const { cli } = await newLine(app, { holders: [user] })
  const at = new Date(Date.now() - 60_000)
  const day = nepalDayOf(at)
  const [hours = 0, minutes = 0] = nepalTimeOf(at).slice(11, 16).split(':').map(Number)
  const { id } = await app.db
    .insertInto('repeating')
    .values({
      account_id: user.userId,
      name: 'Dues',
      fields: JSON.stringify({ templateId: 0, cli, welcomePId: await newPrompt(app, user) }),
      base_id: await newBase(app, user),
      rule: 'weekly',
      weekdays: [0, 1, 2, 3, 4, 5, 6],
      at_minute: hours * 60 + minutes,
      from_day: day,
      until_day: '2099-12-31',
      next_day: day,
      next_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { repeatId: id, day, accountId: user.userId }
}

test('a day whose process is killed while it composes is composed by another process, once', async () => {
  const { repeatId, day, accountId } = await due()
  const made = async () => ({
    campaigns: (await app.db.selectFrom('campaign').select('id').where('account_id', '=', accountId).execute()).length,
    days: await app.db.selectFrom('repeating_day').select('outcome').where('repeating_id', '=', repeatId).execute(),
  })
  const blocker = new Client({ connectionString: app.url })
  await blocker.connect()
  const child = spawn(process.execPath, [
    path.resolve(import.meta.dirname, '../../testing/processes/worker-process.ts'),
    app.databaseUrl,
    app.config.dataFolder,
  ])
  try {
    // The campaign is inserted before its name.
    await blocker.query('begin')
    await blocker.query('lock table campaign_name')
    await queueDueRepeats(app)
    await vi.waitFor(async () => {
      const { rowCount } = await app.pool.query(
        `select from pg_locks where not granted and relation = 'campaign_name'::regclass`,
      )
      expect(rowCount).toBe(1)
    }, polling)
    child.kill('SIGKILL')
    await blocker.query('rollback')
    await vi.waitFor(async () => {
      const { rowCount } = await app.pool.query(
        `select from pg_stat_activity where application_name = 'ghanti-test-worker' and datname = current_database()`,
      )
      expect(rowCount).toBe(0)
    }, polling)
    expect(await made(), 'nothing half done').toEqual({ campaigns: 0, days: [] })
    await app.pool.query(
      `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`,
    )
    await app.jobs.supervise('repeat')
    await startWorkers(app)
    const once = { campaigns: 1, days: [{ outcome: 'composed' }] }
    await vi.waitFor(async () => expect(await made()).toEqual(once), polling)
    await runRepeat(app, { repeatId, day }, new AbortController().signal)
    expect(await made(), 'a job that runs again finds its day over').toEqual(once)
  } finally {
    child.kill('SIGKILL')
    await blocker.end()
  }
})
