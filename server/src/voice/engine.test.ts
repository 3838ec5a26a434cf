import { expect, test } from 'vitest'
import { counts, expectSoundFiles, newCampaign, newFixtures, phones } from './testing/fixtures.ts'
import { dialling } from './testing/engine.ts'

const at = await dialling({ speed: 200, timeScale: 0.0005 })

test('five hundred numbers of every kind reach Complete: each row with its outcome, retries used, money exact to the paisa on every level', async () => {
  const fixtures = await newFixtures(at, { cps: 400, channels: 400 })
  const { user } = fixtures
  at.start()
  const flow = at.flow(1)
  const campaignId = await newCampaign(at, {
    user,
    line: fixtures.line,
    phones: phones(500),
    status: 'ready',
    channels: 400,
    flow,
    reservePaisa: 200,
  })
  await at.status(campaignId, 'complete')
  const rows = await at.pool.query<{
    suffix: string
    disposition: string
    attempts: number
    n: number
    keys: string | null
  }>(
    `select right(phone::text, 2) as suffix, c.disposition, c.attempts + c.congestions as attempts, count(*)::int as n,
       (select a.keys from attempt a where a.campaign_id = c.campaign_id and a.no = min(c.no) and a.disposition = 'ANSWER') as keys
     from campaign_contact c where campaign_id = $1 group by c.campaign_id, 1, 2, 3 order by 1`,
    [campaignId],
  )
  expect(rows.rows.every((row) => row.n === 5)).toBe(true)
  const outcomes = new Map(rows.rows.map((row) => [row.suffix, `${row.disposition} ${row.attempts}`]))
  const special = new Map([
    ['01', 'BUSY 3'],
    ['02', 'NO ANSWER 3'],
    ['03', 'REJECTED 2'],
    ['04', 'INVALID 1'],
    ['05', 'NO ANSWER 3'],
    ['06', 'CONGESTION 7'],
    ['08', 'BUSY 3'],
    ['38', 'CONGESTION 7'],
    ['39', 'CONGESTION 7'],
    ['40', 'REJECTED 2'],
    ['42', 'CONGESTION 7'],
    ['43', 'INVALID 1'],
    ['45', 'NO ANSWER 3'],
    ['49', 'NO ANSWER 3'],
  ])
  for (const [suffix, outcome] of outcomes)
    expect(`${suffix} ${outcome}`).toBe(`${suffix} ${special.get(suffix) ?? 'ANSWER 1'}`)
  expect(outcomes.size).toBe(100)
  const keys = rows.rows.flatMap((row) => (row.keys ? [`${row.suffix}:${row.keys}`] : []))
  expect(keys).toEqual(['11:1', '12:2', '21:1', '22:2', '32:1'])
  expect(await counts(at, campaignId)).toMatchObject({ done: 500, answered: 430, attempts: 690 })
  await expectSoundFiles(at)
  const progress = await at.db
    .selectFrom('campaign_progress')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  expect(progress).toMatchObject({
    status: 'complete',
    uploaded: 500,
    processed: 500,
    pending: 0,
    answered: 430,
    dtmf: 25,
    attempts: 690,
  })
  expect(progress.outcomes).toMatchObject({
    ANSWER: 430,
    BUSY: 30,
    'NO ANSWER': 60,
    REJECTED: 20,
    INVALID: 10,
    CONGESTION: 140,
  })
  const { rows: steps } = await at.pool.query(
    'select to_status from campaign_event where campaign_id = $1 order by id',
    [campaignId],
  )
  expect(steps.map((step) => step.to_status)).toEqual(['running', 'complete'])
})
