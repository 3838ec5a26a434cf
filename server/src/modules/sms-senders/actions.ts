import { campaignStatusLabel } from '@ghanti/contract/campaign-status.ts'
import type { Operator } from '@ghanti/contract/operators.ts'
import type { Approval } from '@ghanti/contract/sms-approval.ts'
import { codesOf, operatorsOf, sendersMax } from '@ghanti/contract/sms-senders.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { giveNotice } from '../notices/actions.ts'
import { senderWords as words } from './rules.ts'
import * as store from './store.ts'

/** Pending until a super admin decides. */
export async function askForSender(ctx: Ctx, name: string): Promise<number> {
  const { app, viewer } = ctx
  return app.db.transaction().execute(async (tx) => {
    await store.lockAccount(tx, viewer.userId)
    if (await store.holdByName(tx, viewer.userId, name)) throw conflict('cliName', words.taken(name), 'taken')
    if ((await store.count(tx, viewer.userId)) >= sendersMax) throw conflict('cliName', words.tooMany, 'quota')
    const senderId = await store.insert(tx, viewer.userId, name)
    await audit(tx, ctx, 'sender.ask', `sender ${senderId}`, { name })
    return senderId
  })
}

type Approved = { operators: readonly Operator[]; tps?: number | undefined }

/** For exactly these operators and at this rate, replacing any earlier decision. */
export async function approveSender(ctx: Ctx, senderId: number, wanted: Approved): Promise<void> {
  const operators = codesOf(wanted.operators)
  const tps = wanted.tps ?? null
  await decide(ctx, senderId, async (tx, sender) => {
    const isSame = sender.status === 'approved' && String(sender.operators) === String(operators) && sender.tps === tps
    if (isSame) throw conflict('cliId', words.alreadySo, 'decided')
    await store.decide(tx, { ...decisionOf(ctx, senderId), status: 'approved', operators, tps, reason: null })
    const detail = { name: sender.name, ownerId: sender.account_id, operators: operatorsOf(operators), tps }
    await audit(tx, ctx, 'sender.approve', `sender ${senderId}`, detail)
    return { kind: 'senderApproved', reason: null }
  })
}

/** Also rejects an approved one: an operator may have withdrawn it. */
export async function rejectSender(ctx: Ctx, senderId: number, reason: string): Promise<void> {
  await decide(ctx, senderId, async (tx, sender) => {
    if (sender.status === 'rejected') throw conflict('cliId', words.alreadyRejected, 'decided')
    await store.decide(tx, { ...decisionOf(ctx, senderId), status: 'rejected', operators: [], tps: null, reason })
    await audit(tx, ctx, 'sender.reject', `sender ${senderId}`, {
      name: sender.name,
      ownerId: sender.account_id,
      reason,
    })
    return { kind: 'senderRejected', reason }
  })
}

const decisionOf = ({ app, viewer }: Ctx, senderId: number) => ({
  senderId,
  byUserId: viewer.userId,
  at: app.clock.now(),
})

type Decision = { kind: 'senderApproved' | 'senderRejected'; reason: string | null }

async function decide(ctx: Ctx, senderId: number, act: (tx: Tx, sender: store.Sender) => Promise<Decision>) {
  await ctx.app.db.transaction().execute(async (tx) => {
    const sender = await store.lock(tx, scopeOf(ctx.viewer), senderId)
    if (!sender) throw new AppError('not_found')
    const decision = await act(tx, sender)
    await giveNotice(tx, { userId: sender.account_id, subjectId: senderId, about: sender.name, ...decision })
  })
}

/** The viewer's own, or any as super admin, unless an unfinished campaign uses it. Sent messages keep its name. */
export async function deleteSender(ctx: Ctx, senderId: number): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute(async (tx) => {
    const sender = await store.lock(tx, scopeOf(viewer), senderId)
    if (!sender) throw new AppError('not_found')
    if (sender.account_id !== viewer.userId && viewer.role !== 'superAdmin') throw new AppError('not_allowed')
    const uses = await store.unfinishedUses(tx, sender)
    if (uses.length > 0) {
      const names = uses.map((use) => `'${use.name}' (${campaignStatusLabel[use.status]})`).join(', ')
      throw conflict('cliId', words.inUse(names), 'in_use')
    }
    await store.markDeleted(tx, senderId, app.clock.now())
    await audit(tx, ctx, 'sender.delete', `sender ${senderId}`, { name: sender.name, ownerId: sender.account_id })
  })
}

export type UsableSender = { senderId: number; name: string; operators: number[] }

/** The account's approved sender ID, on which nobody can decide until `tx` ends. Throws 400 naming `field` when there is none. */
export async function requireSender(tx: Tx, accountId: number, name: string, field = 'cli'): Promise<UsableSender> {
  return requireUsable(await store.holdByName(tx, accountId, name), field)
}

type Known = { id: number; name: string; status: Approval; operators: number[] }

/** Throws 400 naming `field` unless this is an approved sender ID. */
export function requireUsable(sender: Known | undefined, field: string): UsableSender {
  if (!sender) throw badField(field, words.notYours, 'not_found')
  if (sender.status !== 'approved') throw badField(field, words[sender.status](sender.name), 'not_approved')
  return { senderId: sender.id, name: sender.name, operators: sender.operators }
}

/** Of all accounts, counted up to 100. */
export function waitingSenders(db: Db): Promise<number> {
  return store.countPending(db)
}
