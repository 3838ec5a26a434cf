import { expect, test } from 'vitest'
import { newReseller, newUser } from '../../../testing/seed.ts'
import { grantChannels } from '../capacity/channels.sql.ts'
import { claim } from '../../model/campaigns/claim.sql.ts'
import { newCampaign, newFixtures, noCaps, phones } from '../../testing/fixtures.ts'
import { engineDb } from '../../testing/db.ts'

const at = await engineDb()

test.each(['disabled_at', 'deleted_at'] as const)(
  '%s of an account above: a claim gives nothing, also the probe of a trunk on hold',
  async (column) => {
    const { line, lease } = await newFixtures(at)
    const middle = await newReseller(at, { channels: 1000 })
    const user = await newUser(at, { parent: middle, channels: 1000, rupees: 100 })
    const set = (when: Date | null) =>
      at.db
        .updateTable('users')
        .set({ [column]: when })
        .where('id', '=', middle.userId)
        .execute()
    const id = await newCampaign(at, { user, line, phones: phones(4), status: 'running', reservePaisa: 40 })
    const request = {
      campaignId: id,
      trunkId: line.trunkId,
      wanted: 1,
      slot: 0,
      since: new Date(0),
      payerIds: [user.userId, middle.userId],
      blacklistOwnerIds: [],
      caps: noCaps,
      busyMs: 5000,
    }
    await grantChannels(at.engine, [{ lease, wants: [{ payerIds: request.payerIds, calls: 4 }] }])
    expect((await claim(at.engine, lease, request)).calls).toHaveLength(1)
    await set(new Date())
    expect((await claim(at.engine, lease, request)).calls).toEqual([])
    await at.db.updateTable('campaign').set({ status: 'onHold', hold_cause: 'trunk' }).where('id', '=', id).execute()
    expect((await claim(at.engine, lease, { ...request, probe: true })).calls).toEqual([])
    await set(null)
    expect((await claim(at.engine, lease, { ...request, probe: true })).calls).toHaveLength(1)
  },
)
