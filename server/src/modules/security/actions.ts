import { randomBytes } from 'node:crypto'
import { browserNames, systemNames } from '@ghanti/contract/sessions.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { App } from '../../app.ts'
import { queueJob } from '../../db/jobs/jobs.ts'
import type { Db, Tx } from '../../db/db.ts'
import { isMailAddress } from '../../drivers/mail/driver.ts'
import { hashOf } from '../../lib/secrets.ts'
import { countSecurityMail } from '../mail/actions.ts'
import { giveNotice } from '../notices/actions.ts'
import { keysOutlasting, placeOf, programOf, securityMail, notMeLinkMs, type SecurityKind } from './rules.ts'
import * as store from './store.ts'

export type SecurityEvent = {
  kind: SecurityKind
  userId: number
  /** What the notice is about, if it is not the account itself: a session. */
  subjectId?: number
  /** From where it was done; null: by somebody above, whose network is not told. */
  from: { network: string; userAgent: string } | null
  /** With a new password: how many keys of its programs go on. */
  keys?: number
  /** Where the mail goes, if not to the present address: one that its reader had confirmed. */
  to?: string | null
}

type TellingApp = Pick<App, 'jobs' | 'mail' | 'clock'>

/** Tells an account what was done to it: a notice on screen, and a mail to a confirmed address, both of fixed words. Part of `tx`. */
export async function tellOfSecurity(
  app: TellingApp,
  tx: Tx,
  { kind, userId, subjectId = userId, from, keys = 0, to }: SecurityEvent,
): Promise<void> {
  const { browser, system } = programOf(from?.userAgent ?? '')
  const place = placeOf(from?.network ?? '')
  const program = [
    ...(browser === 'other' ? [] : [browserNames[browser]]),
    ...(system === 'other' ? [] : [systemNames[system]]),
  ]
  const about = [...program, place].filter((word) => word !== '').join(' · ')
  await giveNotice(tx, { userId, kind, subjectId, about, reason: keysOutlasting(keys) })
  const address = to === undefined ? await store.confirmedAddress(tx, userId) : to
  if (!app.mail || !address || !isMailAddress(address)) return
  const now = app.clock.now()
  if (!(await countSecurityMail(tx, { userId, isOfSignIn: kind === 'newBrowser' }, now))) return
  const job = { kind, userId, to: address, at: nepalTimeOf(now), place, program: program.join(' · '), keys }
  await queueJob(app.jobs, tx, 'security-mail', job)
}

type MailJob = {
  kind: SecurityKind
  userId: number
  to: string
  at: string
  place: string
  program: string
  /** Absent in a job of the release before. */
  keys?: number
}

/** The job: makes a link 'It was not me' and mails it. A job that runs again makes another. */
export async function sendSecurityMail(app: App, { userId, to, ...said }: MailJob): Promise<void> {
  if (!app.mail) return
  const username = await store.usernameOf(app.db, userId)
  if (username === undefined) return
  const link = await newNotMeLink(app, userId)
  await app.mail.send({ to, ...securityMail({ ...said, username, link }) })
}

/** A link 'It was not me' for a mail. It is stored nowhere else. */
export async function newNotMeLink({ db, clock, config }: App, userId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(clock.now().getTime() + notMeLinkMs)
  await store.insertNotMeLink(db, { tokenHash: hashOf(token), userId, expiresAt })
  return `${config.publicUrl}${config.basePath}/not-me/${token}`
}

/** Null when nobody has confirmed the account's address. */
export function confirmedAddressOf(tx: Tx, userId: number): Promise<string | null> {
  return store.confirmedAddress(tx, userId)
}

/** Whom a mail reaches that only the owner is to read. */
export function confirmedReaderOf(db: Db, userId: number): Promise<{ address: string; username: string } | undefined> {
  return store.confirmedReader(db, userId)
}

/** Uses up a link; undefined when it no longer works. Of any number of uses at once, one succeeds. */
export function useNotMeLink(tx: Tx, token: string, now: Date): Promise<number | undefined> {
  return store.useNotMeLink(tx, hashOf(token), now)
}

/** Once a mailed link has set the password, what earlier mails offer is over. */
export async function forgetNotMeLinks(tx: Tx, userId: number): Promise<void> {
  await store.deleteNotMeLinks(tx, userId)
}

export async function forgetOldNotMeLinks({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  await store.deleteOldNotMeLinks(db, clock.now())
}
