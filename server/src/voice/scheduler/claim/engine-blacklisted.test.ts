import { expect, test } from 'vitest'
import { claimed, counts, expectSoundBooks, newCampaign, newFixtures, phones } from '../../testing/fixtures.ts'
import { dialling } from '../../testing/engine.ts'

const at = await dialling({ speed: 30, timeScale: 0.001 })
at.start()

test('a campaign whose later rows are all blacklisted soon ends, on a trunk of few calls per second too, and shows them only then', async () => {
  const fixtures = await newFixtures(at, { rupees: 100, cps: 8 })
  const { user, line, reseller } = fixtures
  const list = phones(3000)
  const listed = list.slice(3).map((phone) => ({ owner_id: reseller.userId, phone }))
  await at.db.insertInto('blacklist').values(listed).execute()
  const id = await newCampaign(at, { user, line, phones: list, retries: 0, status: 'paused' })
  expect(await counts(at, id)).toMatchObject({ fresh: 3000, dnd: 0 })
  expect(await claimed(at, fixtures, id, 10), 'it has not begun').toEqual([])
  expect(await counts(at, id)).toMatchObject({ fresh: 3000, dnd: 0 })
  await at.db.updateTable('campaign').set({ status: 'running' }).where('id', '=', id).execute()
  const from = performance.now()
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ fresh: 0, dnd: 2997, done: 3 })
  expect(performance.now() - from, 'rows of a tick alone would take six minutes').toBeLessThan(60_000)
  await expectSoundBooks(at)
})
