import type { SendState, SentMessage } from '@ghanti/contract/sends.ts'
import { rupeesOf, rupeesText } from '@ghanti/contract/money.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { CampaignStatus, SmsState } from '../../db/tables.ts'
import type { Found } from './store.ts'

/** Sentences that begin with the field's name.  */
export const sendWords = {
  noText: 'is required, or a template',
  twoTexts: 'cannot be sent together with text: name one of them',
  noTemplate: 'is not one of your texts',
  needless: 'belong to a template',
  noValue: (names: readonly string[]) => `has no value for ${names.map((name) => `{${name}}`).join(', ')}`,
  needsApproval: 'needs approval: use an approved template',
  value: (column: string, why: string) => `has a value for {${column}} that needs approval: ${why}`,
  unsendable: (why: string) => `gets no message: ${why}`,
  had: (messages: number) =>
    `had ${messages} ${messages === 1 ? 'message' : 'messages'} today: it may have more from 00:00`,
  money: (cost: number, free: number) => `costs Rs ${rupeesText(cost)}, and Rs ${rupeesText(free)} are free`,
  paused: 'sends nothing: its messages of today are paused',
  onHold: (reason: string | null) =>
    reason === null ? 'sends nothing: its messages of today are on hold' : `sends nothing: ${reason}`,
  frozen: 'sends nothing: the account is frozen',
  stopped: 'sends nothing: its messages of today were stopped',
  blocked: (reason: string) => `sends nothing: all messages are stopped by the administrator: ${reason}`,
}

/** Why a feed takes nothing. Null: it does. */
export function refusalOfFeed(status: CampaignStatus, reason: string | null): string | null {
  switch (status) {
    case 'running':
      return null
    case 'pausing':
    case 'paused':
    case 'resuming':
      return sendWords.paused
    case 'cancelling':
    case 'cancelled':
      return sendWords.stopped
    default:
      return sendWords.onHold(reason)
  }
}

/** As programs read it. */
export const stateOf: Readonly<Record<SmsState, SendState>> = {
  fresh: 'waiting',
  waiting: 'waiting',
  submitted: 'submitted',
  delivered: 'delivered',
  failed: 'failed',
  expired: 'expired',
  unknown: 'unknown',
  dnd: 'dnd',
  unreachable: 'failed',
}

export const messageIdOf = (campaignId: number, no: number): string => `${campaignId}-${no + 1}`

/** Which message an id names. Null: none can have it. */
export function messageOfId(id: string): { campaignId: number; no: number } | null {
  const [campaignId = 0, number = 0] = id.split('-').map(Number)
  const isPossible = Math.max(campaignId, number) <= 2_147_483_647
  return isPossible ? { campaignId, no: number - 1 } : null
}

export function sentMessageOf(m: Found): SentMessage {
  const state = stateOf[m.state]
  const isOpen = state === 'waiting' || (state === 'unknown' && m.paid_paisa === null)
  return {
    messageId: messageIdOf(m.campaign_id, m.no),
    state,
    to: nationalOf(String(m.phone)),
    from: m.sender,
    segments: m.segments,
    cost: rupeesOf(isOpen ? m.segments * m.price_paisa : (m.paid_paisa ?? 0)),
    reference: m.reference,
    reason: m.reason,
    acceptedAt: nepalTimeOf(m.at),
    submittedAt: m.submitted_at && nepalTimeOf(m.submitted_at),
    endedAt: m.final_at && nepalTimeOf(m.final_at),
  }
}
