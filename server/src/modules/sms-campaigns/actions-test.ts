import { setTimeout as sleep } from 'node:timers/promises'
import type { SentTextState, SmsOccasion } from '@ghanti/contract/after-call.ts'
import { takesMessages } from '@ghanti/contract/operators.ts'
import { dialable, nationalOf, phoneDigits, whyNotDialable } from '@ghanti/contract/phone.ts'
import { partsOfText } from '@ghanti/contract/sms-text.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Tx } from '../../db/db.ts'
import { badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { isBlacklisted } from '../blacklist/actions.ts'
import { requireOwner } from '../campaigns/actions-state.ts'
import { Problems } from '../campaigns/actions.ts'
import { rowOfBase } from '../contacts/actions-row.ts'
import { insertTestBase } from '../contacts/actions-test.ts'
import { requireBase } from '../contacts/actions.ts'
import { MessageValidator } from '../contacts/rows/rules-message.ts'
import { valueRuleOf } from '../contacts/rows/rules-values.ts'
import { smsPriceChain } from '../credits/actions-sms.ts'
import { settingOf } from '../platform/actions.ts'
import { withFiles } from '../files/actions.ts'
import { requireRoom } from '../quotas/actions.ts'
import { requireSender } from '../sms-senders/actions.ts'
import { approvalOf, requireApprovedText } from '../sms-texts/actions.ts'
import { columnProblems, testWords as words } from './rules.ts'
import * as store from './store-compose.ts'
import { testedMessage } from './store-test.ts'

type Asked = {
  occasion: SmsOccasion
  mobile: string
  smsCli: string
  text: string
  field: string
  baseId?: number | undefined
  row?: number | undefined
}
type Tested = { state: SentTextState; reason: string | null; campaignId: number }

/** Someone is waiting for the text, so it expires if it has not been sent by then. */
const sendMs = 10 * 60_000
/** How long the reply waits for the gateway's answer. */
const answerMs = 8000
const lookEveryMs = 200
const anyColumns = 0

/**
 * Sends one text as it would be sent after a call: an SMS campaign of one message, charged, capped, blacklisted and counted like any other,
 * and listed with its outcome. Returns once a gateway answered, or the state after `answerMs`.
 */
export async function testText(ctx: Ctx, asked: Asked): Promise<Tested> {
  const phone = phoneOf(asked.mobile)
  const values = await valuesOf(ctx, asked)
  await requireSendable(ctx, asked, phone, values)
  if (await isBlacklisted(ctx, asked.mobile)) throw badField('mobile', words.blacklisted, 'blacklisted')
  const campaignId = await composeTest(ctx, asked, nationalOf(String(phone)), values)
  for (const until = performance.now() + answerMs; ;) {
    const found = await testedMessage(ctx.app.db, campaignId)
    if (found.state !== 'waiting' || performance.now() > until)
      return {
        campaignId,
        state: found.state,
        reason: found.reason ?? (found.state === 'waiting' ? words.waits : null),
      }
    await sleep(lookEveryMs)
  }
}

function phoneOf(mobile: string): number {
  const phone = dialable(mobile)
  if (!phone) throw badField('mobile', whyNotDialable(mobile), 'not_dialable')
  const digits = phoneDigits(phone)
  if (!takesMessages(digits)) throw badField('mobile', words.noMobile, 'no_mobile')
  return digits
}

async function valuesOf(ctx: Ctx, { text, field, baseId, row: line }: Asked): Promise<Record<string, string>> {
  const { app, viewer } = ctx
  const named = partsOfText(text).flatMap((part) => ('column' in part ? [part.column.toLowerCase()] : []))
  if (named.every((column) => column === 'mobile')) return {}
  if (baseId === undefined) throw badField('baseId', words.noFile, 'required')
  const { columns } = await app.db.transaction().execute((tx) => requireBase(tx, ownScope(viewer), baseId, anyColumns))
  const problems = new Problems()
  problems.add(columnProblems({ templateId: 1, smsText: text }, columns).map((problem) => ({ ...problem, field })))
  problems.refuseIfAny()
  const { row } = await rowOfBase(ctx, { baseId, templateId: anyColumns, line })
  if (!('phone' in row)) throw badField('row', `cannot be called: ${row.reason}`, 'refused')
  return Object.fromEntries(Object.entries(row.values).filter(([column]) => named.includes(column.toLowerCase())))
}

async function requireSendable(ctx: Ctx, asked: Asked, phone: number, values: Record<string, string>): Promise<void> {
  const { text, field, smsCli } = asked
  const { app, viewer } = ctx
  const { accountType, approval } = await approvalOf(ctx)
  const prefixes = await settingOf(app.db, 'operatorPrefixes')
  const { operators } = await app.db.transaction().execute((tx) => requireSender(tx, viewer.userId, smsCli, 'smsCli'))
  const rule = valueRuleOf(text, accountType, approval)
  const validator = new MessageValidator({ templateId: 1, text, operators, prefixes, values: rule })
  const row = { line: 2, phone, turn: 0, values }
  const message = validator.messageOf(row)
  if (typeof message === 'string') throw badField('mobile', words.unsendable(message), 'refused')
  const unapproved = validator.whyUnapproved(row)
  if (unapproved !== null) throw badField(field, words.unapproved(unapproved), 'not_approved')
}

async function composeTest(ctx: Ctx, asked: Asked, mobile: string, values: Record<string, string>): Promise<number> {
  const { app, viewer } = ctx
  const { occasion, smsCli, text, field } = asked
  const ownerId = viewer.userId
  const now = app.clock.now()
  return withFiles(app, async (tx) => {
    await requireOwner(tx, ownerId)
    const problems = new Problems()
    const sender = await problems.of(() => requireSender(tx, ownerId, smsCli, 'smsCli'))
    const chain = await problems.of(() => smsPriceChain(tx, ownerId))
    await problems.of(() => requireApprovedText(tx, ownerId, text, field))
    await problems.of(() => requireRoom(tx, ownerId, [{ what: 'campaigns', more: 1, field: 'mobile' }]))
    problems.refuseIfAny()
    if (!sender || !chain) throw new Error('a test message passed its checks without a sender ID or payers')
    const baseId = await insertTestBase(app, tx, { ownerId, numbers: [mobile], values, field: 'mobile' })
    const name = await freeName(tx, ownerId, `Test message ${nepalTimeOf(now)}`)
    const campaignId = await store.insertCampaign(tx, {
      ownerId,
      name,
      templateId: 1,
      text,
      baseId,
      sender,
      startAt: now,
      sendUntil: new Date(now.getTime() + sendMs),
      chain,
      composed: { campaignName: name, templateId: 1, cli: sender.name, baseId, smsText: text },
    })
    if (campaignId === undefined) throw conflict('mobile', words.again, 'too_many')
    const said = { occasion, cli: sender.name, mobile }
    await audit(tx, ctx, 'campaign.smsTextTest', `sms campaign ${campaignId}`, said)
    return campaignId
  })
}

/** Two tests within a second need different names. */
async function freeName(tx: Tx, ownerId: number, name: string): Promise<string> {
  for (let n = 2; n < 10; n++) {
    const tried = n === 2 ? name : `${name} (${n - 1})`
    if (!(await store.nameTaken(tx, ownerId, tried))) return tried
  }
  throw conflict('mobile', words.again, 'too_many')
}
