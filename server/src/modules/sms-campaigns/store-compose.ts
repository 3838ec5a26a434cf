import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import type { SmsPriceLevel } from '../credits/actions-sms.ts'
import type { UsableSender } from '../sms-senders/actions.ts'
import { allOperators } from './rules.ts'

export type NewSmsCampaign = {
  ownerId: number
  name: string
  templateId: number
  text: string
  /** Null: of a feed, which has no file. */
  baseId: number | null
  sender: UsableSender
  startAt: Date
  sendUntil: Date
  /** True when the owner chose `sendUntil`. */
  notAfter?: boolean
  chain: readonly SmsPriceLevel[]
  composed: Record<string, unknown>
  /** The campaign whose calls its messages follow. The SMS campaign shares its name, is prepared with it and waits for its calls. */
  callCampaignId?: number
  /** Nepal's day of a feed. It runs at once, has no name of its own, and takes its messages as they are sent. */
  feed?: string
}

export async function nameTaken(db: Db, ownerId: number, name: string): Promise<boolean> {
  const taken = await db
    .selectFrom('sms_campaign_name')
    .select('campaign_id')
    .where('owner_id', '=', ownerId)
    .where('name_key', '=', sql<string>`lower(${name})`)
    .executeTakeFirst()
  return taken !== undefined
}

/** One per operator, without fresh rows, because all messages go through the queue. */
async function insertStreams(tx: Tx, campaignId: number): Promise<void> {
  const none = { campaign_id: campaignId, fresh_next: 0, fresh_end: 0 }
  await tx
    .insertInto('sms_stream')
    .values(allOperators.map((operator) => ({ ...none, operator })))
    .execute()
}

async function takeName(tx: Tx, ownerId: number, name: string, campaignId: number): Promise<boolean> {
  const named = await tx
    .insertInto('sms_campaign_name')
    .values({ owner_id: ownerId, name_key: sql`lower(${name})`, campaign_id: campaignId })
    .onConflict((taken) => taken.columns(['owner_id', 'name_key']).doNothing())
    .executeTakeFirstOrThrow()
  return named.numInsertedOrUpdatedRows === 1n
}

/**
 * Inserts the campaign as processing. Undefined when the name was taken meanwhile, and the caller's transaction must then roll back; or when another
 * transaction made the feed.
 */
export async function insertCampaign(tx: Tx, campaign: NewSmsCampaign): Promise<number | undefined> {
  const { ownerId, name, sender, startAt, chain, callCampaignId = null, feed = null } = campaign
  const status = feed !== null ? 'running' : callCampaignId === null ? 'processing' : 'ready'
  const isFilled = callCampaignId !== null || feed !== null
  const inserted = await tx
    .insertInto('sms_campaign')
    .values({
      account_id: ownerId,
      start_at: startAt,
      send_until: campaign.sendUntil,
      not_after: campaign.notAfter ?? false,
      sender: sender.name,
      price_paisa: chain[0]?.segmentPaisa ?? 0,
      status,
      call_campaign_id: callCampaignId,
      feed,
    })
    .$if(feed !== null, (one) => one.onConflict((taken) => taken.doNothing()))
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return undefined
  const { id } = inserted
  if (!isFilled && !(await takeName(tx, ownerId, name, id))) return undefined
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
      ...(isFilled && { rows_in_file: 0, invalid: 0, duplicate: 0, unreachable: 0 }),
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
  if (isFilled) await insertStreams(tx, id)
  await tx.insertInto('sms_campaign_count').values({ campaign_id: id, slot: 0 }).execute()
  await tx
    .insertInto('sms_campaign_progress')
    .values({
      campaign_id: id,
      account_id: ownerId,
      name,
      template: campaign.templateId,
      sender: sender.name,
      status,
      start_at: startAt,
    })
    .execute()
  return id
}

export async function feedOf(tx: Tx, of: { ownerId: number; sender: string; day: string }): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from sms_campaign where account_id = ${of.ownerId} and lower(sender) = lower(${of.sender}) and feed = ${of.day}::date`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw new Error('a feed that was made is not there')
  return row.id
}

/** Reopens a complete campaign that follows these calls; a stopped one stays stopped. */
export async function reopenOfCalls(tx: Tx, ownerId: number, callCampaignId: number, sendUntil: Date): Promise<void> {
  await sql`update sms_campaign set send_until = greatest(send_until, ${sendUntil}),
    status = case when status = 'complete' then 'running' else status end, reason = case when status = 'complete' then null else reason end
    where call_campaign_id = ${callCampaignId} and account_id = ${ownerId}`.execute(tx)
}

export async function moveOfCalls(
  tx: Tx,
  callCampaignId: number,
  { name, startAt, sendUntil }: { name: string; startAt: Date; sendUntil: Date },
): Promise<void> {
  const moved = await tx
    .updateTable('sms_campaign')
    .set({ start_at: startAt, send_until: sendUntil })
    .where('call_campaign_id', '=', callCampaignId)
    .returning('id')
    .executeTakeFirst()
  if (!moved) return
  await tx.updateTable('sms_campaign_detail').set({ name }).where('campaign_id', '=', moved.id).execute()
  await tx
    .updateTable('sms_campaign_progress')
    .set({ name, start_at: startAt, changed_at: sql`clock_timestamp()` })
    .where('campaign_id', '=', moved.id)
    .execute()
}
