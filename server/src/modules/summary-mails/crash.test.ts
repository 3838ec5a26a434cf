// @module-tag exhaustive
// Cheaper: server/src/sms/crash.test.ts has the kinds of kills, summary-mails.test.ts beside this that a mail goes once.
import { consultancy } from '@ghanti/callflow/templates/consultancy.ts'
import { fullInput } from '@ghanti/callflow/testing.ts'
import { afterAll, expect, test } from 'vitest'
import { spawnEngine, type EngineProcess } from '../../voice/testing/crash/crash.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { newSummaryAddress } from '../../testing/routes/route-fixtures-summaries.ts'
import { newUser } from '../../testing/seed.ts'
import { testSmtp } from '../../testing/smtp.ts'
import type { SummaryMailOrder } from '../../testing/processes/summary-mail-process.ts'
import { polling } from '../../testing/timeouts.ts'
import { queueSummaryMails } from './actions-send.ts'

const app = await testApp()
const processes: EngineProcess<SummaryMailOrder>[] = []
afterAll(async () => {
  for (const one of processes) await one.kill()
})

test('killed while it sends, nobody gets a summary twice, what it had begun is unknown, and the others get theirs', async () => {
  const smtp = await testSmtp()
  const user = await newUser(app)
  const written = { formats: 'csv', language: 'en', calendar: 'ad' }
  await app.db
    .insertInto('summary_choice')
    .values({ user_id: user.userId, on_completion: true, ...written })
    .execute()
  for (let n = 0; n < 5; n++) await newSummaryAddress(app, user, `reader${n}@example.com`)
  const campaignId = await newCampaign(app, user, { status: 'running', rows: 2 })
  const flow = JSON.stringify(consultancy.build(fullInput))
  await app.db.updateTable('campaign_detail').set({ flow }).where('campaign_id', '=', campaignId).execute()
  await app.db.updateTable('campaign').set({ status: 'complete' }).where('id', '=', campaignId).execute()
  await app.db
    .updateTable('summary_due')
    .set({ at: new Date(0) })
    .execute()
  await queueSummaryMails(app)
  const lines = () => app.db.selectFrom('summary_mail').select(['id', 'state', 'reason']).orderBy('id').execute()
  const mailIds = (await lines()).map(({ id }) => id)
  expect(mailIds).toHaveLength(5)
  const deaths = [{ what: 'claimed', nth: 2 }, { what: 'taken', nth: 1 }, null] as const
  for (const killAt of deaths) {
    const sends = await spawnEngine<SummaryMailOrder>('summary-mail-process.ts')
    processes.push(sends)
    const of = { databaseUrl: app.databaseUrl, dataFolder: app.config.dataFolder, smtpUrl: smtp.url }
    sends.begin({ ...of, mailIds, killAt })
    await expect.poll(() => sends.died, { ...polling, message: JSON.stringify(killAt) }).toBe(killAt ? 'SIGKILL' : 0)
  }
  expect((await lines()).map(({ state, reason }) => [state, reason])).toEqual([
    ['sent', null],
    ['unknown', 'inDoubt'], // died before it left
    ['unknown', 'inDoubt'], // died after the mail server had it
    ['sent', null],
    ['sent', null],
  ])
  const got = smtp.taken.flatMap(({ to }) => to)
  expect(got.toSorted(), 'nobody twice').toEqual([0, 2, 3, 4].map((n) => `reader${n}@example.com`))
}, 120_000)
