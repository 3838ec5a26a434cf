import { randomUUID } from 'node:crypto'
import type { CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { Db } from '../db/db.ts'
import type { HoldCause, SmsState } from '../db/tables.ts'
import type { Viewer } from '../policy.ts'
import { newBase } from './campaigns.ts'

type HasDb = { db: Db }

/** A sender ID, approved for every operator by default. */
export async function newSender(
  app: HasDb,
  owner: Viewer,
  { name = 'GHANTI', operators = [0, 1, 2, 3] }: { name?: string; operators?: number[] } = {},
): Promise<string> {
  await app.db
    .insertInto('sms_sender')
    .values({ account_id: owner.userId, name, status: 'approved', operators })
    .execute()
  return name
}

export type MessageSeed = { state?: SmsState; phone?: number; reason?: string | null; segments?: number }
const counted = [
  'fresh',
  'waiting',
  'submitted',
  'delivered',
  'failed',
  'expired',
  'unknown',
  'dnd',
  'unreachable',
] as const

/** An SMS campaign with these messages, as it is in some status, without compose's checks. No engine sends it, and nobody paid for it. */
export async function newSmsCampaign(
  app: HasDb,
  owner: Viewer,
  {
    status = 'running',
    messages = [],
    name = `SMS ${randomUUID()}`,
    ...over
  }: {
    status?: CampaignStatus
    messages?: readonly MessageSeed[]
    name?: string
    heldBy?: Viewer
    startAt?: Date
  } = {},
): Promise<number> {
  const base_id = await newBase(app, owner)
  const start_at = over.startAt ?? new Date()
  const held = over.heldBy
    ? { held_by: over.heldBy.userId, hold_cause: 'administrator' as HoldCause, reason: 'Asked for' }
    : {}
  return app.db.transaction().execute(async (tx) => {
    const { id: campaign_id } = await tx
      .insertInto('sms_campaign')
      .values({
        account_id: owner.userId,
        status,
        start_at,
        send_until: new Date(start_at.getTime() + 7 * 24 * 3600_000),
        sender: 'GHANTI',
        price_paisa: 150,
        uploaded: messages.length,
        ...held,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const composed = JSON.stringify({ campaignName: name, templateId: 0, cli: 'GHANTI', smsText: 'Hello' })
    await tx
      .insertInto('sms_campaign_detail')
      .values({ campaign_id, name, template: 0, text: 'Hello', base_id, composed, rows_in_file: messages.length })
      .execute()
    await tx
      .insertInto('sms_campaign_name')
      .values({ owner_id: owner.userId, name_key: name.toLowerCase(), campaign_id })
      .execute()
    const counts = Object.fromEntries(
      counted.map((state) => [state, messages.filter((one) => (one.state ?? 'fresh') === state).length]),
    )
    await tx
      .insertInto('sms_campaign_count')
      .values({ campaign_id, slot: 0, ...counts })
      .execute()
    const accepted = messages.filter(({ state = 'fresh' }) => sent.has(state)).length
    await tx
      .insertInto('sms_campaign_progress')
      .values({
        campaign_id,
        account_id: owner.userId,
        name,
        template: 0,
        sender: 'GHANTI',
        status,
        start_at,
        uploaded: messages.length,
        accepted,
        ...counts,
      })
      .execute()
    const rows = messages.map(({ state = 'fresh', phone, reason = null, segments = 1 }, no) => ({
      campaign_id,
      no,
      line: no + 2,
      phone: phone ?? 9_779_841_000_000 + no,
      operator: 1,
      segments,
      state,
      reason,
      ...(sent.has(state) && { submitted_at: start_at }),
    }))
    if (rows.length > 0) await tx.insertInto('sms_message').values(rows).execute()
    return campaign_id
  })
}
const sent: ReadonlySet<SmsState> = new Set(['submitted', 'delivered', 'failed', 'expired', 'unknown'])
