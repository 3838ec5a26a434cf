import * as z from 'zod/mini'
import { Assertion, Attestation, passkeyNameMax, PasskeyWanted } from './passkeys.ts'
import { json } from './route.ts'
import { Id, Message, OneLine, orRequired, Paragraph, Text } from './values.ts'

/** What a sign-in was proved with: a passkey alone, or besides the password. */
export const factors = ['passkey', 'totp', 'recovery'] as const
export type Factor = (typeof factors)[number]

export const codeDigits = 6
/** Six digits, also in groups, as apps and mails show them. */
const digits = { error: `must be the ${codeDigits} digits that are shown` }
const Digits = OneLine(orRequired(digits.error)).check(
  z.maxLength(40, digits),
  z.overwrite((text) => text.replaceAll(/[\s-]/g, '')),
  z.regex(/^\d{6}$/, digits),
)
export const Code = Digits

export const recoveryCodesMade = 10
/** 80 bits, in an alphabet without letters that look like digits. */
export const recoveryAlphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const recovery = { error: 'must be a recovery code: 16 letters and digits' }
export const RecoveryCode = OneLine(orRequired(recovery.error)).check(
  z.maxLength(60, recovery),
  z.overwrite(plainRecoveryCode),
  z.regex(/^[0-9a-hjkmnp-tv-z]{16}$/, recovery),
)

/** As it is compared: whatever was copied or read out loud. */
function plainRecoveryCode(text: string): string {
  return text.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
}

/** A ticket, or the beginning of adding a factor: it takes this many wrong codes. */
export const wrongCodesMax = 5

/** Not trimmed: blanks at its ends belong to it. */
const Password = z
  .string({ error: 'must be text' })
  .check(z.maxLength(1000, { error: 'is longer than 1000 characters' }))

const FactorRow = z.object({
  factorId: z.number(),
  kind: z.enum(['passkey', 'totp']),
  addedAt: z.string(),
  /** Null: never since it was added. */
  usedAt: z.nullable(z.string()),
  /** Of passkeys. */
  passkey: z.optional(
    z.object({
      name: z.string(),
      /** The host that it works at. */
      host: z.string(),
      /** It is on all devices of its owner's, not on one alone. */
      synced: z.boolean(),
      /** The password was changed since: it opens the account again once it was used together with the new one. */
      needsPassword: z.boolean(),
    }),
  ),
})
export type FactorRow = z.output<typeof FactorRow>

export const factorRoutes = {
  /** The account's own. */
  list: json({
    method: 'GET',
    path: '/api/obd/factors',
    reply: z.object({
      factors: z.array(FactorRow),
      /** How many recovery codes are unused; null: none were made. */
      recoveryCodes: z.nullable(z.number()),
      /** The account must have one, so the last one stays. */
      isRequired: z.boolean(),
      /** The host that a passkey added at this address belongs to; null: there are none at it. */
      passkeyHost: z.nullable(z.string()),
      /** Why there are none, as it follows 'Passkey'; null: there are. */
      passkeyFault: z.nullable(z.string()),
    }),
  }),
  /** What an authenticator app needs, shown once. It counts from the first code on. */
  beginTotp: json({
    method: 'POST',
    path: '/api/obd/factors/totp/begin',
    reply: z.object({
      token: z.string(),
      secret: z.string(),
      /** `otpauth://…`, for a QR code. */
      uri: z.string(),
      /** A code was mailed to the confirmed address, which is asked for too: this browser is not known yet. */
      mailed: z.boolean(),
    }),
  }),
  /** Takes the place of an authenticator app that there was. */
  addTotp: json({
    method: 'POST',
    path: '/api/obd/factors/totp',
    input: z.object({ token: Text(200), code: Code, mailCode: z.optional(Digits) }),
    reply: z.extend(Message, { factorId: z.number() }),
  }),
  /** What a browser needs to make a passkey of this address. */
  passkeyOptions: json({
    method: 'POST',
    path: '/api/obd/factors/passkey/options',
    reply: z.object({
      token: z.string(),
      options: PasskeyWanted,
      /** As with an authenticator app. */
      mailed: z.boolean(),
    }),
  }),
  addPasskey: json({
    method: 'POST',
    path: '/api/obd/factors/passkey',
    input: z.object({
      token: Text(200),
      name: Text(passkeyNameMax),
      passkey: Attestation,
      mailCode: z.optional(Digits),
    }),
    reply: z.extend(Message, { factorId: z.number() }),
  }),
  /** Ten new ones, shown once. Those before work no more. */
  makeRecovery: json({
    method: 'POST',
    path: '/api/obd/factors/recovery',
    reply: z.extend(Message, { codes: z.array(z.string()) }),
  }),
  /** With the last one the recovery codes go, too. */
  remove: json({
    method: 'DELETE',
    path: '/api/obd/factors/:factorId',
    input: z.object({ factorId: Id }),
    reply: Message,
  }),
  /**
   * Proves once more that it is the owner who uses the session: with a passkey, with a code or, in an account without a second factor, with the
   * password. Good for some minutes, as a sign-in is.
   */
  prove: json({
    method: 'POST',
    path: '/api/obd/proof',
    input: z.object({ code: z.optional(Code), passkey: z.optional(Assertion), password: z.optional(Password) }),
    reply: Message,
  }),
  /** By the account right above or a super admin, for an owner who has lost them all. */
  removeAll: json({
    method: 'POST',
    path: '/api/obd/user/factors/remove',
    input: z.object({ userId: Id, reason: Paragraph(500) }),
    reply: Message,
  }),
}
