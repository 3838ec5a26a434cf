import { expect, test } from 'vitest'
import { newReseller, newUser } from '../testing/seed.ts'
import { allProven, claim } from './dispatch-claim.sql.ts'
import { newCampaign, newWorld } from './testing.ts'
import { engineDb } from './testing-db.ts'

const at = await engineDb()

test.each(['disabled_at', 'deleted_at'] as const)(
  '%s of an account above: a claim gives nothing, also the probe of a held trunk',
  async (column) => {
    const { line, lease } = await newWorld(at)
    const middle = await newReseller(at, { channels: 1000 })
    const user = await newUser(at, { parent: middle, channels: 1000, rupees: 100 })
    const set = (when: Date | null) =>
      at.db
        .updateTable('users')
        .set({ [column]: when })
        .where('id', '=', middle.userId)
        .execute()
    const phones = [9779800000050, 9779800000051, 9779800000052, 9779800000053]
    const id = await newCampaign(at, { user, line, phones, status: 'running', reservePaisa: 40 })
    const request = {
      campaignId: id,
      wanted: 1,
      slot: 0,
      since: new Date(0),
      payerIds: [user.userId, middle.userId],
      blacklistOwnerIds: [],
      proven: allProven,
    }
    expect(await claim(at.engine, lease, request)).toHaveLength(1)
    await set(new Date())
    expect(await claim(at.engine, lease, request)).toEqual([])
    await at.db.updateTable('campaign').set({ status: 'onHold', hold_cause: 'trunk' }).where('id', '=', id).execute()
    expect(await claim(at.engine, lease, { ...request, probe: true })).toEqual([])
    await set(null)
    expect(await claim(at.engine, lease, { ...request, probe: true })).toHaveLength(1)
  },
)
