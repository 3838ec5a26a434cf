import { createHash, randomBytes } from 'node:crypto'
import { instantOfNepalTime, nepalDayOf } from '@ghanti/contract/time.ts'
import type { MailState } from '@ghanti/contract/mail.ts'
import type { App } from '../../app.ts'
import { queueJob } from '../../db/jobs/jobs.ts'
import type { Db, Tx } from '../../db/db.ts'
import { isMailAddress } from '../../drivers/mail/driver.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx, Origin } from '../../http/types.ts'
import { hashOf } from '../../lib/secrets.ts'
import { audit } from '../audit/actions.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

const accountKey = (userId: number): string => `account ${userId}`
const resetKey = (userId: number): string => `reset ${userId}`
const addressKey = (emailid: string): string =>
  `to ${createHash('sha256').update(emailid.toLowerCase()).digest('base64url')}`
const dayMs = 24 * 3600_000
const takenAtOnce = 200

/** Asks to have the account's new address confirmed. The mail counts for `causedBy` and for the reseller at the top of their tree. */
export function askToConfirm(tx: Tx, { userId, causedBy }: { userId: number; causedBy: number }): Promise<void> {
  return store.ask(tx, userId, causedBy)
}

/** Queues the links that are due and within the day's limits. The others wait for the next day. */
export async function queueVerifications(app: App): Promise<void> {
  if (!app.mail) return
  const now = app.clock.now()
  const day = nepalDayOf(now)
  await app.db.transaction().execute(async (tx) => {
    await store.lockCounts(tx)
    const late: number[] = []
    const done: store.Due[] = []
    for (const one of await store.due(tx, now, takenAtOnce)) {
      if (isMailAddress(one.emailid)) {
        const limits = limitsOf(one)
        const counted = await store.count(tx, limits, day)
        if (counted.size < limits.length) {
          await store.countBack(tx, [...counted], day)
          late.push(one.userId)
          continue
        }
        await queueJob(app.jobs, tx, 'verification-mail', { userId: one.userId, emailid: one.emailid })
      }
      done.push(one)
    }
    await store.forgetDue(tx, done)
    await store.postpone(tx, late, nextDay(day))
  })
}

function limitsOf({ userId, emailid, causedBy, tree, branch }: store.Due): store.Limit[] {
  const { account, address, caused, causedBySuperAdmin, askedInBranch, askedInTree } = rules.mailsPerDay
  const ofMail = [
    { counted: addressKey(emailid), max: address },
    { counted: accountKey(userId), max: account },
  ]
  if (tree === null) return [...ofMail, { counted: `caused by ${causedBy}`, max: causedBySuperAdmin }]
  if (causedBy !== userId) return [...ofMail, { counted: `caused by ${tree}`, max: caused }]
  return [
    ...ofMail,
    { counted: `asked in branch ${branch ?? tree}`, max: askedInBranch },
    { counted: `asked in tree ${tree}`, max: askedInTree },
  ]
}

function nextDay(day: string): Date {
  const midnight = instantOfNepalTime(`${day} 00:00:00`)
  if (!midnight) throw new Error(`${day} has no midnight`)
  return new Date(midnight.getTime() + dayMs)
}

/** The job: makes a link and mails it. The link is stored nowhere else, so a job that runs again makes a new one. */
export async function sendVerification(app: App, { userId, emailid }: { userId: number; emailid: string }) {
  const account = await store.addressOf(app.db, userId)
  if (!app.mail || !account || account.confirmed || account.emailid !== emailid) return
  const token = randomBytes(32).toString('base64url')
  const sentAt = app.clock.now()
  const expiresAt = new Date(sentAt.getTime() + rules.verificationMs)
  await store.insertLink(app.db, { tokenHash: hashOf(token), userId, emailid, sentAt, expiresAt })
  const { publicUrl, basePath } = app.config
  const page = account.hasPassword ? 'verify-mail' : 'invitation'
  await app.mail.send({
    to: emailid,
    ...rules.verificationMail(`${publicUrl}${basePath}/${page}/${token}`, account),
  })
}

/** Confirms the address of whoever opened the link, and returns the account. A link that does nothing is refused with the reason. */
export function verify(app: App, token: string, origin: Origin): Promise<number> {
  const now = app.clock.now()
  return app.db.transaction().execute(async (tx) => {
    const link = await store.findLink(tx, hashOf(token))
    if (!link) throw badField('token', 'is not one of our links: open the one in the mail', 'no_link')
    if (link.usedAt) throw badField('token', 'has already been used: each link works once', 'used')
    if (link.expiresAt <= now) throw badField('token', 'has expired: sign in and have another link sent', 'late')
    if (!link.isOfNow) throw badField('token', 'is for an address that the account does not have any more', 'changed')
    await store.confirm(tx, link.userId, now)
    await audit(tx, { viewer: { userId: link.userId }, origin }, 'mail.verify', `user ${link.userId}`)
    return link.userId
  })
}

export async function sendAgain({ app, viewer }: Ctx): Promise<void> {
  const { userId } = viewer
  if (!app.mail) throw conflict('emailid', 'gets no link: this server sends no mail', 'no_mail')
  const account = await store.addressOf(app.db, userId)
  if (!account || !isMailAddress(account.emailid))
    throw conflict('emailid', 'is not a mail address: ask who gave you the account', 'no_address')
  if (account.confirmed) throw conflict('emailid', 'is confirmed already', 'confirmed')
  const now = app.clock.now()
  const waitMs = account.lastSentAt ? account.lastSentAt.getTime() + rules.againAfterMs - now.getTime() : 0
  if (waitMs > 0) throw mustWait('was sent a link within five minutes: look into the mailbox', waitMs)
  const day = nepalDayOf(now)
  if ((await store.countedOn(app.db, addressKey(account.emailid), day)) >= rules.mailsPerDay.address)
    throw mustWait('gets three links a day, and no more today', nextDay(day).getTime() - now.getTime())
  await app.db.transaction().execute((tx) => askToConfirm(tx, { userId, causedBy: userId }))
}

function mustWait(text: string, waitMs: number): AppError {
  return new AppError('throttled', [{ field: 'emailid', code: 'too_many', text }], {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  })
}

/** Counts a mail of notices for each of these accounts, and returns those that may get one today. Part of `tx`. */
export async function countNoticeMails(tx: Tx, userIds: readonly number[], now: Date): Promise<Set<number>> {
  await store.lockCounts(tx)
  const limits = userIds.map((userId) => ({ counted: accountKey(userId), max: rules.mailsPerDay.account }))
  const counted = await store.count(tx, limits, nepalDayOf(now))
  return new Set(userIds.filter((userId) => counted.has(accountKey(userId))))
}

/** Counts a link that the account asked for, to whichever address, against the same limits as links to its own. False: a limit of the day is reached. */
export async function countAskedLink(
  tx: Tx,
  { userId, emailid }: { userId: number; emailid: string },
  now: Date,
): Promise<boolean> {
  const limits = limitsOf({ userId, emailid, causedBy: userId, ...(await store.rootsOf(tx, userId)) })
  await store.lockCounts(tx)
  const counted = await store.count(tx, limits, nepalDayOf(now))
  if (counted.size === limits.length) return true
  await store.countBack(tx, [...counted], nepalDayOf(now))
  return false
}

const summariesKey = (userId: number): string => `summaries ${userId}`

/** Counts summaries that are to be mailed for an account, apart from its other mails. Returns how many of them may go today. */
export async function countSummaryMails(
  tx: Tx,
  { userId, mails, max }: { userId: number; mails: number; max: number },
  now: Date,
): Promise<number> {
  await store.lockCounts(tx)
  for (let counted = 0; counted < mails; counted++)
    if ((await store.count(tx, [{ counted: summariesKey(userId), max }], nepalDayOf(now))).size === 0) return counted
  return mails
}

export function countedSummaries({ db, clock }: Pick<App, 'db' | 'clock'>, userId: number): Promise<number> {
  return store.countedOn(db, summariesKey(userId), nepalDayOf(clock.now()))
}

export async function isOwnConfirmed(db: Db, userId: number, emailid: string): Promise<boolean> {
  const own = await store.addressOf(db, userId)
  return own?.confirmed === true && own.emailid.toLowerCase() === emailid.toLowerCase()
}

export async function isFull(app: Pick<App, 'db' | 'clock'>, userId: number): Promise<boolean> {
  const counted = await store.countedOn(app.db, accountKey(userId), nepalDayOf(app.clock.now()))
  return counted >= rules.mailsPerDay.account
}

/**
 * Counts a reset mail, separately from all others, so that nobody can use up somebody else's by causing other mails. False: the day's limit is
 * reached.
 */
export async function countResetMail(tx: Tx, userId: number, now: Date): Promise<boolean> {
  const key = resetKey(userId)
  const counted = await store.count(tx, [{ counted: key, max: rules.mailsPerDay.reset }], nepalDayOf(now))
  return counted.has(key)
}

const codesKey = (userId: number): string => `codes ${userId}`

/** Counts a mail with a code. False: the day's limit is reached. */
export async function countCodeMail(tx: Tx, userId: number, now: Date): Promise<boolean> {
  const key = codesKey(userId)
  const counted = await store.count(tx, [{ counted: key, max: rules.mailsPerDay.codes }], nepalDayOf(now))
  return counted.has(key)
}

/** Whoever reads the mailbox has set another password: those who knew the one before ask for no codes any more. */
export async function countCodeMailsAnew(tx: Tx, userId: number): Promise<void> {
  await store.forgetCount(tx, codesKey(userId))
}

/** Counts a mail that tells an account of its own security, apart from all others. False: the day's limit is reached. */
export async function countSecurityMail(
  tx: Tx,
  { userId, isOfSignIn }: { userId: number; isOfSignIn: boolean },
  now: Date,
): Promise<boolean> {
  const limits = [
    { counted: `security ${userId}`, max: rules.mailsPerDay.security },
    ...(isOfSignIn ? [{ counted: `sign-ins ${userId}`, max: rules.mailsPerDay.signIns }] : []),
  ]
  await store.lockCounts(tx)
  const counted = await store.count(tx, limits, nepalDayOf(now))
  if (counted.size === limits.length) return true
  await store.countBack(tx, [...counted], nepalDayOf(now))
  return false
}

type Address = { emailid: string; confirmed: boolean; waits: boolean }
export function mailStateOf({ emailid, confirmed, waits }: Address): MailState {
  if (!isMailAddress(emailid)) return 'none'
  if (confirmed) return 'confirmed'
  return waits ? 'waiting' : 'unconfirmed'
}

/** Removes links and counts that are no longer needed. One process of any role calls it from time to time. */
export async function forgetOldMails({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await store.deleteOld(db, {
    expiredBefore: new Date(now.getTime() - rules.verificationKeptMs),
    day: nepalDayOf(new Date(now.getTime() - dayMs)),
  })
}
