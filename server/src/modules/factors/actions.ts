import { randomBytes, randomInt } from 'node:crypto'
import { codeDigits, wrongCodesMax, type FactorRow, type factorRoutes } from '@ghanti/contract/factors.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { generateSecret, generateURI } from 'otplib'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { lockOwn } from '../../db/open-session.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { hashOf, seal, unseal } from '../../lib/secrets.ts'
import { audit } from '../audit/actions.ts'
import { settingOf } from '../platform/actions.ts'
import { mustHaveFactor } from '../platform/rules.ts'
import { confirmedReaderOf, newNotMeLink } from '../security/actions.ts'
import { beginAdding, hasAnyFactor, isMailedCode, toldOf, type Acting, type Beginning } from './actions-adding.ts'
import { passkeyHostOf } from './actions-assertion.ts'
import { stepOf } from './actions-prove.ts'
import { newRecoveryCodes } from './actions-codes.ts'
import { hostFault } from './rules-passkeys.ts'
import * as rules from './rules.ts'
import * as passkeys from './store-passkeys.ts'
import * as store from './store.ts'

type Factors = ReplyOf<typeof factorRoutes.list>

export async function ownFactors({ app, viewer, origin }: Ctx): Promise<Factors> {
  const { db, config } = app
  const [totp, keys, recoveryCodes, rule, passkeyHost] = await Promise.all([
    store.totpOf(db, viewer.userId),
    passkeys.passkeysOf(db, viewer.userId),
    store.unusedRecoveryCodes(db, viewer.userId),
    settingOf(db, 'secondFactor'),
    passkeyHostOf(app, origin.host),
  ])
  return {
    factors: [...keys.map(passkeyRow), ...(totp ? [rowOf(totp, 'totp')] : [])],
    recoveryCodes,
    isRequired: mustHaveFactor(rule, viewer.role),
    passkeyHost,
    passkeyFault: passkeyHost === null ? hostFault(origin.host, config.publicUrl) : null,
  }
}

function rowOf(
  { id, addedAt, usedAt }: Pick<store.Totp, 'id' | 'addedAt' | 'usedAt'>,
  kind: FactorRow['kind'],
): FactorRow {
  return { factorId: id, kind, addedAt: nepalTimeOf(addedAt), usedAt: usedAt && nepalTimeOf(usedAt) }
}

function passkeyRow(key: passkeys.Passkey): FactorRow {
  const { name, host, synced, needsPassword } = key
  return { ...rowOf(key, 'passkey'), passkey: { name, host, synced, needsPassword } }
}

type Begun = { token: string; secret: string; uri: string; mailed: boolean }

/** The secret of an authenticator app, which counts from its first code on. */
export async function beginTotp({ app, viewer }: Ctx, beginning: Beginning): Promise<Begun> {
  const { userId } = viewer
  const token = randomBytes(32).toString('base64url')
  const secret = generateSecret()
  const secretSealed = seal(app.config.secret, rules.secretPurpose(userId), secret)
  const mailed = await app.db
    .transaction()
    .execute((tx) => beginAdding(app, tx, viewer, { ...beginning, token, kind: 'totp', secretSealed }))
  return { token, secret, uri: generateURI({ issuer: beginning.company, label: viewer.username, secret }), mailed }
}

/** The job: a code that exists in the mail alone, so a retried job makes another. */
export async function sendFactorCode(app: App, { userId, tokenHash }: { userId: number; tokenHash: string }) {
  const reader = await confirmedReaderOf(app.db, userId)
  if (!app.mail || !reader) return
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0')
  const open = { tokenHash: Buffer.from(tokenHash, 'hex'), now: app.clock.now() }
  if (!(await store.keepMailedCode(app.db, open, hashOf(code)))) return
  const link = await newNotMeLink(app, userId)
  await app.mail.send({ to: reader.address, ...rules.codeMail({ username: reader.username, code, link }) })
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
  const open = { tokenHash, kind: 'totp', now, begunBy: viewer } as const
  const begun = await store.takeTry(app.db, open, wrongCodesMax)
  if (!begun?.secretSealed) {
    const isTried = !begun && (await store.isTriedOut(app.db, open, wrongCodesMax))
    throw isTried ? badField('code', rules.addingTriedTooOften, 'tried') : badField('token', rules.addingOver, 'over')
  }
  const { secretSealed } = begun
  const step = await stepOf(unseal(app.config.secret, rules.secretPurpose(userId), secretSealed), code, now)
  const isMailRight = isMailedCode(begun, mailCode)
  if (step === null || !isMailRight) {
    await audit(app.db, ctx, 'factor.failed', `user ${userId}`)
    if (begun.tries >= wrongCodesMax) throw badField('code', rules.addingTriedTooOften, 'tried')
    throw step === null
      ? badField('code', rules.wrongCode, 'wrong')
      : badField('mailCode', rules.wrongMailCode, 'wrong')
  }
  return app.db.transaction().execute(async (tx) => {
    await lockOwn(tx, viewer)
    if (!(await store.endCeremony(tx, tokenHash))) throw badField('token', rules.addingOver, 'over')
    const isFirst = !(await hasAnyFactor(tx, userId))
    const factorId = await store.putTotp(tx, { userId, secretSealed, step, now })
    await added(tx, isFirst)
    await toldOf(tx, ctx, 'factor.add')
    return factorId
  })
}

/** Once for all: those before work no more. Without another factor they would open nothing. */
export async function makeRecoveryCodes(ctx: Acting): Promise<string[]> {
  const { app, viewer } = ctx
  const codes = newRecoveryCodes()
  await app.db.transaction().execute(async (tx) => {
    await lockOwn(tx, viewer)
    if (!(await hasAnyFactor(tx, viewer.userId)))
      throw conflict('codes', 'need a passkey or an authenticator app first', 'no_factor')
    await store.replaceRecoveryCodes(tx, viewer.userId, codes.map(hashOf))
    await toldOf(tx, ctx, 'factor.recovery')
  })
  return codes.map(rules.shownRecoveryCode)
}

export async function removeFactor(ctx: Acting, factorId: number): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute(async (tx) => {
    await lockOwn(tx, viewer)
    const { userId } = viewer
    const isThere =
      (await store.deleteTotp(tx, userId, factorId)) || (await passkeys.deletePasskeys(tx, userId, factorId))
    if (!isThere) throw new AppError('not_found')
    if (!(await hasAnyFactor(tx, userId))) {
      if (mustHaveFactor(await settingOf(tx, 'secondFactor'), viewer.role))
        throw conflict('factorId', rules.lastFactor, 'last')
      await store.deleteRecoveryCodes(tx, userId)
    }
    await toldOf(tx, ctx, 'factor.remove')
  })
}

/** All of an account, with what was begun. False: it had none. The caller has locked the account. */
export async function removeFactorsOf(tx: Tx, userId: number): Promise<boolean> {
  const hadApp = await store.deleteTotp(tx, userId)
  const hadPasskey = await passkeys.deletePasskeys(tx, userId)
  await store.deleteRecoveryCodes(tx, userId)
  await store.deleteCeremonies(tx, userId)
  return hadApp || hadPasskey
}
