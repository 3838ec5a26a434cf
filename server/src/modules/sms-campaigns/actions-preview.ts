import { rupeesOf } from '@ghanti/contract/money.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import type { SmsPreview, SmsPreviewInput } from '@ghanti/contract/sms-compose.ts'
import { smsEncodingOf, segmentsOf, unicodeSignOf } from '@ghanti/contract/sms-text.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { auditRead } from '../audit/actions.ts'
import { Problems } from '../campaigns/actions.ts'
import { endOf, startOf } from '../campaigns/rules.ts'
import { previewMessages } from '../contacts/actions-messages.ts'
import { rowOfBase } from '../contacts/actions-row.ts'
import { MessageValidator, type MessageSettings } from '../contacts/rows/rules-message.ts'
import { valueRuleOf } from '../contacts/rows/rules-values.ts'
import { balanceOf } from '../credits/actions.ts'
import { smsPriceChain } from '../credits/actions-sms.ts'
import { settingOf } from '../platform/actions.ts'
import { doneAt, hoursAt } from '../platform/rules-hours.ts'
import { sendingRate } from '../sms-routes/actions.ts'
import { approvalOf } from '../sms-texts/actions.ts'
import { requireSender } from '../sms-senders/actions.ts'
import { sendUntil } from './actions-compose.ts'
import { allOperators, columnProblems } from './rules.ts'

/** Stands in for a text that is not written yet. */
const anyText = 'x'

/**
 * What the file would give, what it would cost once there is a text, and what the row on this line would read. Stores nothing. An unusable
 * sender ID is ignored here, because compose refuses it.
 */
export async function previewCampaign(ctx: Ctx, input: SmsPreviewInput): Promise<SmsPreview> {
  const { baseId, smsText, templateId = 0 } = input
  const operators = await operatorsToPreview(ctx, input.cli)
  const prefixes = await settingOf(ctx.app.db, 'operatorPrefixes')
  const text = smsText ?? anyText
  const { accountType, approval } = await approvalOf(ctx)
  const values = templateId === 1 ? valueRuleOf(text, accountType, approval) : null
  const message: MessageSettings = { templateId, text, operators, prefixes, values }
  const { segments, ...counts } = await previewMessages(ctx, baseId, message)
  const problems = columnProblems(input, counts.columns)
  if (problems.length > 0) throw new AppError('bad_input', problems)
  const ownerId = ctx.viewer.userId
  await auditRead(ctx, { action: 'base.preview', target: `base ${baseId}`, ownerId, detail: { baseId } })
  return {
    ...counts,
    ...(await shownRow(ctx, input, message)),
    estimate: smsText === undefined ? null : await estimateOf(ctx, input, segments),
  }
}

/** The operators for which a sender ID is approved; all of them if it is not chosen yet, or not usable. */
export async function operatorsToPreview(
  { app, viewer }: Ctx,
  cli: string | undefined,
  field = 'cli',
): Promise<readonly number[]> {
  if (cli === undefined) return allOperators
  const sender = await app.db
    .transaction()
    .execute((tx) => new Problems().of(() => requireSender(tx, viewer.userId, cli, field)))
  return sender?.operators ?? allOperators
}

type Shown = Pick<SmsPreview, 'shown' | 'text' | 'encoding' | 'unicodeSign' | 'segments'>
const nothing: Shown = { shown: null, text: null, encoding: null, unicodeSign: null, segments: null }

/** Without a line, the first row that gets a message; if none does, the first row with its reason. */
async function shownRow(
  ctx: Ctx,
  { baseId, row: line, smsText }: SmsPreviewInput,
  message: MessageSettings,
): Promise<Shown> {
  const find = (from: number | undefined) =>
    new Problems().of(() => rowOfBase(ctx, { baseId, templateId: 0, line: from, message }))
  const sought = (await find(line)) ?? (line === undefined ? await find(1) : null)
  if (!sought) return nothing
  const { row, previous, next, blacklisted } = sought
  const at = { line: row.line, previous, next }
  if (!('phone' in row)) return { ...nothing, shown: { ...at, mobile: row.text, reason: row.reason } }
  const mobile = nationalOf(String(row.phone))
  const validator = new MessageValidator(message)
  const { refused, unreachable, unapproved } = validator.validate([row])
  const reasons = [
    ...refused.map(({ reason }) => reason),
    ...unapproved.map(({ reason }) => reason),
    ...(unreachable.length > 0 ? ['a landline takes no messages'] : []),
    ...(blacklisted ? ['the number is on a blacklist'] : []),
  ]
  const shown = { ...at, mobile, reason: reasons[0] ?? null }
  if (smsText === undefined || unreachable.length > 0) return { ...nothing, shown }
  const text = validator.textOf(row)
  const size = { encoding: smsEncodingOf(text), unicodeSign: unicodeSignOf(text), segments: segmentsOf(text) }
  return { shown, text, ...size }
}

async function estimateOf(
  ctx: Ctx,
  { scheduleTime, notAfter, cli }: SmsPreviewInput,
  segments: number,
): Promise<SmsPreview['estimate']> {
  const { app, viewer } = ctx
  return app.db.transaction().execute(async (tx) => {
    const [level] = (await new Problems().of(() => smsPriceChain(tx, viewer.userId))) ?? []
    if (!level) return null
    const now = app.clock.now()
    const wanted = startOf(scheduleTime, now)
    const start = typeof wanted === 'string' ? now : wanted
    const lastDay = await sendUntil(tx, start)
    const chosen = endOf(notAfter, start, lastDay, 'send')
    const until = typeof chosen === 'string' ? lastDay : chosen
    return {
      segments,
      cost: rupeesOf(segments * level.segmentPaisa),
      perSegment: rupeesOf(level.segmentPaisa),
      balance: rupeesOf((await balanceOf(tx, viewer.userId)).paisa),
      ...(await whenSent(tx, { start, until, segments, sender: cli ?? '' })),
      sendUntil: nepalTimeOf(until),
    }
  })
}

type Sending = { start: Date; until: Date; segments: number; sender: string }

/** Considers the permitted hours and the gateways' rates, but not what others send meanwhile, which nobody can know. */
async function whenSent(tx: Tx, { start, until, segments, sender }: Sending) {
  const hours = await settingOf(tx, 'smsHours')
  const perSecond = await sendingRate(tx, sender)
  const open = hoursAt(hours, start)
  const begins = open.open ? start : open.opensAt
  const ends = begins && perSecond > 0 ? doneAt(hours, begins, { workMs: (segments / perSecond) * 1000, until }) : null
  return {
    beginsAt: begins && nepalTimeOf(begins),
    outsideHours: !open.open,
    endsAt: ends && nepalTimeOf(ends),
    perSecond,
  }
}
