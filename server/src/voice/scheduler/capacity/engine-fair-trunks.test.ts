import { expect, test, vi } from 'vitest'
import { polling } from '../../../testing/timeouts.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../../testing/fixtures.ts'
import { dialling } from '../../testing/engine.ts'

const at = await dialling({ speed: 50, timeScale: 0.02 })
at.start()

/** Their last two digits are `ending`: it says what the virtual operator does with them. */
const phonesOf = (n: number, ending: number, from = 0) =>
  Array.from({ length: n }, (_, i) => 9779800000000 + 100 * (from + i) + ending)
const campaign = (fixtures: Fixtures, user: number, phones: number[]) =>
  newCampaign(at, {
    user: fixtures.users[user] ?? fixtures.top,
    line: fixtures.line,
    phones,
    flow: at.flow(0),
    channels: 1000,
    reservePaisa: 40,
  })
const rowOf = (id: number) => at.db.selectFrom('campaign').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const healthOf = (trunkId: number) =>
  at.db.selectFrom('trunk_health').selectAll().where('trunk_id', '=', trunkId).executeTakeFirst()

test.each([
  { numbers: 'sixty numbers that always answer 500', ending: 39, campaigns: 1, why: '\\d+ calls running failed: ' },
  {
    numbers: 'two campaigns of thirty numbers that always decline',
    ending: 3,
    campaigns: 2,
    why: '\\d+ of the last \\d+ calls were refused: |its last 10 calls were all refused alike: ',
  },
])('$numbers hold the campaigns of their customer and not the trunk: the others’ calls go on', async (of) => {
  const fixtures = await newFixtures(at, { users: 2, cps: 40 })
  const before = await campaign(fixtures, 0, phonesOf(5, 50))
  await at.status(before, 'complete')
  const rows = 60 / of.campaigns
  const dead: number[] = []
  for (let n = 0; n < of.campaigns; n++) dead.push(await campaign(fixtures, 1, phonesOf(rows, of.ending, n * rows)))
  for (const id of dead) await at.status(id, 'onHold')
  for (const id of dead)
    expect(await rowOf(id)).toMatchObject({
      hold_cause: 'refusals',
      reason: expect.stringMatching(new RegExp(`^(?:${of.why})`)),
    })
  expect(await healthOf(fixtures.line.trunkId)).toBeUndefined()
  const others = await campaign(fixtures, 0, phonesOf(40, 50, 100))
  await at.status(others, 'complete')
  expect(await counts(at, others)).toMatchObject({ answered: 40, done: 40 })
  expect(await healthOf(fixtures.line.trunkId)).toBeUndefined()
  await vi.waitFor(async () => expect(await counts(at)).toMatchObject({ in_call: 0 }), polling)
  await expectSoundBooks(at)
})
