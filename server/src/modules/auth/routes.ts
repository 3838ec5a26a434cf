import { rupeesOf } from '@ghanti/contract/money.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { factorNeeded } from '@ghanti/contract/sign-in.ts'
import { accountTypes, wireRole } from '@ghanti/contract/roles.ts'
import { mailboxPath } from '../../http/pages/mailbox.ts'
import type { CookieJar, Handlers } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { balanceOf } from '../credits/actions.ts'
import { verify } from '../mail/actions.ts'
import { stopsOf } from '../platform/actions.ts'
import { passkeyOptions, signInByPasskey } from './actions-passkey.ts'
import { invitedBy, requestReset, resetPassword } from './actions-reset.ts'
import { proveSignIn, signIn, type SignedIn } from './actions-sign-in.ts'
import { closeSession, demoAccountExists } from './actions.ts'
import { sessionMaxMs } from './rules.ts'
import { deviceKnownDays } from './rules-throttle.ts'
import * as store from './store.ts'

export const authHandlers: Handlers<'auth'> = {
  async login({ app, origin, cookies }, { username, password }) {
    const begun = await signIn(app, { username, password, cookie: cookies.device }, origin)
    return 'ticket' in begun ? { message: factorNeeded, ...begun } : signedIn(cookies, begun)
  },

  async loginFactor({ app, origin, cookies }, step) {
    return signedIn(cookies, await proveSignIn(app, { ...step, cookie: cookies.device }, origin))
  },

  passkeyOptions: ({ app, ...asking }, whose) => passkeyOptions(app, whose, asking),

  async loginPasskey({ app, origin, cookies }, { passkey }) {
    return signedIn(cookies, await signInByPasskey(app, { passkey, cookie: cookies.device }, origin))
  },

  /** Signing out twice is not a failure. */
  async logout({ app, viewer, origin, cookies }) {
    if (cookies.token !== null) await closeSession(app, cookies.token)
    if (viewer) await audit(app.db, { viewer, origin }, 'logout', `user ${viewer.userId}`)
    cookies.expire()
    return { message: messages.success }
  },

  async resetPwd({ app, origin, cookies }, { username }) {
    const inSeconds = await requestReset(app, username, { origin, cookie: cookies.device })
    const readable = app.mailbox && (await demoAccountExists(app.db))
    const later = inSeconds > 0 ? { inSeconds } : {}
    return { message: messages.linkSent, ...later, ...(readable ? { mailbox: mailboxPath } : {}) }
  },

  async updatePwd({ app, origin, cookies }, { token, password }) {
    const { device, keys } = await resetPassword(app, { token, password, cookie: cookies.device }, origin)
    cookies.keepDevice(device, deviceKnownDays)
    return { message: messages.passwordReset, ...(keys > 0 && { keys }) }
  },

  async verifyMail({ app, origin }, { token }) {
    const userId = await verify(app, token, origin)
    const invited = await invitedBy(app, userId)
    return { message: messages.mailVerified, ...(invited && { invited }) }
  },

  async session({ app, viewer }) {
    const [balance, { name, accountType, provider }, stops] = await Promise.all([
      balanceOf(app.db, viewer.userId),
      store.accountAndProvider(app.db, viewer.userId),
      stopsOf(app.db, [viewer.userId]),
    ])
    return {
      userId: viewer.userId,
      username: viewer.username,
      name,
      role: wireRole[viewer.role],
      balance:
        viewer.role === 'superAdmin'
          ? null
          : { credits: rupeesOf(balance.paisa), reserved: rupeesOf(balance.reservedPaisa) },
      accountType: accountTypes.indexOf(accountType),
      provider,
      simulatorSpeed: app.config.embedded ? app.config.simulatorSpeed : null,
      virtualOperator: app.config.asterisk,
      stopped: stops.get(viewer.userId) ?? [],
      ...(viewer.must && { must: viewer.must }),
    }
  },
}

function signedIn(cookies: CookieJar, { viewer, token, device }: SignedIn) {
  const role = wireRole[viewer.role]
  cookies.set({ token, userId: viewer.userId, role, maxAgeSeconds: sessionMaxMs / 1000 })
  cookies.keepDevice(device, deviceKnownDays)
  return { message: messages.success, token, userid: viewer.userId, role: [role] }
}
