import type { Flow } from '@ghanti/callflow/flow.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import type { PriceLevel } from '../credits/actions.ts'
import type { ActiveLine } from '../lines/actions.ts'
import type { CallText } from './rules-texts.ts'

export type NewCampaign = {
  ownerId: number
  name: string
  templateId: number
  baseId: number
  line: ActiveLine
  startAt: Date
  dialUntil: Date
  notAfter?: boolean
  channels: number
  retries: number
  retryIntervalMinutes: number
  /** Null: as long as the trunk allows. */
  ringSeconds: number | null
  /** The worst case of one attempt at the owner's level. */
  reservePaisa: number
  chain: readonly PriceLevel[]
  flow: Flow
  composed: Record<string, unknown>
  /** A test call of that campaign or of none, or Call Now for one of its calls: it has no name and is in no list. */
  test?: { of: number | null; isCallNow: boolean }
}

export async function nameTaken(db: Db, ownerId: number, name: string): Promise<boolean> {
  const taken = await db
    .selectFrom('campaign_name')
    .select('campaign_id')
    .where('owner_id', '=', ownerId)
    .where('name_key', '=', sql<string>`lower(${name})`)
    .executeTakeFirst()
  return taken !== undefined
}

/** Inserts the campaign as processing. Undefined when the name was taken meanwhile; the caller's transaction must then roll back. */
export async function insertCampaign(tx: Tx, campaign: NewCampaign): Promise<number | undefined> {
  const { ownerId, name, line, test } = campaign
  const { id } = await tx
    .insertInto('campaign')
    .values({
      account_id: ownerId,
      dialer_id: line.dialerId,
      trunk_id: line.trunkId,
      cli_id: line.cliId,
      start_at: campaign.startAt,
      dial_until: campaign.dialUntil,
      not_after: campaign.notAfter ?? false,
      channels: campaign.channels,
      reserve_paisa: campaign.reservePaisa,
      retries: campaign.retries,
      retry_ms: campaign.retryIntervalMinutes * 60_000,
      ring_seconds: campaign.ringSeconds,
      is_test: test !== undefined,
      test_of: test?.of ?? null,
      is_call_now: test?.isCallNow ?? false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (test) {
    await insertParts(tx, id, campaign)
    return id
  }
  const named = await tx
    .insertInto('campaign_name')
    .values({ owner_id: ownerId, name_key: sql`lower(${name})`, campaign_id: id })
    .onConflict((taken) => taken.columns(['owner_id', 'name_key']).doNothing())
    .executeTakeFirstOrThrow()
  if (named.numInsertedOrUpdatedRows !== 1n) return undefined
  await insertParts(tx, id, campaign)
  await insertProgress(tx, id, campaign)
  return id
}

async function insertParts(tx: Tx, id: number, campaign: NewCampaign): Promise<void> {
  const { name, templateId } = campaign
  await tx
    .insertInto('campaign_detail')
    .values({
      campaign_id: id,
      name,
      template_id: templateId,
      base_id: campaign.baseId,
      flow: JSON.stringify(campaign.flow),
      composed: JSON.stringify(campaign.composed),
      retry_interval_minutes: campaign.retryIntervalMinutes,
    })
    .execute()
  await tx
    .insertInto('campaign_level')
    .values(
      campaign.chain.map((level) => ({
        campaign_id: id,
        level: level.level,
        payer_id: level.payerId,
        payee_id: level.payeeId,
        pulse_ms: level.pulseMs,
        pulse_paisa: level.pulsePaisa,
      })),
    )
    .execute()
  await tx.insertInto('campaign_count').values({ campaign_id: id, slot: 0 }).execute()
}

export async function insertTexts(tx: Tx, campaignId: number, texts: readonly CallText[]): Promise<void> {
  await tx
    .insertInto('call_text')
    .values(
      texts.map(({ occasion, key, minMs, text }, no) => ({
        campaign_id: campaignId,
        no,
        occasion,
        key,
        min_ms: minMs,
        text,
      })),
    )
    .execute()
}

async function insertProgress(tx: Tx, id: number, campaign: NewCampaign): Promise<void> {
  const { name, templateId } = campaign
  await tx
    .insertInto('campaign_progress')
    .values({
      campaign_id: id,
      account_id: campaign.ownerId,
      name,
      template_id: templateId,
      status: 'processing',
      start_at: campaign.startAt,
    })
    .execute()
}

/** The channel limits of the account and of each account that pays for it; null: no limit. */
export async function channelCaps(db: Db, accountIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('account_channels')
    .select('channels')
    .where('account_id', 'in', accountIds)
    .execute()
  return rows.flatMap(({ channels }) => channels ?? [])
}
