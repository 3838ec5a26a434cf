import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { CountKind } from '../../db/tables.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { answered, newCall } from '../../testing/calls.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { checkCounters } from './actions-check.ts'
import { countAll } from './actions-count.ts'
import { answerFaults, answerSumFaults } from './store-agree-answers.ts'
import { countedRows, disagreements, newFamily } from './testing.ts'

const app = await testApp()
const everyDay = { from: 0, to: 100_000 }
const family = () => newFamily(app)
const counted = (kind: CountKind, accountId: number) => countedRows(app.db, 'day', kind, accountId)
const answersOf = (accountId: number, kind: CountKind) =>
  app.db
    .selectFrom('answer_count')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .orderBy('at')
    .execute()

test('keys, and the seconds after which a call was hung up, are added up by day for the whole chain, each with its campaign, template and customer', async () => {
  const { reseller, user, campaignId } = await family()
  const left = { trail: 'welcome >welcome' }
  const calls = [
    { ...answered(20), keys: '1', trail: 'welcome menu menu=1 >end' },
    { ...answered(30), keys: '31', trail: 'welcome menu1=3 menu2=1 >menu3' },
    { ...answered(4), ...left },
    { ...answered(5), ...left },
    { ...answered(60), keys: '*', ...left },
    { ...answered(90), trail: 'welcome talk >talk' }, // no drop-off, no key: nothing to note
    { disposition: 'NO ANSWER' as const },
  ]
  for (const call of calls) await newCall(app, user, campaignId, call)
  await countAll(app.db)
  const expected = {
    key_1: 2,
    key_3: 1,
    key_star: 1,
    key_2: 0,
    left_5: 1,
    left_10: 1,
    left_20: 0,
    left_30: 0,
    left_60: 1,
    left_later: 1,
  }
  for (const viewer of [user, reseller])
    for (const kind of ['all', 'campaign', 'template', 'operator', 'trunk', 'cli'] as const)
      expect(await answersOf(viewer.userId, kind), kind).toMatchObject([expected])
  expect(await answersOf(user.userId, 'customer')).toEqual([])
  expect(await answersOf(reseller.userId, 'customer')).toMatchObject([expected])
  const [all] = await counted('all', user.userId)
  expect(all).toMatchObject({ dropped: 4, keyed: 3 })
  expect(await answerFaults(app.db, [campaignId])).toEqual([])
  expect(await answerSumFaults(app.db, null, everyDay)).toEqual([])
})

test('keys that were counted twice or in the wrong band are found, said and raise an alert', async () => {
  const { user, campaignId } = await family()
  await newCall(app, user, campaignId, {
    ...answered(4),
    cost_paisa: 0,
    pulses: 0,
    keys: '1',
    trail: 'welcome >welcome',
  })
  await countAll(app.db)
  await app.db
    .updateTable('campaign_progress')
    .set({ finished_at: new Date().toISOString(), attempts: 1 })
    .where('campaign_id', '=', campaignId)
    .execute()
  await app.db
    .updateTable('campaign_count')
    .set({ attempts: 1, answered: 1 })
    .where('campaign_id', '=', campaignId)
    .execute()
  expect(await checkCounters(app.db, app.clock.now())).toEqual([])
  await sql`update answer_count set left_5 = 0, left_10 = 1 where kind = 'campaign' and account_id = ${user.userId}`.execute(
    app.db,
  )
  const said = `campaign ${campaignId}, account ${user.userId}`
  expect(await checkCounters(app.db, app.clock.now())).toEqual([expect.stringContaining(said)])
  await sql`update answer_count set left_5 = 0, left_10 = 1, key_1 = 2 where account_id = ${user.userId}`.execute(
    app.db,
  )
  expect(await answerFaults(app.db, [campaignId])).toEqual([expect.stringContaining(said)])
  await sql`update answer_count set left_10 = 0 where kind = 'all' and account_id = ${user.userId}`.execute(app.db)
  expect(await answerSumFaults(app.db, user.userId, everyDay)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('by campaign'),
      expect.stringContaining('1 dropped off, 0 by seconds'),
    ]),
  )
  await sql`delete from answer_count where account_id = ${user.userId}`.execute(app.db)
  expect(await answerFaults(app.db, [campaignId])).toEqual([expect.stringContaining(said)])
  expect(await disagreements(app.db)).toEqual(expect.arrayContaining([expect.stringContaining(`${said}, day`)]))
  const alerts = await app.db.selectFrom('alert').select('kind').where('subject', 'like', `${said}%`).execute()
  expect(alerts).toEqual([{ kind: 'judge: counts' }])
  await app.db
    .updateTable('campaign_progress')
    .set({ finished_at: null })
    .where('campaign_id', '=', campaignId)
    .execute()
})

test('a deleted campaign’s calls leave the counters by agent, those of other campaigns stay there to the paisa', async () => {
  const { reseller, user, campaignId } = await family()
  const kept = await newCampaign(app, user)
  const handed = { ...answered(20), agent: '+9779801111139', patch_bill_ms: 5000 }
  for (const id of [campaignId, campaignId, kept]) await newCall(app, user, id, handed)
  await newCall(app, user, campaignId, { ...handed, agent: '+9779801111140' })
  await countAll(app.db)
  const waiting = await newCall(app, user, campaignId, handed) // not counted when its agent goes
  const agents = async (viewer: Viewer) =>
    (await counted('agent', viewer.userId)).map(({ key, attempts, paid_paisa }) => [key, attempts, paid_paisa])
  expect(await agents(user)).toEqual([
    [9779801111139, 3, 100],
    [9779801111140, 1, 50],
  ])
  await sql`insert into campaign_deleted (campaign_id, asked_at, by_user_id) values (${campaignId}, now(), ${user.userId})`.execute(
    app.db,
  )
  for (let n = 0; n < 3; n++) await sql`select forget_calls(${campaignId}, 2)`.execute(app.db)
  await countAll(app.db)
  for (const viewer of [user, reseller])
    expect(await agents(viewer), 'the other campaign has no chain of payers').toEqual([[9779801111139, 1, 0]])
  expect((await counted('all', user.userId))[0]?.attempts).toBe(5)
  expect(await answerSumFaults(app.db, user.userId, everyDay)).toEqual([])
  expect(waiting).toBeGreaterThan(0)
})
