import { expect, test } from 'vitest'
import { expectSoundBooks, newCampaign, newFixtures, numbersEnding } from '../../testing/fixtures.ts'
import { dialling } from '../../testing/engine.ts'

// What nobody can prove waits for six seconds here.
const at = await dialling({ speed: 50, timeScale: 0.2 })
at.start()

test('a campaign of one channel does not stand still for a number that may be dead: it calls the others, then that number once more', async () => {
  const fixtures = await newFixtures(at, { cps: 20 })
  const campaign = (suffixes: string[], channels = 1) =>
    newCampaign(at, {
      user: fixtures.user,
      line: fixtures.line,
      phones: suffixes.flatMap((suffix) => numbersEnding([suffix], 1)),
      flow: at.flow(0),
      channels,
      reservePaisa: 40,
    })
  await at.status(await campaign(['51']), 'complete')
  const id = await campaign(['04', '50', '52', '53'])
  await at.status(id, 'complete')
  const attempts = at.db.selectFrom('attempt').select(['no', 'disposition']).where('campaign_id', '=', id)
  const said = (await attempts.orderBy('id').execute()).map(({ no, disposition }) => `${no} ${disposition}`)
  expect(said).toHaveLength(5)
  expect(said[0]).toBe('0 CONGESTION')
  expect(said).toContain('0 INVALID')
  await expectSoundBooks(at)
})
