import type { Factor } from '@ghanti/contract/factors.ts'
import type { Assertion } from '@ghanti/contract/passkeys.ts'
import { verify } from 'otplib'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, badField } from '../../errors.ts'
import { hashOf, unseal } from '../../lib/secrets.ts'
import { passkeyIn, usedMeanwhile, usePasskey, type PasskeyProof } from './actions-assertion.ts'
import { unknownPasskey } from './rules-passkeys.ts'
import * as rules from './rules.ts'
import type { Beside } from './store-passkeys.ts'
import * as store from './store.ts'

export type Said = {
  code?: string | undefined
  recoveryCode?: string | undefined
  passkey?: Assertion | undefined
}
/** What was said and is right, until somebody else uses it. */
export type Proof = { factor: 'totp'; step: number } | { factor: 'recovery'; hash: Buffer } | PasskeyProof

type ProvingApp = Pick<App, 'db' | 'clock'> & { config: Pick<App['config'], 'secret' | 'publicUrl'> }

/** Exactly one of the three. */
export function factorSaid({ code, recoveryCode, passkey }: Said): Factor {
  const said = [passkey, code, recoveryCode].filter((one) => one !== undefined)
  if (said.length !== 1)
    throw badField('code', 'or `recoveryCode` or `passkey` is needed: exactly one of the three', 'which')
  if (passkey !== undefined) return 'passkey'
  return code === undefined ? 'recovery' : 'totp'
}

/** The field that says it. */
export const fieldOf: Readonly<Record<Factor, string>> = { passkey: 'passkey', totp: 'code', recovery: 'recoveryCode' }

/** It is wrong, or somebody else used it meanwhile. */
export function wrongProof(factor: Factor): AppError {
  if (factor === 'passkey') return usedMeanwhile()
  return badField(fieldOf[factor], factor === 'totp' ? rules.wrongCode : rules.wrongRecoveryCode, 'wrong')
}

/** The step of a code that is right now, one step to either side; null: it is wrong. */
export async function stepOf(secret: string, code: string, now: Date): Promise<number | null> {
  const epoch = Math.floor(now.getTime() / 1000)
  const found = await verify({ secret, token: code, epoch, epochTolerance: rules.stepSeconds })
  return found.valid && 'timeStep' in found ? found.timeStep : null
}

/** Null when it was sealed under a `SECRET` that this server no longer has. */
function secretOf({ config }: ProvingApp, userId: number, sealed: string): string | null {
  try {
    return unseal(config.secret, rules.secretPurpose(userId), sealed)
  } catch {
    return null
  }
}

/** Uses nothing up. What is wrong is answered, so that whoever asks may count it. `hostname`: where it is said. */
export async function proofIn(
  app: ProvingApp,
  userId: number,
  { code, recoveryCode, passkey }: Said,
  hostname: string,
): Promise<Proof | AppError> {
  if (passkey !== undefined) {
    const proof = await passkeyIn(app, passkey, hostname)
    return proof instanceof AppError || proof.userId === userId ? proof : badField('passkey', unknownPasskey, 'unknown')
  }
  if (code !== undefined) {
    const totp = await store.totpOf(app.db, userId)
    const secret = totp && secretOf(app, userId, totp.secretSealed)
    if (secret === null) return badField('code', rules.codesUnreadable, 'unreadable')
    const step = secret === undefined ? null : await stepOf(secret, code, app.clock.now())
    return step === null ? wrongProof('totp') : { factor: 'totp', step }
  }
  const hash = hashOf(recoveryCode ?? '')
  const isUnused = await store.isUnusedRecoveryCode(app.db, userId, hash)
  return isUnused ? { factor: 'recovery', hash } : wrongProof('recovery')
}

/**
 * Uses it up. False when it was used before; of any number at once, one is true.
 */
export function spendProof(
  tx: Tx,
  userId: number,
  proof: Proof,
  { now, beside }: { now: Date; beside: Beside },
): Promise<boolean> {
  switch (proof.factor) {
    case 'passkey':
      return usePasskey(tx, proof, now, beside)
    case 'totp':
      return store.useStep(tx, userId, proof.step, now)
    case 'recovery':
      return store.useRecoveryCode(tx, userId, proof.hash, now)
  }
}
