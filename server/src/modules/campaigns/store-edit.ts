import { sql } from 'kysely'
import type { Tx } from '../../db/db.ts'

type Names = 'campaign_name' | 'sms_campaign_name'
type Renamed = { ownerId: number; campaignId: number; name: string }

/** False: another campaign of the owner has this name. */
export async function rename(tx: Tx, names: Names, { ownerId, campaignId, name }: Renamed): Promise<boolean> {
  const taken = await tx
    .selectFrom(names)
    .select('campaign_id')
    .where('owner_id', '=', ownerId)
    .where('name_key', '=', sql<string>`lower(${name})`)
    .where('campaign_id', '<>', campaignId)
    .executeTakeFirst()
  if (taken) return false
  await tx
    .updateTable(names)
    .set({ name_key: sql`lower(${name})` })
    .where('campaign_id', '=', campaignId)
    .execute()
  return true
}
