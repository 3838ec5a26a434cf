import type { Assertion } from '@ghanti/contract/passkeys.ts'
import { AppError, badField } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { passkeyNeedsPassword } from '../factors/actions-assertion.ts'
import { proofIn, spendProof, wrongProof, type Proof } from '../factors/actions-prove.ts'
import { deviceOf } from './actions-device.ts'
import { verifyPassword, type Lane } from './actions-passwords.ts'
import { countTry } from './actions-throttle.ts'
import { inTurn } from './actions-turns.ts'
import { hasFactor } from './actions.ts'
import * as store from './store.ts'

type Said = {
  code?: string | undefined
  passkey?: Assertion | undefined
  password?: string | undefined
  cookie: string | null
}

/** Proves that it is the owner who uses the session. Wrong tries count as those of sign-ins do. */
export async function proveSession(ctx: Ctx, said: Said): Promise<void> {
  if ([said.code, said.passkey, said.password].filter((one) => one !== undefined).length !== 1)
    throw badField('code', 'or `passkey` or `password` is needed: exactly one of the three', 'which')
  const { app, viewer, origin } = ctx
  await inTurn(app, { username: viewer.username, cookie: said.cookie }, origin, (lane) => tryProof(ctx, said, lane))
}

async function tryProof(ctx: Ctx, said: Said, lane: Lane): Promise<void> {
  const { app, viewer, origin } = ctx
  const { userId, sessionId } = viewer
  const login = await store.findLogin(app.db, { userId })
  if (!login || sessionId === undefined) throw new AppError('token_not_valid')
  if (said.password !== undefined && hasFactor(login))
    throw badField('password', 'is not enough: this account has a second factor', 'factor')
  const { username, deviceKey } = login
  const field = said.password !== undefined ? 'password' : said.passkey === undefined ? 'code' : 'passkey'
  const device = deviceOf(app, said.cookie, login)
  const tried = await countTry(app.db, { username, origin, device, deviceKey, field })
  const proof = await proofOf(ctx, login, said, lane)
  if (proof instanceof AppError) {
    await audit(app.db, ctx, 'proof.failed', `user ${userId}`)
    throw proof
  }
  await app.db.transaction().execute(async (tx) => {
    const now = app.clock.now()
    const isUsed = proof === null || (await spendProof(tx, userId, proof, { now, beside: 'nothing' }))
    if (!isUsed) throw wrongProof(proof.factor)
    await store.proveSession(tx, sessionId, now)
  })
  await tried.wasRight()
}

/** Null: by the password. */
async function proofOf(
  { app, origin }: Ctx,
  { userId, passwordHash }: store.Login,
  { password, ...said }: Said,
  lane: Lane,
): Promise<Proof | AppError | null> {
  if (password === undefined) {
    const proof = await proofIn(app, userId, said, origin.host)
    const isOfBefore = !(proof instanceof AppError) && proof.factor === 'passkey' && proof.needsPassword
    return isOfBefore ? passkeyNeedsPassword() : proof
  }
  if (await verifyPassword(passwordHash, password, lane)) return null
  return badField('password', 'is not your present password', 'wrong')
}
