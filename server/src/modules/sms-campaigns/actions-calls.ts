import type { AfterCallMessage } from '@ghanti/contract/after-call.ts'
import { campaignStatusCode } from '@ghanti/contract/campaign-status.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import type { Db, Tx } from '../../db/db.ts'
import { smsPriceChain } from '../credits/actions-sms.ts'
import { requireSender, type UsableSender } from '../sms-senders/actions.ts'
import { requireApprovedText } from '../sms-texts/actions.ts'
import type { SmsPriceLevel } from '../credits/actions-sms.ts'
import { Problems } from '../campaigns/actions.ts'
import * as callStore from './store-calls.ts'
import * as store from './store-compose.ts'

const dayMs = 24 * 3600_000
/** After the last call, a message may have to wait for the permitted hours and for a day on which its number may get another. */
const waitDays = 2

export type CallMessages = { sender: UsableSender; chain: SmsPriceLevel[] }

/** Throws 400 naming the field: no such sender ID, no price, or a text that needs approval. */
export async function requireCallMessages(
  tx: Tx,
  ownerId: number,
  { smsCli, texts }: { smsCli: string; texts: readonly { text: string; field: string }[] },
): Promise<CallMessages> {
  const problems = new Problems()
  const sender = await problems.of(() => requireSender(tx, ownerId, smsCli, 'smsCli'))
  const chain = await problems.of(() => smsPriceChain(tx, ownerId))
  for (const { text, field } of texts) await problems.of(() => requireApprovedText(tx, ownerId, text, field))
  problems.refuseIfAny()
  if (!sender || !chain) throw new Error('messages after calls passed their checks without a sender ID or payers')
  return { sender, chain }
}

type Calls = {
  campaignId: number
  ownerId: number
  name: string
  baseId: number
  startAt: Date
  dialUntil: Date
  texts: readonly { text: string }[]
}

/** Inserts the SMS campaign that follows a campaign of calls; the engine fills its queue as calls end. */
export async function insertCallMessages(tx: Tx, calls: Calls, { sender, chain }: CallMessages): Promise<void> {
  await store.insertCampaign(tx, {
    ownerId: calls.ownerId,
    name: calls.name,
    templateId: 1,
    text: calls.texts
      .map(({ text }) => text)
      .join('\n')
      .slice(0, 10_000),
    baseId: calls.baseId,
    sender,
    startAt: calls.startAt,
    sendUntil: new Date(calls.dialUntil.getTime() + waitDays * dayMs),
    chain,
    composed: {
      campaignName: calls.name,
      templateId: 1,
      cli: sender.name,
      baseId: calls.baseId,
      smsText: calls.texts[0]?.text,
    },
    callCampaignId: calls.campaignId,
  })
}

/** The campaign's calls start again; messages that were sent are not repeated. Call it before locking the campaign of calls. */
export async function resumeCallMessages(
  tx: Tx,
  ownerId: number,
  callCampaignId: number,
  dialUntil: Date,
): Promise<void> {
  await store.reopenOfCalls(tx, ownerId, callCampaignId, new Date(dialUntil.getTime() + waitDays * dayMs))
}

export async function moveCallMessages(
  tx: Tx,
  callCampaignId: number,
  { name, startAt, dialUntil }: Pick<Calls, 'name' | 'startAt' | 'dialUntil'>,
): Promise<void> {
  const sendUntil = new Date(dialUntil.getTime() + waitDays * dayMs)
  await store.moveOfCalls(tx, callCampaignId, { name, startAt, sendUntil })
}

type CallTexts = ReplyOf<typeof campaignDetailRoutes.detail>['smsTexts']

/** The state of the texts after a campaign's calls; null when it has none. */
export async function textsOfCalls(db: Db, callCampaignId: number): Promise<CallTexts> {
  const found = await callStore.findOfCalls(db, callCampaignId)
  if (!found) return null
  return {
    campaignId: found.campaign_id,
    campaignStatus: campaignStatusCode[found.status],
    cli: found.sender,
    due: found.uploaded,
    waiting: found.fresh + found.waiting + found.in_flight,
    submitted: found.accepted,
    delivered: found.delivered,
    failed: found.failed,
    expired: found.expired,
    unknown: found.unknown,
    withheld: found.withheld,
    cost: rupeesOf(found.cost_paisa),
  }
}

/** By attempt: the texts that these calls led to, and those that their rows did not get. */
export async function textMessagesOf(
  db: Db,
  calls: readonly { campaign_id: number; no: number; id: number }[],
): Promise<Map<number, AfterCallMessage[]>> {
  const found = new Map<number, AfterCallMessage[]>()
  if (calls.length === 0) return found
  const [messages, withheld] = await Promise.all([
    callStore.messagesOfCalls(db, calls),
    callStore.withheldOfCalls(db, calls),
  ])
  for (const { attempt_id: id, occasion, key, state, sender, reason, at } of [...messages, ...withheld]) {
    const message = { occasion, by: 'text', key, state, host: sender, reason, time: nepalTimeOf(at) } as const
    found.set(id, [...(found.get(id) ?? []), message])
  }
  return found
}
