import { createHmac, randomBytes } from 'node:crypto'
import type { InputOf, ReplyOf } from '@ghanti/contract/route.ts'
import { summaryAddressesMax, type SummaryAddress, type summaryMailRoutes } from '@ghanti/contract/summary-mails.ts'
import { nepalDayOf, nepalTimeOf } from '@ghanti/contract/time.ts'
import type { App } from '../../app.ts'
import { queueJob } from '../../db/jobs/jobs.ts'
import type { Tx } from '../../db/db.ts'
import { isMailAddress } from '../../drivers/mail/driver.ts'
import { badField, conflict } from '../../errors.ts'
import type { Ctx, Origin } from '../../http/types.ts'
import { deriveKey, hashOf, isSameText } from '../../lib/secrets.ts'
import { audit } from '../audit/actions.ts'
import { countAskedLink, countedSummaries, isOwnConfirmed } from '../mail/actions.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

const mailsShown = 20
const namedMax = 50
const dayMs = 24 * 3600_000

type Settings = ReplyOf<typeof summaryMailRoutes.read>

export async function readChoice({ app, viewer: { userId } }: Ctx): Promise<Settings> {
  const [choice, addresses, mails, mailsToday] = await Promise.all([
    store.choiceOf(app.db, userId),
    store.addressesOf(app.db, userId),
    store.lastMails(app.db, userId, mailsShown),
    countedSummaries(app, userId),
  ])
  return {
    isSent: app.mail !== null,
    dailyHour: choice?.dailyHour ?? null,
    onCompletion: choice?.onCompletion ?? false,
    formats: choice?.formats ?? 'pdf',
    language: choice?.language ?? null,
    calendar: choice?.calendar ?? null,
    addresses: addresses.map(({ id, address, ...times }) => ({ addressId: id, address, state: stateOf(times) })),
    mails: mails.map(({ id, name, queued_at, ...mail }) => ({
      mailId: id,
      campaignName: name,
      time: nepalTimeOf(queued_at),
      ...mail,
    })),
    mailsToday,
  }
}

function stateOf(address: Pick<store.Address, 'confirmed_at' | 'stopped_at'>): SummaryAddress['state'] {
  if (address.stopped_at) return 'stopped'
  return address.confirmed_at ? 'confirmed' : 'waiting'
}

/** The first daily mail goes out at the next occurrence of the chosen hour. */
export async function saveChoice(ctx: Ctx, { dailyHour, ...chosen }: InputOf<typeof summaryMailRoutes.save>) {
  const { app, viewer } = ctx
  const now = app.clock.now()
  const isOver = dailyHour !== undefined && dailyHour <= rules.hourOf(nepalTimeOf(now))
  const choice = { ...chosen, dailyHour: dailyHour ?? null }
  await app.db.transaction().execute(async (tx) => {
    await store.saveChoice(tx, viewer.userId, choice, isOver ? nepalDayOf(now) : null)
    await audit(tx, ctx, 'summary.choose', `user ${viewer.userId}`, choice)
  })
}

/** The account's own mail address, if its owner confirmed it, needs no confirmation here; any other address is sent a link. */
export async function addAddress(ctx: Ctx, address: string): Promise<number> {
  const { app, viewer } = ctx
  const { userId } = viewer
  if (!app.mail) throw conflict('address', 'gets no link: this server sends no mail', 'no_mail')
  if (!isMailAddress(address)) throw badField('address', 'must be a mail address, like name@example.com')
  const confirmed = await isOwnConfirmed(app.db, userId, address)
  return await app.db.transaction().execute(async (tx) => {
    await store.lockAddresses(tx, userId)
    await requireMayAsk(app, tx, userId, address)
    const at = app.clock.now()
    const addressId = await store.putAddress(tx, { userId, address, at, confirmed })
    await audit(tx, ctx, 'summary.address.add', `user ${userId}`, { emailid: address })
    if (!confirmed) {
      if (!(await countAskedLink(tx, { userId, emailid: address }, at)))
        throw conflict('address', 'gets no more links today: try again tomorrow', 'too_many')
      await queueJob(app.jobs, tx, 'summary-address', { addressId })
    }
    return addressId
  })
}

async function requireMayAsk(app: App, tx: Tx, userId: number, address: string): Promise<void> {
  const now = app.clock.now().getTime()
  const known = await store.findAddress(tx, userId, address)
  if (known?.stopped_at && now - known.stopped_at.getTime() < rules.stoppedDays * dayMs)
    throw conflict('address', `wants no more: it can be asked again after ${rules.stoppedDays} days`, 'stopped')
  const isShown = known?.removed_at === null
  if (isShown && known.confirmed_at) throw conflict('address', 'is confirmed already', 'confirmed')
  if (known && !known.confirmed_at && now - known.asked_at.getTime() < rules.againAfterMs)
    throw conflict('address', 'was sent a link within five minutes: look into the mailbox', 'too_many')
  if (!isShown && (await store.addressesOf(tx, userId)).length >= summaryAddressesMax)
    throw conflict('address', `is one too many: an account has at most ${summaryAddressesMax}`, 'too_many')
  if (!known && (await store.countNamed(tx, userId)) >= namedMax)
    throw conflict('address', 'is one too many: this account has named too many addresses', 'too_many')
}

export async function removeAddress(ctx: Ctx, addressId: number): Promise<boolean> {
  const { app, viewer } = ctx
  return await app.db.transaction().execute(async (tx) => {
    const removed = await store.removeAddress(tx, viewer.userId, addressId, app.clock.now())
    if (removed) await audit(tx, ctx, 'summary.address.remove', `user ${viewer.userId}`)
    return removed
  })
}

/** The job: creates a link and mails it. Only the mail contains the link, so a retried job creates another. */
export async function sendAddressLink(app: App, { addressId }: { addressId: number }): Promise<void> {
  const waiting = await store.waitingAddress(app.db, addressId)
  if (!app.mail || !waiting) return
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(app.clock.now().getTime() + rules.confirmDays * dayMs)
  await store.insertLink(app.db, { tokenHash: hashOf(token), addressId, expiresAt })
  await app.mail.send({ to: waiting.address, ...rules.confirmMail(consoleLink(app, `summary-mails/yes/${token}`)) })
}

export function consoleLink({ config: { publicUrl, basePath } }: Pick<App, 'config'>, path: string): string {
  return `${publicUrl}${basePath}/${path}`
}

/** Whoever has the link can read mails to the address. Throws 400, with the reason, for a link that no longer works. */
export async function confirmAddress(app: App, token: string, origin: Origin): Promise<void> {
  const now = app.clock.now()
  await app.db.transaction().execute(async (tx) => {
    const link = await store.findLink(tx, hashOf(token))
    if (!link) throw badField('token', 'is not one of our links: open the one in the mail', 'no_link')
    if (link.usedAt) throw badField('token', 'has already been used: each link works once', 'used')
    if (link.expiresAt <= now) throw badField('token', 'has expired: ask the account for another one', 'late')
    if (!link.isOfNow) throw badField('token', 'is for an address that the account does not have any more', 'changed')
    await store.confirm(tx, link.addressId, now)
    await audit(tx, { viewer: { userId: link.userId }, origin }, 'summary.address.confirm', `user ${link.userId}`)
  })
}

/** The token of the unsubscribe link in every mail to an address. It never changes, is not stored, and cannot be forged. */
export function stopToken(app: Pick<App, 'config'>, addressId: number): string {
  const mac = createHmac('sha256', deriveKey(app.config.secret, 'summary mails stop')).update(String(addressId))
  return `${addressId}-${mac.digest('base64url')}`
}

/** Ends mails to the address. Needs no session, and may be repeated, which leaves no further line. */
export async function stopMails(app: App, token: string, origin: Origin): Promise<void> {
  const [, digits = ''] = /^(\d{1,9})-/.exec(token) ?? []
  const addressId = Number(digits)
  const noLink = () => badField('token', 'is not one of our links: open the one in the mail', 'no_link')
  if (digits === '' || !isSameText(token, stopToken(app, addressId))) throw noLink()
  await app.db.transaction().execute(async (tx) => {
    const stopped = await store.stop(tx, addressId, app.clock.now())
    if (!stopped) throw noLink()
    if (stopped.isRepeated) return
    await audit(tx, { viewer: { userId: stopped.userId }, origin }, 'summary.address.stop', `user ${stopped.userId}`)
  })
}

/** Called from time to time by one process of any role. */
export async function forgetOldSummaryMails({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => new Date(clock.now().getTime() - days * dayMs)
  await store.deleteOld(db, {
    mailsBefore: before(rules.keptDays),
    linksBefore: before(rules.keptDays / 3),
    dueBefore: before(1),
  })
}
