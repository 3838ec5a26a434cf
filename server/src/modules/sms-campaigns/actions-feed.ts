import { addDays } from '@ghanti/contract/days.ts'
import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import type { Tx } from '../../db/db.ts'
import { smsPriceChain } from '../credits/actions-sms.ts'
import type { UsableSender } from '../sms-senders/actions.ts'
import * as store from './store-compose.ts'

type Wanted = { ownerId: number; sender: UsableSender; day: string; now: Date }

/**
 * The feed of an account, a sender ID and one of Nepal's days: the campaign that takes what programs send one by one. Its prices are those
 * of now. Of many processes one makes it, for which the others wait.
 */
export async function openFeed(tx: Tx, { ownerId, sender, day, now }: Wanted): Promise<number> {
  const chain = await smsPriceChain(tx, ownerId)
  const made = await store.insertCampaign(tx, {
    ownerId,
    name: `API ${day} · ${sender.name}`,
    templateId: 1,
    text: '{text}',
    baseId: null,
    sender,
    startAt: now,
    sendUntil: endOf(day),
    chain,
    composed: {},
    feed: day,
  })
  return made ?? (await store.feedOf(tx, { ownerId, sender: sender.name, day }))
}

/** A message may be valid for a day. */
function endOf(day: string): Date {
  const end = instantOfNepalTime(`${addDays(day, 2)} 00:00:00`)
  if (!end) throw new Error(`${day} is no day`)
  return end
}
