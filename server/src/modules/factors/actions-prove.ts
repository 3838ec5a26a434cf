import type { Factor } from '@ghanti/contract/factors.ts'
import { verify } from 'otplib'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { badField, type AppError } from '../../errors.ts'
import { hashOf, unseal } from '../../lib/secrets.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

export type Said = { code?: string | undefined; recoveryCode?: string | undefined }
/** What was said and is right, until somebody else uses it. */
export type Proof = { factor: 'totp'; step: number } | { factor: 'recovery'; hash: Buffer }

type ProvingApp = Pick<App, 'db' | 'clock'> & { config: Pick<App['config'], 'secret'> }

/** Exactly one of the two. */
export function factorSaid({ code, recoveryCode }: Said): Factor {
  if ((code === undefined) === (recoveryCode === undefined))
    throw badField('code', 'or `recoveryCode` is needed: exactly one of the two', 'which')
  return code === undefined ? 'recovery' : 'totp'
}

export const wrongProof = (factor: Factor): AppError =>
  factor === 'totp'
    ? badField('code', rules.wrongCode, 'wrong')
    : badField('recoveryCode', rules.wrongRecoveryCode, 'wrong')

/** The step of a code that is right now, one step to either side; null: it is wrong. */
export async function stepOf(secret: string, code: string, now: Date): Promise<number | null> {
  const epoch = Math.floor(now.getTime() / 1000)
  const found = await verify({ secret, token: code, epoch, epochTolerance: rules.stepSeconds })
  return found.valid && 'timeStep' in found ? found.timeStep : null
}

export async function hasFactor(tx: Tx, userId: number): Promise<boolean> {
  return (await store.totpOf(tx, userId)) !== undefined
}

/** Uses nothing up. */
export async function proofIn(app: ProvingApp, userId: number, { code, recoveryCode }: Said): Promise<Proof | null> {
  if (code !== undefined) {
    const totp = await store.totpOf(app.db, userId)
    const secret = totp && unseal(app.config.secret, rules.secretPurpose(userId), totp.secretSealed)
    const step = secret === undefined ? null : await stepOf(secret, code, app.clock.now())
    return step === null ? null : { factor: 'totp', step }
  }
  const hash = hashOf(recoveryCode ?? '')
  return (await store.isUnusedRecoveryCode(app.db, userId, hash)) ? { factor: 'recovery', hash } : null
}

/** Uses it up. False when it was used before; of any number at once, one is true. The caller has locked the account. */
export function useProof(tx: Tx, userId: number, proof: Proof, now: Date): Promise<boolean> {
  return proof.factor === 'totp'
    ? store.useStep(tx, userId, proof.step, now)
    : store.useRecoveryCode(tx, userId, proof.hash, now)
}
