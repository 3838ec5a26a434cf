import { campaignStatusLabel, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Db } from '../../db/db.ts'
import { messageIdOf, stateOf } from '../sends/rules.ts'
import { bodyBytesMax } from './rules.ts'
import * as store from './store-bodies.ts'

type Data = Record<string, unknown>
export type EventSource = {
  account_id: number
  type: string
  at: Date
  of_messages: boolean
  campaign_id: number | null
  ids: readonly number[]
  state: string | null
}
export type Body = { type: string; timestamp: string; data: Data }

/** What is told of an event, as things are now. Null: what it was about is deleted. */
export async function bodyOf(db: Db, event: EventSource): Promise<Body | null> {
  const data = await dataOf(db, event)
  return data && { type: event.type, timestamp: event.at.toISOString(), data }
}

/** At most 256 KiB: of calls whose trails are longer together, the trails are left out. */
export function written(body: Body): string {
  const text = JSON.stringify(body)
  if (Buffer.byteLength(text) <= bodyBytesMax || !Array.isArray(body.data['calls'])) return text
  const calls = (body.data['calls'] as Data[]).map((call) => ({ ...call, trail: null }))
  return JSON.stringify({ ...body, data: { ...body.data, calls } })
}

async function dataOf(db: Db, event: EventSource): Promise<Data | null> {
  const [id = 0] = event.ids
  if (event.type === 'message.received') return await incoming(db, id)
  if (event.type === 'balance.low') return await balance(db, event.account_id)
  if (event.type === 'export.ready') return await file(db, id)
  if (event.type === 'hook.test') return { hookId: id }
  const campaignId = event.campaign_id ?? 0
  const campaign = await store.campaignNamed(db, campaignId, event.of_messages)
  if (!campaign) return null
  const of = { campaignId, campaignName: campaign.name }
  if (event.type === 'calls.ended') {
    const calls = await store.callsNamed(db, event.ids)
    return { ...of, calls: calls.map(callData) }
  }
  if (event.type === 'messages.changed') {
    const messages = await store.messagesNamed(db, campaignId, event.ids)
    return { ...of, messages: messages.map((message) => messageData(campaignId, message)) }
  }
  const status = event.state as CampaignStatus
  return { ...of, kind: event.of_messages ? 'messages' : 'calls', status, label: campaignStatusLabel[status] }
}

const timeOf = (at: Date | null): string | null => at && nepalTimeOf(at)

/** Named as in the call report. */
function callData(call: store.Call): Data {
  return {
    attemptId: call.id,
    row: call.line ?? 0,
    customerNo: nationalOf(String(call.phone)),
    attempt: call.attempt_no,
    disposition: call.disposition,
    startTime: nepalTimeOf(call.started_at),
    answerTime: timeOf(call.answered_at),
    endTime: nepalTimeOf(call.ended_at),
    seconds: Math.ceil((call.bill_ms ?? 0) / 1000),
    pulses: call.pulses,
    cost: rupeesOf(call.cost_paisa),
    keys: call.keys ?? '',
    trail: call.trail,
  }
}

/** Named as in the report of messages; `messageId` and `reference` as in the answers to who sent it (modules/sends). */
function messageData(campaignId: number, message: store.Message): Data {
  return {
    messageId: messageIdOf(campaignId, message.no),
    reference: message.reference,
    row: message.line,
    msisdn: nationalOf(String(message.phone)),
    state: stateOf[message.state],
    segments: message.segments,
    submitTime: timeOf(message.submitted_at),
    deliveryTime: timeOf(message.final_at),
    reason: message.reason,
  }
}

async function incoming(db: Db, id: number): Promise<Data | null> {
  const message = await store.incomingNamed(db, id)
  if (!message) return null
  return {
    inboxId: message.id,
    msisdn: message.phone === null ? message.from_number : nationalOf(String(message.phone)),
    to: message.to_number,
    smsText: message.text,
    receivedTime: nepalTimeOf(message.received_at),
    action: message.action,
    optOut: message.action === 'optOut' || message.action === 'alreadyOut',
    campaignId: message.campaign_id,
  }
}

async function balance(db: Db, userId: number): Promise<Data | null> {
  const now = await store.balanceOf(db, userId)
  return now ? { balance: rupeesOf(now.paisa), limit: rupeesOf(now.limit) } : null
}

async function file(db: Db, id: number): Promise<Data | null> {
  const made = await store.exportNamed(db, id)
  if (!made) return null
  const { kind, format, file_name: fileName, rows, expires_at: until } = made
  return { exportId: made.id, kind, format, fileName, rows, expiresAt: timeOf(until) }
}
