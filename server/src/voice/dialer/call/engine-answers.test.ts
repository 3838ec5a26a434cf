import { expect, test } from 'vitest'
import { expectSoundBooks, newCampaign, newFixtures } from '../../testing/fixtures.ts'
import { dialling } from '../../testing/engine.ts'

const at = await dialling({ speed: 30, timeScale: 0.001 })
at.start()

/** Numbers of the virtual operator, by their last two digits. */
const ending = (digits: number, nth: number) => 9779822000000 + digits + 100 * nth

async function tallyOf(phones: number[], templateId: number): Promise<Record<string, number>> {
  const fixtures = await newFixtures(at)
  const { user } = fixtures
  const flow = at.flow(templateId)
  const id = await newCampaign(at, { user, line: fixtures.line, phones, flow, retries: 0, reservePaisa: 400 })
  await at.status(id, 'complete')
  await expectSoundBooks(at)
  const rows = await at.db.selectFrom('campaign_tally').select(['mark', 'n']).where('campaign_id', '=', id).execute()
  return Object.fromEntries(rows.map(({ mark, n }) => [mark, n]))
}

test('keys, parts heard and places of hanging up: each answered call is counted once, as the network saw it', async () => {
  const phones = [
    ending(11, 1), // presses 1, 2 s after the answer: as the menu begins
    ending(12, 1), // 2
    ending(12, 2),
    ending(15, 1), // 5, which is not a key: the wrong-input prompt and the menu again, to the end
    ending(22, 1), // 9, then 2
    ending(9, 1), // hangs up after 2 s
    ending(48, 1), // hangs up after 5 s, in the menu
    ending(46, 1), // listens to the end
    ending(1, 1), // busy
    ending(4, 1), // no such number
  ]
  const tally = await tallyOf(phones, 1)
  expect(tally).toMatchObject({ 'menu=1': 1, 'menu=2': 3, 'menu=wrong': 1, 'menu=none': 1, welcome: 8 })
  expect(tally).toMatchObject({ '>end': 6, '>menu': 1 + (tally['>welcome'] ? 0 : 1), wrongInput: 2 })
  expect((tally['>welcome'] ?? 0) + (tally['menu=left'] ?? 0)).toBe(2)
})

test('somebody whose telephone rang before the operator had no room has been called: nobody rings again with 0 retries', async () => {
  const { user, line } = await newFixtures(at)
  const phones = [ending(49, 5), ending(46, 5)]
  const id = await newCampaign(at, { user, line, phones, flow: at.flow(0), retries: 0, reservePaisa: 400 })
  await at.status(id, 'complete')
  await expectSoundBooks(at)
  const attempts = await at.db
    .selectFrom('attempt')
    .select(['disposition', 'sip_status', 'attempt_no'])
    .where('campaign_id', '=', id)
    .orderBy('disposition')
    .execute()
  expect(attempts).toEqual([
    { disposition: 'ANSWER', sip_status: null, attempt_no: 1 },
    { disposition: 'NO ANSWER', sip_status: 503, attempt_no: 1 },
  ])
})

test('a flow without keys counts what was heard', async () => {
  expect(await tallyOf([ending(46, 3), ending(47, 3), ending(2, 3)], 0)).toEqual({
    welcome: 2,
    '>welcome': 1,
    '>end': 1,
  })
})
