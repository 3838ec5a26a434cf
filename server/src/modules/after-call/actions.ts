import { dialable, nationalOf, phoneDigits, whyNotDialable } from '@ghanti/contract/phone.ts'
import { takesMessages } from '@ghanti/contract/operators.ts'
import type { AfterCallCount, AfterCallMessage } from '@ghanti/contract/after-call.ts'
import type { InputOf, ReplyOf } from '@ghanti/contract/route.ts'
import { addressFields } from '@ghanti/contract/sms-address.ts'
import type { afterCallRoutes } from '@ghanti/contract/sms-tests.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { messages } from '@ghanti/contract/messages.ts'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError, badField } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { seal } from '../../lib/secrets.ts'
import { audit } from '../audit/actions.ts'
import { isBlacklisted } from '../blacklist/actions.ts'
import { addressProblems, askFor, policyOf } from './actions-address.ts'
import { addressPurpose, chosenAddresses, words, type ChosenAddress } from './rules.ts'
import * as store from './store.ts'

/** `answeredSeconds`: how long a call must last to count as a success. */
export async function keepAddresses(
  tx: Tx,
  { config }: Pick<App, 'config'>,
  campaignId: number,
  chosen: readonly ChosenAddress[],
  answeredSeconds: number,
): Promise<void> {
  if (chosen.length === 0) return
  const options = chosen.map(({ occasion, address, host }) => ({
    occasion,
    host,
    sealed: seal(config.secret, addressPurpose, address),
    answeredMs: occasion === 'success' ? answeredSeconds * 1000 : 0,
  }))
  await store.insertOptions(tx, campaignId, options)
}

export function messageCounts(db: Db, campaignId: number): Promise<AfterCallCount[]> {
  return store.countsOf(db, campaignId)
}

export async function messagesOf(
  db: Db,
  campaignId: number,
  attempts: readonly { no: number; id: number }[],
): Promise<Map<number, AfterCallMessage[]>> {
  const found = new Map<number, AfterCallMessage[]>()
  if (attempts.length === 0) return found
  for (const row of await store.messagesOf(db, campaignId, attempts))
    found.set(row.attempt_id, [...(found.get(row.attempt_id) ?? []), messageOf(row)])
  return found
}

export async function messagesOfCalls(
  db: Db,
  calls: readonly { campaign_id: number; no: number; id: number }[],
): Promise<Map<number, AfterCallMessage[]>> {
  const found = new Map<number, AfterCallMessage[]>()
  if (calls.length === 0) return found
  for (const row of await store.messagesOfCalls(db, calls))
    found.set(row.attempt_id, [...(found.get(row.attempt_id) ?? []), messageOf(row)])
  return found
}

function messageOf({
  occasion,
  state,
  host,
  reason,
  due_at: due,
  ended_at: ended,
}: store.MessageRow): AfterCallMessage {
  return { occasion, by: 'address', key: null, state, host: `${host}/…`, reason, time: nepalTimeOf(ended ?? due) }
}

type Asked = InputOf<typeof afterCallRoutes.test>
type Tested = Omit<ReplyOf<typeof afterCallRoutes.test>, 'campaignId'>

export async function testAddress(ctx: Ctx, input: Asked): Promise<Tested> {
  const { app, viewer } = ctx
  const { occasion, mobile } = input
  const [chosen] = chosenAddresses({ [addressFields[occasion]]: input[addressFields[occasion]] })
  if (!chosen) throw badField(addressFields[occasion], words.missing, 'required')
  const phone = dialable(mobile)
  if (!phone) throw badField('mobile', whyNotDialable(mobile), 'not_dialable')
  const digits = phoneDigits(phone)
  if (!takesMessages(digits)) throw badField('mobile', words.noMobile, 'no_mobile')
  const errors = await addressProblems(app, [chosen])
  if (errors.length > 0) throw new AppError('bad_input', errors)
  if (await isBlacklisted(ctx, mobile)) throw badField('mobile', words.blacklisted, 'blacklisted')
  const ten = nationalOf(String(digits))
  await app.db
    .transaction()
    .execute((tx) =>
      audit(tx, ctx, 'campaign.smsTest', `user ${viewer.userId}`, { occasion, host: chosen.host, mobile: ten }),
    )
  const { state, reason } = await askFor(app, await policyOf(app), chosen.address, ten)
  if (state === 'again') return { message: messages.success, state: 'failed', reason: words.unreachable(reason ?? '') }
  return { message: messages.success, state, reason }
}

/** Addresses contain credentials, so they are deleted this long after the campaign's last day. */
const addressDays = 30

export function forgetAddresses(db: Db): Promise<void> {
  return store.forgetAddresses(db, addressDays)
}
