import { revenueId } from '../db/platform-accounts.ts'
import type { Viewer } from '../policy.ts'
import type { TestApp } from './app.ts'
import { newCampaign } from './campaigns.ts'
import { newReseller, newSuperAdmin, newUser, type Person } from './seed.ts'

/** 12:00 in Nepal. */
export const noon = new Date('2026-11-22T06:15:00Z')
const dayMs = 24 * 3600_000
export const back = (days: number): Date => new Date(noon.getTime() - days * dayMs)

type AccountTree = { boss: Viewer; reseller: Viewer; user: Viewer; stranger: Viewer }

/** A super admin, a reseller, the reseller's user, and a user of another reseller, at noon. Usernames begin with `prefix`. */
export async function newAccountTree(
  app: TestApp,
  { prefix, reseller: ofReseller, user: ofUser }: { prefix: string; reseller: Person; user: Person },
): Promise<AccountTree> {
  app.clock.set(noon)
  const boss = await newSuperAdmin(app, { username: `${prefix}-boss` })
  const reseller = await newReseller(app, { parent: boss, username: `${prefix}-himal`, ...ofReseller })
  const user = await newUser(app, { parent: reseller, username: `${prefix}-gita`, ...ofUser })
  const stranger = await newUser(app, { username: `${prefix}-stranger` })
  return { boss, reseller, user, stranger }
}

/** Pulses of 30 s: the owner pays 50 paisa for each to the reseller, who pays 30 to the platform. */
export async function newPaidCampaign(app: TestApp, owner: Viewer, reseller: Viewer, name: string): Promise<number> {
  const campaignId = await newCampaign(app, owner, { name })
  const level = { campaign_id: campaignId, pulse_ms: 30_000 }
  await app.db
    .insertInto('campaign_level')
    .values([
      { ...level, level: 0, payer_id: owner.userId, payee_id: reseller.userId, pulse_paisa: 50 },
      { ...level, level: 1, payer_id: reseller.userId, payee_id: await revenueId(app.db), pulse_paisa: 30 },
    ])
    .execute()
  return campaignId
}
