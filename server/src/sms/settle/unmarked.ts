import { setTimeout as sleep } from 'node:timers/promises'
import {
  idKey,
  idKeysInOtherBase,
  type IncomingMessage,
  type Receipt,
  type UnmarkedReceipt,
} from '../../drivers/sms/driver.ts'
import { phoneOf } from '../../modules/sms-inbox/rules.ts'
import type { Claim } from './unmarked.sql.ts'

const answerMs = 2000
const lookMs = 50

type Ports = {
  /** Numbers to which a message is on its way whose answer, and so its id, is not there yet. */
  unanswered(): Iterable<number>
  keysOfOurs(claims: readonly Claim[]): Promise<(string | null)[]>
}

/**
 * Tells receipts from what people write. A text without the mark of a receipt is one only if its id is that of a message to its sender: else anybody
 * could forge the receipt of a message that was sent to somebody else. Rejects while the answer that has the id may still come, so that the gateway
 * sends it again.
 */
export async function sortUnmarked(
  these: readonly UnmarkedReceipt[],
  { unanswered, keysOfOurs }: Ports,
): Promise<{ receipts: Receipt[]; messages: IncomingMessage[] }> {
  const claims = these.map(claimOf)
  const isUnanswered = (): boolean => {
    const phones = new Set(unanswered())
    return claims.some(({ phone }) => phone !== null && phones.has(phone))
  }
  for (let waited = 0; waited < answerMs && isUnanswered(); waited += lookMs) await sleep(lookMs)
  const keys = await keysOfOurs(claims)
  if (keys.includes(null) && isUnanswered()) throw new Error('the answer to a message may name this receipt')
  return {
    receipts: these.flatMap(({ receipt }, n) => (keys[n] ? [{ ...receipt, id: keys[n] }] : [])),
    messages: these.flatMap(({ message }, n) => (keys[n] ? [] : [message])),
  }
}

function claimOf({ receipt: { id }, message: { from } }: UnmarkedReceipt): Claim {
  return { idKeys: [idKey(id), ...idKeysInOtherBase(id)], phone: phoneOf(from) }
}
