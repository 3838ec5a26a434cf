import { randomBytes } from 'node:crypto'
import { messages } from '@ghanti/contract/messages.ts'
import type { App } from '../../app.ts'
import { queueJob } from '../../db/jobs/jobs.ts'
import { isMailAddress } from '../../drivers/mail/driver.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Origin } from '../../http/types.ts'
import { hashOf } from '../../lib/secrets.ts'
import { audit } from '../audit/actions.ts'
import { askToConfirm, countCodeMailsAnew, countResetMail } from '../mail/actions.ts'
import { freezeByOwner, liftByOwner } from '../frozen/actions.ts'
import { forgetNotMeLinks, tellOfSecurity, useNotMeLink } from '../security/actions.ts'
import { revokeKeys, switchOffHooks, workingKeys } from '../keys/actions-revoke.ts'
import { hashPassword, requireStrong } from './actions-passwords.ts'
import { fromOf } from './actions-new-browser.ts'
import { deviceCookie, deviceOf } from './actions-device.ts'
import { countReset, forgiveTries, hashOfName, mailTime } from './actions-throttle.ts'
import { endSessions } from './actions.ts'
import { voidPassword } from './store.ts'
import * as rules from './rules.ts'
import { resetMail } from './rules-reset.ts'
import * as store from './store-reset.ts'

const notConfirmed =
  'has a mail address that nobody has confirmed: a link that confirms it goes there, then ask for the reset link again'
type Asker = { origin: Origin; cookie: string | null }

/**
 * Queues the mail with the link and returns the seconds until it is sent. An unconfirmed address gets the link that confirms it instead.
 * However many people ask, the owner still gets a mail (docs/adr/7). An unknown name takes the same steps and the same time; 'Wrong
 * username' reveals it only where the installation allows that (docs/api.md#passwords), and not to a network that has asked about many
 * names.
 */
export async function requestReset(app: App, username: string, { origin, cookie }: Asker): Promise<number> {
  if (!app.mail)
    throw conflict('username', 'gets no link: this server sends no mail, ask who gave you the account', 'no_mail')
  const recipient = await store.findByName(app.db, username)
  const reached = recipient?.live && isMailAddress(recipient.emailid) ? recipient : undefined
  const mailed = reached?.confirmed ? reached : undefined
  const askedTooMuch = await countReset(app.db, origin.ip)
  const device = recipient ? deviceOf(app, cookie, recipient) : null
  const name = recipient?.username ?? (askedTooMuch ? '' : username) // all unknown names count as one
  const who = device ? `device ${device}` : `name ${hashOfName(name)}`
  const { queue, inSeconds } = await mailTime(app.db, reached && !mailed ? `${who} to confirm` : who)
  if (queue) {
    const now = app.clock.now().getTime()
    const request = { userId: mailed?.userId ?? null, askedAt: new Date(now + inSeconds * 1000).toISOString() }
    await app.db.transaction().execute(async (tx) => {
      await queueJob(app.jobs, tx, 'reset-mail', request, { inSeconds })
      if (reached && !mailed) await askToConfirm(tx, { userId: reached.userId, causedBy: reached.userId })
      const target = recipient ? `user ${recipient.userId}` : null
      await audit(tx, { viewer: null, origin }, 'password.resetAsked', target, { username })
    })
  }
  if (mailed || app.config.resetHidesAccounts || askedTooMuch) return inSeconds
  if (reached) throw badField('username', notConfirmed, 'not_confirmed')
  if (recipient && !recipient.live)
    throw new AppError('not_allowed', [{ field: 'username', code: 'disabled', text: 'is disabled: no link is sent' }])
  if (recipient) throw badField('username', 'has no mail address, ask who gave you the account', 'no_address')
  throw badField('username', messages.wrongUsername, 'unknown')
}

/**
 * The job: creates a link and mails it. The link exists only in the mail, so a retried job creates another. It gives up once a link created
 * at the request would have expired.
 */
export async function sendResetMail(app: App, { userId, askedAt }: { userId: number | null; askedAt: Date }) {
  const now = app.clock.now()
  if (userId === null || !app.mail || now.getTime() - askedAt.getTime() > rules.resetLinkMs) return
  const recipient = await store.findRecipient(app.db, userId)
  if (!recipient?.live || !recipient.confirmed) return
  const { token, tokenHash, expiresAt } = newLink(now)
  const isAllowed = await app.db.transaction().execute(async (tx) => {
    // Beyond the daily number a link is sent only while no earlier one works, so nobody can use up the owner's links.
    if (!(await countResetMail(tx, userId, now)) && (await store.hasOpen(tx, userId, now))) return false
    return store.insert(tx, { tokenHash, to: recipient, expiresAt })
  })
  if (!isAllowed) return
  const { publicUrl, basePath } = app.config
  const link = `${publicUrl}${basePath}/update-pwd/${token}`
  await app.mail.send({ to: recipient.emailid, ...resetMail({ username: recipient.username, link }) })
}

function newLink(now: Date): { token: string; tokenHash: Buffer; expiresAt: Date } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashOf(token), expiresAt: new Date(now.getTime() + rules.resetLinkMs) }
}

/**
 * What sets the password of an account that has none, for whoever has just confirmed its address. Undefined for one that has a password: that is changed
 * by a link that its owner asks for.
 */
export async function invitedBy(app: App, userId: number): Promise<{ username: string; token: string } | undefined> {
  const recipient = await store.findRecipient(app.db, userId)
  if (!recipient?.live || recipient.hasPassword) return undefined
  const { token, tokenHash, expiresAt } = newLink(app.clock.now())
  const isLinked = await app.db.transaction().execute((tx) => store.insert(tx, { tokenHash, to: recipient, expiresAt }))
  return isLinked ? { username: recipient.username, token } : undefined
}

/**
 * Whoever holds the mail owns the account: sets the password, ends every session and voids every other link. Returns the browser's cookie,
 * so that strangers' failures do not delay the next sign-in, and how many keys for programs go on. Tries are not counted: tokens cannot be guessed, and a count per network would
 * let a neighbour lock the owner out.
 */
export async function resetPassword(
  app: App,
  { token, password, cookie }: { token: string; password: string; cookie: string | null },
  origin: Origin,
): Promise<{ device: string; keys: number }> {
  const tokenHash = hashOf(token)
  const now = app.clock.now()
  const ownerId = await store.ownerOf(app.db, tokenHash, now)
  if (ownerId === undefined) throw noLink() // before the expensive hash
  await requireStrong(app.db, ownerId, password, { linkOf: ownerId })
  const passwordHash = await hashPassword(password, ownerId)
  const { owner, keys } = await app.db.transaction().execute(async (tx) => {
    const userId = await store.use(tx, ownerId, tokenHash, now)
    const changed = userId === undefined ? undefined : await store.setPassword(tx, userId, passwordHash)
    if (!changed) throw noLink()
    await liftByOwner(tx, changed.userId)
    await endSessions(tx, changed.userId)
    await forgiveTries(tx, changed.username)
    await forgetNotMeLinks(tx, changed.userId)
    await countCodeMailsAnew(tx, changed.userId)
    const keys = await workingKeys(tx, changed.userId, now)
    await tellOfSecurity(app, tx, { kind: 'passwordChanged', userId: changed.userId, from: fromOf(origin), keys })
    await audit(tx, { viewer: changed, origin }, 'password.reset', `user ${changed.userId}`, { by: 'mail' })
    return { owner: changed, keys }
  })
  return { device: deviceCookie(app, cookie, owner), keys }
}

/**
 * 'It was not me', by the link of a mail about the account's security: all sessions end, the password is void, and the link for another goes to the
 * confirmed address, or, where that is not confirmed, the link that confirms it. The account above can set one, too.
 */
export async function stopStranger(app: App, token: string, origin: Origin): Promise<void> {
  const now = app.clock.now()
  await app.db.transaction().execute(async (tx) => {
    const userId = await useNotMeLink(tx, token, now)
    const recipient = userId === undefined ? undefined : await store.findRecipient(tx, userId)
    if (!recipient) throw badField('token', 'is no longer valid: each link works once, within seven days', 'no_link')
    await voidPassword(tx, recipient.userId)
    await freezeByOwner(tx, recipient.userId, now)
    const sessions = await endSessions(tx, recipient.userId)
    await revokeKeys(tx, recipient.userId, now)
    await switchOffHooks(tx, recipient.userId)
    if (recipient.confirmed) {
      const request = { userId: recipient.userId, askedAt: now.toISOString() }
      await queueJob(app.jobs, tx, 'reset-mail', request)
    } else await askToConfirm(tx, { userId: recipient.userId, causedBy: recipient.userId })
    await audit(tx, { viewer: recipient, origin }, 'password.void', `user ${recipient.userId}`, { sessions })
  })
}

function noLink() {
  return badField('token', 'is no longer valid: each link works once, within 30 minutes; ask for a new one', 'no_link')
}
