import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import type { SmsPriceLevel } from '../credits/actions-sms.ts'
import type { UsableSender } from '../sms-senders/actions.ts'

export type NewSmsCampaign = {
  ownerId: number
  name: string
  templateId: number
  text: string
  baseId: number
  sender: UsableSender
  startAt: Date
  sendUntil: Date
  chain: readonly SmsPriceLevel[]
  composed: Record<string, unknown>
}

/** Names are compared without regard to case. */
export async function nameTaken(db: Db, ownerId: number, name: string): Promise<boolean> {
  const taken = await db
    .selectFrom('sms_campaign_name')
    .select('campaign_id')
    .where('owner_id', '=', ownerId)
    .where('name_key', '=', sql<string>`lower(${name})`)
    .executeTakeFirst()
  return taken !== undefined
}

/** The whole campaign, processing; undefined when the name was taken meanwhile: the caller's transaction must not commit then. */
export async function insertCampaign(tx: Tx, campaign: NewSmsCampaign): Promise<number | undefined> {
  const { ownerId, name, sender, startAt, chain } = campaign
  const { id } = await tx
    .insertInto('sms_campaign')
    .values({
      account_id: ownerId,
      start_at: startAt,
      send_until: campaign.sendUntil,
      sender: sender.name,
      price_paisa: chain[0]?.segmentPaisa ?? 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const named = await tx
    .insertInto('sms_campaign_name')
    .values({ owner_id: ownerId, name_key: sql`lower(${name})`, campaign_id: id })
    .onConflict((taken) => taken.columns(['owner_id', 'name_key']).doNothing())
    .executeTakeFirstOrThrow()
  if (named.numInsertedOrUpdatedRows !== 1n) return undefined
  await tx
    .insertInto('sms_campaign_detail')
    .values({
      campaign_id: id,
      name,
      template: campaign.templateId,
      text: campaign.text,
      sender_id: sender.senderId,
      base_id: campaign.baseId,
      composed: JSON.stringify(campaign.composed),
    })
    .execute()
  await tx
    .insertInto('sms_campaign_level')
    .values(
      chain.map(({ level, payerId, payeeId, segmentPaisa }) => ({
        campaign_id: id,
        level,
        payer_id: payerId,
        payee_id: payeeId,
        segment_paisa: segmentPaisa,
      })),
    )
    .execute()
  await tx.insertInto('sms_campaign_count').values({ campaign_id: id, slot: 0 }).execute()
  await tx
    .insertInto('sms_campaign_progress')
    .values({
      campaign_id: id,
      account_id: ownerId,
      name,
      template: campaign.templateId,
      sender: sender.name,
      status: 'processing',
      start_at: startAt,
    })
    .execute()
  return id
}
