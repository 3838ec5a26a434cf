import { approvalLabel, type Approval } from '@ghanti/contract/sms-approval.ts'
import type { AccountType } from '@ghanti/contract/roles.ts'
import { savedTextsMax, type TextApproval } from '@ghanti/contract/sms-texts.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope, scopeOf } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { giveNotice } from '../notices/actions.ts'
import { settingOf } from '../platform/actions.ts'
import { causeOf, textWords as words, type Cause } from './rules.ts'
import * as store from './store.ts'

type Saved = { textId: number; status: Approval }
type Wanted = { textId?: number | undefined; textName: string; smsText: string }

/** A changed text needs approval again where texts do; a changed name does not. */
export async function saveText(ctx: Ctx, { textId, textName: name, smsText: text }: Wanted): Promise<Saved> {
  const { app, viewer } = ctx
  const accountId = viewer.userId
  return app.db.transaction().execute(async (tx) => {
    await store.lockAccount(tx, accountId)
    const before = textId === undefined ? null : await store.lock(tx, ownScope(viewer), textId)
    if (before === undefined) throw new AppError('not_found')
    const named = await store.idOfName(tx, accountId, name)
    if (named !== undefined && named !== textId) throw conflict('textName', words.taken(name), 'taken')
    const saved = before
      ? await rewrite(tx, before, { name, text, at: app.clock.now() })
      : await insert(tx, accountId, { name, text })
    await audit(tx, ctx, 'text.save', `text ${saved.textId}`, { name, status: approvalLabel[saved.status] })
    return saved
  })
}

async function insert(tx: Tx, accountId: number, { name, text }: { name: string; text: string }): Promise<Saved> {
  if ((await store.count(tx, accountId)) >= savedTextsMax) throw conflict('textName', words.tooMany, 'quota')
  const status = await statusOf(tx, accountId, text)
  return { textId: await store.insert(tx, { accountId, name, text, status }), status }
}

type Change = { name: string; text: string; at: Date }

async function rewrite(tx: Tx, before: store.SavedText, { name, text, at }: Change): Promise<Saved> {
  if (name !== before.name) await store.rename(tx, before.id, name, at)
  if (text === before.text) return { textId: before.id, status: before.status }
  const status = await statusOf(tx, before.account_id, text)
  await store.rewrite(tx, before.id, { text, status, at })
  return { textId: before.id, status }
}

/** A text that was once rejected needs another decision, whatever the settings say now. */
async function statusOf(tx: Tx, accountId: number, text: string): Promise<Approval> {
  const isRejected = (await store.standingOf(tx, accountId, text))?.status === 'rejected'
  return isRejected || (await causeIn(tx, accountId, text)) ? 'pending' : 'approved'
}

async function causeIn(tx: Tx, accountId: number, text: string): Promise<Cause | null> {
  return causeOf(text, await store.accountTypeOf(tx, accountId), await settingOf(tx, 'textApproval'))
}

export async function approvalOf({ app, viewer }: Ctx): Promise<{ accountType: AccountType; approval: TextApproval }> {
  return app.db.transaction().execute(async (tx) => ({
    accountType: await store.accountTypeOf(tx, viewer.userId),
    approval: await settingOf(tx, 'textApproval'),
  }))
}

/** The viewer's own, or any as super admin. Approval is of the text, not the name, so it outlives the deletion. */
export async function deleteText(ctx: Ctx, textId: number): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute(async (tx) => {
    const text = await store.lock(tx, scopeOf(viewer), textId)
    if (!text) throw new AppError('not_found')
    if (text.account_id !== viewer.userId && viewer.role !== 'superAdmin') throw new AppError('not_allowed')
    await store.markDeleted(tx, textId, app.clock.now())
    await audit(tx, ctx, 'text.delete', `text ${textId}`, { name: text.name, ownerId: text.account_id })
  })
}

export type Decision = { textId: number; status: 'approved' | 'rejected'; isUrgent?: boolean; reason: string | null }

/** A pending text is approved or rejected; an approved one may be rejected later. Of two equal concurrent decisions, one gets 409. */
export async function decideText(ctx: Ctx, decision: Decision): Promise<void> {
  const { app, viewer } = ctx
  const { textId, status, isUrgent = false, reason } = decision
  await app.db.transaction().execute(async (tx) => {
    const text = await store.lock(tx, scopeOf(viewer), textId)
    if (!text) throw new AppError('not_found')
    const isDecided = text.status === status && text.is_urgent === isUrgent && text.decided_by !== null
    if (isDecided) throw conflict('textId', words.decided(approvalLabel[text.status]), 'decided')
    await store.decide(tx, { textId, status, isUrgent, reason, byUserId: viewer.userId, at: app.clock.now() })
    const kind = status === 'approved' ? 'textApproved' : 'textRejected'
    await giveNotice(tx, { userId: text.account_id, kind, subjectId: textId, about: text.name, reason })
    const action = status === 'approved' ? 'text.approve' : 'text.reject'
    const { name, account_id: ownerId } = text
    await audit(tx, ctx, action, `text ${textId}`, { name, ownerId, reason, ...(isUrgent && { urgent: true }) })
  })
}

/**
 * Throws 400 naming `field` when a super admin rejected this text, or it needs an approval that it does not have. The text is approved
 * together with its placeholders.
 */
export async function requireApprovedText(tx: Tx, accountId: number, text: string, field = 'smsText'): Promise<void> {
  const rule = {
    accountType: await store.accountTypeOf(tx, accountId),
    approval: await settingOf(tx, 'textApproval'),
  }
  const { refusal } = await standingOf(tx, accountId, text, rule)
  if (refusal !== null) throw badField(field, refusal.text, refusal.code)
}

type Rule = { accountType: AccountType; approval: TextApproval }
type Standing = { refusal: { text: string; code: 'rejected' | 'not_approved' } | null; isUrgent: boolean }

/** Why a text may not be sent, and whether a super admin approved it as urgent: its messages leave at any hour. */
export async function standingOf(db: Db, accountId: number, text: string, rule: Rule): Promise<Standing> {
  const standing = await store.standingOf(db, accountId, text.trim())
  if (standing?.status === 'rejected')
    return { refusal: { text: words.rejected(standing.name), code: 'rejected' }, isUrgent: false }
  if (standing?.status === 'approved' && standing.decided_by !== null)
    return { refusal: null, isUrgent: standing.is_urgent }
  const cause = causeOf(text, rule.accountType, rule.approval)
  if (!cause) return { refusal: null, isUrgent: false }
  const isPending = standing?.status === 'pending'
  const why = isPending ? words.pending(standing.name) : words.needsApproval(cause)
  return { refusal: { text: why, code: 'not_approved' }, isUrgent: false }
}

/** Of all accounts, counted up to 100. */
export function waitingTexts(db: Db): Promise<number> {
  return store.countPending(db)
}
