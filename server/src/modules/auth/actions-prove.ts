import { AppError, badField } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { proofIn, useProof, wrongProof } from '../factors/actions-prove.ts'
import { deviceOf } from './actions-device.ts'
import { verifyPassword, type Lane } from './actions-passwords.ts'
import { countTry } from './actions-throttle.ts'
import { inTurn } from './actions-turns.ts'
import * as store from './store.ts'

type Said = { code?: string | undefined; password?: string | undefined; cookie: string | null }

/** Proves that it is the owner who uses the session. Wrong tries count as those of sign-ins do. */
export async function proveSession(ctx: Ctx, said: Said): Promise<void> {
  if ((said.code === undefined) === (said.password === undefined))
    throw badField('code', 'or `password` is needed: exactly one of the two', 'which')
  const { app, viewer, origin } = ctx
  await inTurn(app, { username: viewer.username, cookie: said.cookie }, origin, (lane) => tryProof(ctx, said, lane))
}

async function tryProof(ctx: Ctx, { code, password, cookie }: Said, lane: Lane): Promise<void> {
  const { app, viewer, origin } = ctx
  const { userId, sessionId } = viewer
  const login = await store.findLogin(app.db, { userId })
  if (!login || sessionId === undefined) throw new AppError('token_not_valid')
  if (password !== undefined && login.hasTotp)
    throw badField('password', 'is not enough: this account has a second factor', 'factor')
  const { username, deviceKey } = login
  const field = code === undefined ? 'password' : 'code'
  const device = deviceOf(app, cookie, login)
  const tried = await countTry(app.db, { username, origin, device, deviceKey, field })
  const proof = code === undefined ? null : await proofIn(app, userId, { code })
  const isRight =
    proof !== null || (password !== undefined && (await verifyPassword(login.passwordHash, password, lane)))
  if (!isRight) {
    await audit(app.db, ctx, 'proof.failed', `user ${userId}`)
    throw code === undefined ? badField('password', 'is not your present password', 'wrong') : wrongProof('totp')
  }
  await app.db.transaction().execute(async (tx) => {
    const now = app.clock.now()
    if (proof && !(await useProof(tx, userId, proof, now))) throw wrongProof('totp')
    await store.proveSession(tx, sessionId, now)
  })
  await tried.wasRight()
}
