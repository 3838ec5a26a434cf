import { messages } from '@ghanti/contract/messages.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import type { noticeRoutes } from '@ghanti/contract/notices.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../db/db.ts'
import { isMailAddress } from '../../drivers/mail/driver.ts'
import { AppError, badField } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import type { Viewer } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { isFull } from '../mail/actions.ts'
import { everyChoice, kindNotForRole } from './rules.ts'
import * as mailStore from './store-mail.ts'
import * as store from './store.ts'

const keptMs = 90 * 24 * 3600_000
const deletedAtOnce = 5000

/**
 * Gives notice of what `tx` does. For the engine's statements (campaigns, balances, trunks) and reports, triggers do this: see
 * server/schema/17_notices.sql.
 */
export function giveNotice(tx: Tx, notice: store.NewNotice): Promise<void> {
  return store.give(tx, notice)
}

type Changed = { id: number; username: string; parentId: number | null; parentRole: Role | null }

/** Notifies the parent when a super admin changes an account below it. Accounts further above read it in the audit log. */
export async function notifyAccountBetween(tx: Tx, by: Viewer, account: Changed, done: string): Promise<void> {
  const { id, username, parentId, parentRole } = account
  if (by.role !== 'superAdmin' || parentRole !== 'reseller' || parentId === null) return
  await store.give(tx, { userId: parentId, kind: 'childChanged', subjectId: id, about: username, reason: done })
}

export function unreadNoticesOf(db: Db, userIds: readonly number[]): Promise<store.UnreadNotices[]> {
  return store.unreadNoticesOf(db, userIds)
}

export async function readNotice({ app, viewer }: Ctx, noticeId: number): Promise<void> {
  if (!(await store.markRead(app.db, viewer.userId, noticeId, app.clock.now()))) throw new AppError('not_found')
}

export function readAllNotices({ db, clock }: Pick<App, 'db' | 'clock'>, userId: number): Promise<void> {
  return store.markAllRead(db, userId, clock.now())
}

/** Where notices are mailed; null when the account has no address or this server sends no mail. */
async function mailAddress({ app, viewer }: Ctx): Promise<{ address: string; confirmed: boolean } | null> {
  const reader = app.mail ? await mailStore.findReader(app.db, viewer.userId) : undefined
  return reader && isMailAddress(reader.address) ? reader : null
}

export async function choicesOf(ctx: Ctx) {
  const { app, viewer } = ctx
  const mail = await mailAddress(ctx)
  const limit = viewer.role === 'superAdmin' ? null : await store.lowBalanceLimit(app.db, viewer.userId)
  return {
    choices: everyChoice(viewer.role, await store.choicesOf(app.db, viewer.userId)),
    lowBalanceLimit: limit === null ? null : rupeesOf(limit),
    mailAddress: mail?.address ?? null,
    mailConfirmed: mail?.confirmed ?? false,
    mailsUsedUp: await isFull(app, viewer.userId),
    mailLanguage: await mailStore.mailLanguage(app.db, viewer.userId),
  }
}

type Choices = InputOf<typeof noticeRoutes.choose>

export async function choose(ctx: Ctx, { choices, lowBalanceLimit: rupees, mailLanguage }: Choices): Promise<string> {
  const { app, viewer } = ctx
  const notForRole = kindNotForRole(viewer.role, choices)
  if (notForRole)
    throw badField('choices', `has '${notForRole}', which this account is not notified about, or has it twice`)
  if (choices.some(({ byMail }) => byMail) && (await mailAddress(ctx)) === null)
    throw badField('choices', 'cannot be by mail: the account has no mail address, or this server sends no mail')
  if (rupees !== undefined && viewer.role === 'superAdmin')
    throw badField('lowBalanceLimit', 'is for accounts with a balance')
  await app.db.transaction().execute(async (tx) => {
    await store.setChoices(tx, viewer.userId, choices)
    if (rupees !== undefined) await store.setLowBalanceLimit(tx, viewer.userId, rupees * 100)
    if (mailLanguage) await mailStore.setMailLanguage(tx, viewer.userId, mailLanguage)
    const detail = {
      choices,
      ...(rupees === undefined ? {} : { lowBalanceLimit: rupees }),
      ...(mailLanguage && { mailLanguage }),
    }
    await audit(tx, ctx, 'notices.choose', `user ${viewer.userId}`, detail)
  })
  return messages.success
}

/** Deletes notices older than 90 days. One process of any role calls it now and then. */
export async function forgetOldNotices({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const than = new Date(clock.now().getTime() - keptMs)
  while ((await store.deleteOlder(db, than, deletedAtOnce)) === deletedAtOnce);
}
