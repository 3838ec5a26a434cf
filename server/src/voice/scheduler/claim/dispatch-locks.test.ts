import { expect, test } from 'vitest'
import { settleOutcomes } from '../../settle/settle.sql.ts'
import type { Claimed } from '../../model/campaigns/claim.sql.ts'
import { claimed, counts, expectSoundBooks, newCampaign, newFixtures, outcome, phones } from '../../testing/fixtures.ts'
import { engineDb } from '../../testing/db.ts'

const at = await engineDb()

test('one writer of a dialer claims while the other settles, of the same campaigns: neither ever waits for the other in a circle', async () => {
  const fixtures = await newFixtures(at, { users: 2 })
  const line = fixtures.line
  const ids = await Promise.all(
    fixtures.users.map((user) => newCampaign(at, { user, line, phones: phones(1000), reservePaisa: 40 })),
  )
  const up: Claimed[] = []
  const claiming = { now: true }
  const claims = async (): Promise<void> => {
    for (let turn = 0; turn < 100; turn++) up.push(...(await claimed(at, fixtures, ids[turn % 2] ?? 0, 20)))
    claiming.now = false
  }
  const settles = async (): Promise<void> => {
    while (claiming.now || up.length > 0) {
      const ended = up.splice(0, 40).map((call) => outcome(call, { disposition: 'ANSWER', billMs: 1000 }))
      await settleOutcomes(at.engine, fixtures.lease, 0, ended)
      if (ended.length === 0) await at.engine.query('select')
    }
  }
  await Promise.all([claims(), settles()])
  for (const id of ids) expect(await counts(at, id)).toMatchObject({ done: 1000, in_call: 0 })
  await expectSoundBooks(at)
})
