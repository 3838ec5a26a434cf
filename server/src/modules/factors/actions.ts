import { randomBytes, randomInt } from 'node:crypto'
import { codeDigits, wrongCodesMax, type FactorRow } from '@ghanti/contract/factors.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { generateSecret, generateURI } from 'otplib'
import type { App } from '../../app.ts'
import { queueJob } from '../../db/jobs/jobs.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { hashOf, isSameText, seal, unseal } from '../../lib/secrets.ts'
import { audit } from '../audit/actions.ts'
import { countSecurityMail } from '../mail/actions.ts'
import { settingOf } from '../platform/actions.ts'
import { mustHaveFactor } from '../platform/rules.ts'
import { confirmedReaderOf, tellOfSecurity, type SecurityEvent } from '../security/actions.ts'
import { stepOf } from './actions-prove.ts'
import { newRecoveryCodes } from './actions-codes.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

/** From where somebody acts, as the owner is told. */
type Acting = Ctx & { from: NonNullable<SecurityEvent['from']> }

type Factors = { factors: FactorRow[]; recoveryCodes: number | null; isRequired: boolean }

export async function ownFactors({ app, viewer }: Ctx): Promise<Factors> {
  const [totp, recoveryCodes, rule] = await Promise.all([
    store.totpOf(app.db, viewer.userId),
    store.unusedRecoveryCodes(app.db, viewer.userId),
    settingOf(app.db, 'secondFactor'),
  ])
  const factors: FactorRow[] = totp ? [rowOf(totp)] : []
  return { factors, recoveryCodes, isRequired: mustHaveFactor(rule, viewer.role) }
}

function rowOf({ id, addedAt, usedAt }: store.Totp): FactorRow {
  return { factorId: id, kind: 'totp', addedAt: nepalTimeOf(addedAt), usedAt: usedAt && nepalTimeOf(usedAt) }
}

type Begun = { token: string; secret: string; uri: string; mailed: boolean }

/** `isKnown`: the browser. `company`: whose account it is, as the app shows it. */
type Beginning = { isKnown: boolean; company: string }

/**
 * The secret of an authenticator app, which counts from its first code on. Whoever stole a password would add a factor first and shut the owner out.
 * So in a browser that is not known, the first one also needs a code that is mailed to the confirmed address, if there is one.
 */
export async function beginTotp({ app, viewer }: Ctx, { isKnown, company }: Beginning): Promise<Begun> {
  const { userId } = viewer
  const now = app.clock.now()
  const token = randomBytes(32).toString('base64url')
  const tokenHash = hashOf(token)
  const secret = generateSecret()
  const mailed = await app.db.transaction().execute(async (tx) => {
    await store.deleteCeremonies(tx, userId)
    const isFirst = (await store.totpOf(tx, userId)) === undefined
    const isMailed = isFirst && !isKnown && app.mail !== null && (await confirmedReaderOf(tx, userId)) !== undefined
    await store.insertCeremony(tx, {
      tokenHash,
      userId,
      kind: 'totp',
      secretSealed: seal(app.config.secret, rules.secretPurpose(userId), secret),
      isMailed,
      expiresAt: new Date(now.getTime() + rules.addingMs),
    })
    if (isMailed) {
      if (!(await countSecurityMail(tx, { userId, isOfSignIn: true }, now)))
        throw conflict('mailCode', 'cannot be mailed: today’s mails are used up', 'mails_used_up')
      await queueJob(app.jobs, tx, 'factor-mail', { userId, tokenHash: tokenHash.toString('hex') })
    }
    return isMailed
  })
  return { token, secret, uri: generateURI({ issuer: company, label: viewer.username, secret }), mailed }
}

/** The job: a code that exists in the mail alone, so a retried job makes another. */
export async function sendFactorCode(app: App, { userId, tokenHash }: { userId: number; tokenHash: string }) {
  const reader = await confirmedReaderOf(app.db, userId)
  if (!app.mail || !reader) return
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0')
  const open = { tokenHash: Buffer.from(tokenHash, 'hex'), now: app.clock.now() }
  if (!(await store.keepMailedCode(app.db, open, hashOf(code)))) return
  await app.mail.send({ to: reader.address, ...rules.codeMail(reader.username, code) })
}

type Adding = { token: string; code: string; mailCode?: string | undefined }

/** `added`: what follows, in the same transaction. */
export async function addTotp(
  ctx: Acting,
  { token, code, mailCode }: Adding,
  added: (tx: Tx, isFirst: boolean) => Promise<void>,
): Promise<number> {
  const { app, viewer } = ctx
  const { userId } = viewer
  const now = app.clock.now()
  const tokenHash = hashOf(token)
  const open = { tokenHash, kind: 'totp', now, userId } as const
  const begun = await store.takeTry(app.db, open, wrongCodesMax)
  if (!begun?.secretSealed) {
    const isTried = !begun && (await store.isTriedOut(app.db, open, wrongCodesMax))
    throw isTried ? badField('code', rules.addingTriedTooOften, 'tried') : badField('token', rules.addingOver, 'over')
  }
  const { secretSealed } = begun
  const step = await stepOf(unseal(app.config.secret, rules.secretPurpose(userId), secretSealed), code, now)
  const isMailRight =
    !begun.isMailed ||
    (mailCode !== undefined && isSameText(begun.mailHash?.toString('hex') ?? '', hashOf(mailCode).toString('hex')))
  if (step === null || !isMailRight) {
    await audit(app.db, ctx, 'factor.failed', `user ${userId}`)
    if (begun.tries >= wrongCodesMax) throw badField('code', rules.addingTriedTooOften, 'tried')
    throw step === null
      ? badField('code', rules.wrongCode, 'wrong')
      : badField('mailCode', rules.wrongMailCode, 'wrong')
  }
  return app.db.transaction().execute(async (tx) => {
    await store.lockOwner(tx, userId)
    if (!(await store.endCeremony(tx, tokenHash))) throw badField('token', rules.addingOver, 'over')
    const isFirst = (await store.totpOf(tx, userId)) === undefined
    const factorId = await store.putTotp(tx, { userId, secretSealed, step, now })
    await added(tx, isFirst)
    await told(tx, ctx, 'factor.add')
    return factorId
  })
}

/** Once for all: those before work no more. Without another factor they would open nothing. */
export async function makeRecoveryCodes(ctx: Acting): Promise<string[]> {
  const { app, viewer } = ctx
  const codes = newRecoveryCodes()
  await app.db.transaction().execute(async (tx) => {
    await store.lockOwner(tx, viewer.userId)
    if (!(await store.totpOf(tx, viewer.userId)))
      throw conflict('codes', 'need an authenticator app first', 'no_factor')
    await store.replaceRecoveryCodes(tx, viewer.userId, codes.map(hashOf))
    await told(tx, ctx, 'factor.recovery')
  })
  return codes.map(rules.shownRecoveryCode)
}

export async function removeFactor(ctx: Acting, factorId: number): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute(async (tx) => {
    await store.lockOwner(tx, viewer.userId)
    if (!(await store.deleteTotp(tx, viewer.userId, factorId))) throw new AppError('not_found')
    if (mustHaveFactor(await settingOf(tx, 'secondFactor'), viewer.role))
      throw conflict('factorId', rules.lastFactor, 'last')
    await store.deleteRecoveryCodes(tx, viewer.userId)
    await told(tx, ctx, 'factor.remove')
  })
}

async function told(tx: Tx, ctx: Acting, action: string): Promise<void> {
  const { app, viewer, from } = ctx
  await tellOfSecurity(app, tx, { kind: 'factorChanged', userId: viewer.userId, from })
  await audit(tx, ctx, action, `user ${viewer.userId}`)
}

/** All of an account, with what was begun. False: it had none. The caller has locked the account. */
export async function removeFactorsOf(tx: Tx, userId: number): Promise<boolean> {
  const removed = await store.deleteTotp(tx, userId)
  await store.deleteRecoveryCodes(tx, userId)
  await store.deleteCeremonies(tx, userId)
  return removed
}
