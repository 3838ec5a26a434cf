import { takesMessages } from '@ghanti/contract/operators.ts'
import { dialable, phoneDigits, whyNotDialable } from '@ghanti/contract/phone.ts'
import { validSecondsMax, validSecondsUrgent, type SendInput, type SentMessage } from '@ghanti/contract/sends.ts'
import { partsOfText, unknownColumns } from '@ghanti/contract/sms-text.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import type { Db } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { auditRead } from '../audit/actions.ts'
import { requireOwner } from '../campaigns/actions-state.ts'
import { Problems } from '../campaigns/actions.ts'
import { MessageValidator, type Message } from '../contacts/rows/rules-message.ts'
import { valueRuleOf } from '../contacts/rows/rules-values.ts'
import { settingIn } from '../platform/actions.ts'
import { settings } from '../platform/rules.ts'
import { openFeed } from '../sms-campaigns/actions-feed.ts'
import { testWords } from '../sms-campaigns/rules.ts'
import { requireUsable, type UsableSender } from '../sms-senders/actions.ts'
import { standingOf } from '../sms-texts/actions.ts'
import { messageIdOf, messageOfId, refusalOfFeed, sendWords as words, sentMessageOf } from './rules.ts'
import * as store from './store.ts'

const settingKeys = [settings.operatorPrefixes.key, settings.textApproval.key, settings.smsNumberCaps.key]
const foundMax = 100

type Known = NonNullable<Awaited<ReturnType<typeof store.lookUp>>>
type Sent = Pick<SentMessage, 'messageId' | 'state' | 'segments' | 'cost'>

/** One message, which is recorded with its money: whatever happens then, it is sent once, or its money is released. */
export async function sendMessage(ctx: Ctx, input: SendInput): Promise<Sent> {
  const { app, viewer } = ctx
  const asked = { accountId: viewer.userId, sender: input.from, settings: settingKeys }
  const phone = dialable(input.to)
  const known = await store.lookUp(app.db, { ...asked, phone: phone ? phoneDigits(phone) : 0 })
  if (!known) throw new AppError('not_found')
  const problems = new Problems()
  const to = await problems.of(() => Promise.resolve(requireMobile(input.to)))
  const sender = await problems.of(() => Promise.resolve(requireUsable(senderOf(known), 'from')))
  const text = await problems.of(() => textOf(app.db, viewer.userId, input, known))
  problems.refuseIfAny()
  if (to === undefined || !sender || !text) throw new Error('a message passed its checks without its number or text')
  const message = messageOf({ to, sender, text, known })
  requireRoom(known)
  const { validSeconds = text.isUrgent ? validSecondsUrgent : validSecondsMax, reference = null } = input
  const { phone: digits, operator, segments } = message
  const keyId = viewer.key?.keyId ?? null
  const of = { keyId, phone: digits, operator, segments, text: message.text, reference, validSeconds }
  const accepted = await accept(ctx, { ...of, isUrgent: text.isUrgent, sender, known })
  const { campaignId, no, paisa } = accepted
  return { messageId: messageIdOf(campaignId, no), state: 'waiting', segments, cost: rupeesOf(paisa) }
}

function requireMobile(written: string): number {
  const phone = dialable(written)
  if (!phone) throw badField('to', whyNotDialable(written), 'not_dialable')
  const digits = phoneDigits(phone)
  if (!takesMessages(digits)) throw badField('to', testWords.noMobile, 'no_mobile')
  return digits
}

function senderOf({ sender_id: id, sender_name: name, sender_status: status, operators }: Known) {
  return id === null || name === null || status === null ? undefined : { id, name, status, operators: operators ?? [] }
}

type Text = { text: string; isUrgent: boolean; isTemplate: boolean; values: Record<string, string> }

/** The text to send, before its values are filled in. It is approved. */
async function textOf(db: Db, accountId: number, input: SendInput, known: Known): Promise<Text> {
  const { text: free, template, values = {} } = input
  if (template === undefined) {
    if (free === undefined) throw badField('text', words.noText, 'required')
    if (Object.keys(values).length > 0) throw badField('values', words.needless)
    return { ...(await approved(db, accountId, free, known)), text: free, isTemplate: false, values: {} }
  }
  if (free !== undefined) throw badField('template', words.twoTexts)
  const text = await store.savedText(db, accountId, template)
  if (text === undefined) throw badField('template', words.noTemplate, 'not_found')
  const missing = unknownColumns(partsOfText(text), [...Object.keys(values), 'mobile'])
  if (missing.length > 0) throw badField('template', words.noValue(missing), 'value_missing')
  const filled = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
  return { ...(await approved(db, accountId, text, known, 'template')), text, isTemplate: true, values: filled }
}

async function approved(db: Db, accountId: number, text: string, known: Known, field?: 'template') {
  const rule = { accountType: known.account_type, approval: settingOf(known, 'textApproval') }
  const { refusal, isUrgent } = await standingOf(db, accountId, text, rule)
  if (refusal === null) return { isUrgent }
  const isFree = field === undefined && refusal.code === 'not_approved'
  throw badField(field ?? 'text', isFree ? words.needsApproval : refusal.text, refusal.code)
}

function settingOf<Name extends 'operatorPrefixes' | 'textApproval' | 'smsNumberCaps'>(known: Known, name: Name) {
  return settingIn(name, known.settings?.[settings[name].key])
}

type Filling = { to: number; sender: UsableSender; text: Text; known: Known }

/** Values that need approval are refused: nobody could decide on them in time. */
function messageOf({ to, sender, text, known }: Filling): Message & { text: string } {
  const validator = new MessageValidator({
    templateId: text.isTemplate ? 1 : 0,
    text: text.text,
    operators: sender.operators,
    prefixes: settingOf(known, 'operatorPrefixes'),
    values: text.isTemplate ? valueRuleOf(text.text, known.account_type, settingOf(known, 'textApproval')) : null,
  })
  const row = { line: 1, phone: to, turn: 0, values: text.values }
  const message = validator.messageOf(row)
  if (typeof message === 'string') throw badField('to', words.unsendable(message), 'refused')
  const unapproved = validator.unapprovedOf(row)
  if (unapproved) throw badField('template', words.value(unapproved.column, unapproved.why), 'not_approved')
  return { ...message, text: validator.textOf(row) }
}

/** Whether the feed and the number take another message today. */
function requireRoom(known: Known): void {
  if (known.blocked !== null) throw conflict('from', words.blocked(known.blocked), 'stopped')
  const refusal = known.feed_status && refusalOfFeed(known.feed_status, known.feed_reason)
  if (refusal) throw conflict('from', refusal, 'status')
  const caps = settingOf(known, 'smsNumberCaps')
  const had = known.had >= caps.account ? known.had : known.had_of_all >= caps.platform ? known.had_of_all : null
  if (had !== null) throw conflict('to', words.had(had), 'day_cap')
}

type Accepting = Omit<store.Accepting, 'feedId'> & { sender: UsableSender; known: Known }

/** The first message of the day opens its feed, in the same transaction: what is refused leaves none behind. */
async function accept({ app, viewer }: Ctx, { sender, known, ...message }: Accepting) {
  if (known.feed_id !== null) return await acceptInto(app.db, known.feed_id, message)
  return await app.db.transaction().execute(async (tx) => {
    await requireOwner(tx, viewer.userId)
    const feed = { ownerId: viewer.userId, sender, day: known.day, now: app.clock.now() }
    return await acceptInto(tx, await openFeed(tx, feed), message)
  })
}

/** Throws why the feed does not take the message. */
async function acceptInto(db: Db, campaignId: number, message: Omit<store.Accepting, 'feedId'>) {
  const { no, paisa, freePaisa } = await store.accept(db, { ...message, feedId: campaignId })
  if (no !== null && paisa !== null) return { campaignId, no, paisa }
  if (paisa !== null && freePaisa !== null) throw conflict('message', words.money(paisa, freePaisa), 'balance_short')
  const { status, reason, frozen } = await store.feedState(db, campaignId)
  if (frozen) throw conflict('from', words.frozen, 'status')
  const refusal = refusalOfFeed(status, reason)
  if (refusal !== null) throw conflict('from', refusal, 'status')
  throw new AppError('not_ready', [], { retryAfterSeconds: 1 }) // its day has just ended
}

/** Leaves one line in the audit log for a feed and hour, as for whoever opens its messages. */
export async function readMessage(ctx: Ctx, messageId: string): Promise<SentMessage> {
  const named = messageOfId(messageId)
  const found = named && (await store.findMessage(ctx.app.db, ownScope(ctx.viewer), named))
  if (!found) throw new AppError('not_found')
  const of = { target: `sms campaign ${found.campaign_id}`, ownerId: ctx.viewer.userId, detail: { name: found.name } }
  await auditRead(ctx, { action: 'sms.report', ...of })
  return sentMessageOf(found)
}

/** Leaves one line in the audit log an hour, whatever the references. */
export async function findMessages(ctx: Ctx, reference: string): Promise<SentMessage[]> {
  const { userId } = ctx.viewer
  await auditRead(ctx, { action: 'sms.find', target: `user ${userId}`, ownerId: userId })
  const found = await store.findByReference(ctx.app.db, ownScope(ctx.viewer), reference, foundMax)
  return found.map(sentMessageOf)
}
