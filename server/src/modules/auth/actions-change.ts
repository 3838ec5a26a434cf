import type { App } from '../../app.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx, Origin } from '../../http/types.ts'
import type { Viewer } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { workingKeys } from '../keys/actions-revoke.ts'
import { tellOfSecurity } from '../security/actions.ts'
import { hashPassword, requireStrong, verifyPassword } from './actions-passwords.ts'
import { fromOf } from './actions-new-browser.ts'
import { deviceCookie, deviceOf } from './actions-device.ts'
import { countTry } from './actions-throttle.ts'
import { inTurn } from './actions-turns.ts'
import { completeSession, endOtherSessions, lacksFactor } from './actions.ts'
import * as store from './store.ts'
import { changePassword as change } from './store-reset.ts'

type Typed = { current: string; password: string; cookie: string | null }

/**
 * The account's owner, who knows the present password, sets another one. Wrong tries count as those of sign-ins do. All other sessions end, the one
 * that asks stays. Returns the
 * browser's new cookie, and how many keys for programs go on.
 */
export async function changePassword(ctx: Ctx, typed: Typed): Promise<{ device: string; keys: number }> {
  const { app, viewer, origin } = ctx
  const { userId } = viewer
  const login = await inTurn(app, { username: viewer.username, cookie: typed.cookie }, origin, (lane) =>
    requireCurrent(app, { viewer, origin }, typed, lane),
  )
  if (typed.password === typed.current) throw badField('password', 'is your present password: choose another', 'same')
  await requireStrong(app.db, userId, typed.password, { account: userId })
  const passwordHash = await hashPassword(typed.password, userId)
  const { owner, keys } = await app.db.transaction().execute(async (tx) => {
    const changed = await change(tx, userId, { from: login.passwordHash, to: passwordHash })
    if (!changed) throw conflict('current', 'was changed meanwhile: sign in again', 'changed')
    await completeSession(tx, viewer, lacksFactor(login) ? 'factor' : null)
    const sessions = await endOtherSessions(tx, viewer)
    const keys = await workingKeys(tx, userId, app.clock.now())
    await tellOfSecurity(app, tx, { kind: 'passwordChanged', userId, from: fromOf(origin), keys })
    await audit(tx, ctx, 'password.change', `user ${userId}`, { sessions })
    return { owner: changed, keys }
  })
  return { device: deviceCookie(app, typed.cookie, owner, login), keys }
}

/** The account as it was when its present password was read. */
async function requireCurrent(
  app: App,
  { viewer, origin }: { viewer: Viewer; origin: Origin },
  { current, cookie }: Typed,
  lane: 'known' | 'strangers',
): Promise<store.Login> {
  const login = await store.findLogin(app.db, viewer.username)
  if (login?.userId !== viewer.userId) throw new AppError('token_not_valid')
  const { username, deviceKey } = login
  const counted = await countTry(app.db, {
    username,
    origin,
    device: deviceOf(app, cookie, login),
    deviceKey,
    field: 'current',
  })
  if (!(await verifyPassword(login.passwordHash, current, lane))) {
    await audit(app.db, { viewer, origin }, 'password.changeFailed', `user ${viewer.userId}`)
    throw badField('current', 'is not your present password', 'wrong')
  }
  await counted.wasRight()
  return login
}
