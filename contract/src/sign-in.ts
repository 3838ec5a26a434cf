import * as z from 'zod/mini'
import { Code, factors, RecoveryCode } from './factors.ts'
import { messages } from './messages.ts'
import { Assertion, PasskeyAsked } from './passkeys.ts'
import { json } from './route.ts'
import { Id, Message, NewPassword, orRequired, Text } from './values.ts'

const WireRoleName = z.enum(['ROLE_USER', 'ROLE_ADMIN', 'ROLE_SADMIN'])

/** Not trimmed: blanks at its ends belong to it. */
const Password = z
  .string(orRequired('must be text', messages.loginRequired))
  .check(z.maxLength(1000, { error: 'is longer than 1000 characters' }))

const SignedIn = z.object({ message: z.string(), token: z.string(), userid: Id, role: z.array(WireRoleName) })
/** The password is right, and the account has a second factor: the ticket opens a session together with one of `factors`. */
const HalfSignedIn = z.object({ message: z.string(), ticket: z.string(), factors: z.array(z.enum(factors)) })

export const factorNeeded = 'Second factor needed'

export const signInRoutes = {
  login: json({
    method: 'POST',
    path: '/api/obd/login',
    input: z.object({ username: Text(100, messages.loginRequired), password: Password }),
    reply: z.union([SignedIn, HalfSignedIn]),
  }),
  /** With exactly one of `passkey`, `code` and `recoveryCode`. */
  loginFactor: json({
    method: 'POST',
    path: '/api/obd/login/factor',
    input: z.object({
      ticket: Text(200),
      passkey: z.optional(Assertion),
      code: z.optional(Code),
      recoveryCode: z.optional(RecoveryCode),
    }),
    reply: SignedIn,
  }),
  /**
   * What a browser needs to use a passkey of this address: to sign in with it alone, as the second step (`ticket`), or to prove a session (`own`: the
   * passkeys of the account that is signed in).
   */
  passkeyOptions: json({
    method: 'POST',
    path: '/api/obd/login/passkey/options',
    input: z.object({ ticket: z.optional(Text(200)), own: z.optional(z.literal(true)) }),
    reply: PasskeyAsked,
  }),
  /** Neither a name nor a password. */
  loginPasskey: json({
    method: 'POST',
    path: '/api/obd/login/passkey',
    input: z.object({ passkey: Assertion }),
    reply: SignedIn,
  }),
  resetPwd: json({
    method: 'POST',
    path: '/api/obd/reset/pwd',
    input: z.object({ username: Text(100, messages.usernameRequired) }),
    reply: z.object({
      message: z.string(),
      /** Where to read the mail in the demo, which sends none. */
      mailbox: z.optional(z.string()),
      /** Seconds until the next link can be sent; set when one was sent a short while ago. */
      inSeconds: z.optional(z.number()),
    }),
  }),
  /** `token` is the end of the mailed link. It works once. `keys`: how many of the account's for programs go on, which no password ends. */
  updatePwd: json({
    method: 'POST',
    path: '/api/obd/update/pwd',
    input: z.object({ password: NewPassword(messages.passwordRequired), token: Text(200) }),
    reply: z.extend(Message, { keys: z.optional(z.number()) }),
  }),
  /** `token` is the end of the mailed link. It works once, without a session. */
  verifyMail: json({
    method: 'POST',
    path: '/api/obd/mail/verify',
    input: z.object({ token: Text(200) }),
    reply: z.object({
      message: z.string(),
      /** Where the account has no password: its name, and what `updatePwd` takes to set one, for 30 minutes. */
      invited: z.optional(z.object({ username: z.string(), token: z.string() })),
    }),
  }),
}
