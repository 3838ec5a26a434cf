import { operatorPrefixesDefault, operatorRangesOf } from '@ghanti/contract/operators.ts'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { newUser } from '../../testing/seed.ts'
import { fillAttempts, filledFrom } from './fill-attempts.ts'

const app = await testApp()
const ranges = operatorRangesOf(operatorPrefixesDefault)
const goOn = new AbortController().signal

test('attempts of an older version learn whose they are and which way they went, the newest first, where it left off', async () => {
  const user = await newUser(app)
  const campaignId = await newCampaign(app, user)
  const { trunk_id, cli_id } = await app.db
    .selectFrom('campaign')
    .select(['trunk_id', 'cli_id'])
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow()
  const phones = [9779841000000, 9779801000000, 9779611000000, 97714000000]
  for (const [no, phone] of phones.entries())
    await app.pool.query(
      `insert into attempt (id, started_at, ended_at, claimed_at, phone, epoch, cost_paisa, uncollected_paisa, campaign_id, no, pulses, attempt_no, disposition)
       values ($1, now(), now(), now(), $2, 1, 0, 0, $3, $4, 0, 1, 'BUSY')`,
      [no + 1, phone, campaignId, no],
    )
  await app.pool.query('insert into attempt_fill (below) values (5)')
  const read = () => app.db.selectFrom('attempt').select(['id', 'account_id', 'operator']).orderBy('id').execute()

  const ending = new AbortController()
  const once = fillAttempts(app.db, ranges, ending.signal, 2)
  ending.abort()
  await once
  expect(await filledFrom(app.db)).toBe(3)
  expect((await read()).map((row) => row.account_id)).toEqual([null, null, user.userId, user.userId])

  await fillAttempts(app.db, ranges, goOn, 1)
  expect((await read()).map((row) => row.operator)).toEqual([1, 2, 3, 0])
  expect(await filledFrom(app.db)).toBeNull()
  const first = app.db.selectFrom('attempt').select(['account_id', 'trunk_id', 'cli_id', 'kind']).where('id', '=', 1)
  expect(await first.executeTakeFirst()).toEqual({ account_id: user.userId, trunk_id, cli_id, kind: 'campaign' })
})

test('the application cannot change attempts but by filling in what they lack', async () => {
  await expect(app.db.updateTable('attempt').set({ account_id: 1 }).execute()).rejects.toThrow('permission denied')
})
