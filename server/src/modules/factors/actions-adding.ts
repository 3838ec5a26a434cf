import type { App } from '../../app.ts'
import { queueJob } from '../../db/jobs/jobs.ts'
import type { Db, Tx } from '../../db/db.ts'
import { conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { lockOwn } from '../../db/open-session.ts'
import type { Viewer } from '../../policy.ts'
import { hashOf, isSameText } from '../../lib/secrets.ts'
import { audit } from '../audit/actions.ts'
import { countCodeMail } from '../mail/actions.ts'
import { confirmedReaderOf, tellOfSecurity, type SecurityEvent } from '../security/actions.ts'
import * as rules from './rules.ts'
import * as passkeys from './store-passkeys.ts'
import * as store from './store.ts'

/** From where somebody acts, as the owner is told. */
export type Acting = Ctx & { from: NonNullable<SecurityEvent['from']> }

/** `isKnown`: the browser. `company`: whose account it is, as an app or an authenticator shows it. */
export type Beginning = { isKnown: boolean; company: string }

export async function hasAnyFactor(db: Db, userId: number): Promise<boolean> {
  if (await store.totpOf(db, userId)) return true
  return (await passkeys.passkeysOf(db, userId)).length > 0
}

type Begun = { token: string; kind: 'totp' | 'passkey'; secretSealed?: string; rpId?: string }

/**
 * It belongs to the session that asks: others of the account, a thief's perhaps, neither end it nor go on with it.
 *
 * Whoever stole a password would add a factor first and shut the owner out. So in a browser that is not known, the first one also needs a code that is
 * mailed to the confirmed address, if there is one. Returns whether it does.
 */
export async function beginAdding(
  app: Pick<App, 'clock' | 'jobs' | 'mail'>,
  tx: Tx,
  viewer: Viewer,
  { isKnown, token, ...begun }: Pick<Beginning, 'isKnown'> & Begun,
): Promise<boolean> {
  const now = app.clock.now()
  const tokenHash = hashOf(token)
  const { userId, sessionId } = viewer
  await lockOwn(tx, viewer)
  if (sessionId !== undefined) await store.deleteBeginningsBeyond(tx, sessionId, rules.begunAtOnce - 1)
  const isFirst = !(await hasAnyFactor(tx, userId))
  const isMailed = isFirst && !isKnown && app.mail !== null && (await confirmedReaderOf(tx, userId)) !== undefined
  const lifeMs = begun.kind === 'totp' || isMailed ? rules.addingMs : rules.ticketMs
  const expiresAt = new Date(now.getTime() + lifeMs)
  const whose = { userId, ...(sessionId !== undefined && { sessionId }) }
  await store.insertCeremony(tx, { tokenHash, ...whose, ...begun, isMailed, expiresAt })
  if (isMailed) {
    if (!(await countCodeMail(tx, userId, now))) throw conflict('mailCode', rules.noMoreCodes, 'mails_used_up')
    await queueJob(app.jobs, tx, 'factor-mail', { userId, tokenHash: tokenHash.toString('hex') })
  }
  return isMailed
}

/** Whether it is the code that was mailed, or none was. */
export function isMailedCode({ isMailed, mailHash }: store.Ceremony, mailCode: string | undefined): boolean {
  if (!isMailed) return true
  return mailCode !== undefined && isSameText(mailHash?.toString('hex') ?? '', hashOf(mailCode).toString('hex'))
}

export async function toldOf(tx: Tx, ctx: Acting, action: string): Promise<void> {
  const { app, viewer, from } = ctx
  await tellOfSecurity(app, tx, { kind: 'factorChanged', userId: viewer.userId, from })
  await audit(tx, ctx, action, `user ${viewer.userId}`)
}
