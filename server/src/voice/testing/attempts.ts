import { expect, vi } from 'vitest'
import { polling } from '../../testing/timeouts.ts'
import type { Dialling } from './engine.ts'
import { expectSoundBooks } from './fixtures.ts'

/** The attempts of a campaign, oldest first. */
export async function attemptsOf(at: Dialling, campaignId: number) {
  const rows = await at.db
    .selectFrom('attempt')
    .select(['no', 'disposition', 'trunk_id', 'tried', 'sip_status', 'pulses', 'cost_paisa'])
    .where('campaign_id', '=', campaignId)
    .orderBy('id')
    .execute()
  return rows.map(({ trunk_id, ...row }) => ({ ...row, trunkId: trunk_id }))
}

/** The first attempt of a campaign of one row, which is then stopped. */
export async function firstAttempt(at: Dialling, campaignId: number) {
  await vi.waitFor(async () => expect(await attemptsOf(at, campaignId)).not.toEqual([]), polling)
  await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', '=', campaignId).execute()
  await at.status(campaignId, 'cancelled')
  await expectSoundBooks(at)
  return (await attemptsOf(at, campaignId))[0]
}
