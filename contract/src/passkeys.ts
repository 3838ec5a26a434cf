import * as z from 'zod/mini'
import { OneLine, orRequired } from './values.ts'

/** An account's passkeys, of all hosts. */
export const passkeysMax = 20
export const passkeyNameMax = 60

const made = { error: 'must be what the browser made of it' }
/** Bytes as WebAuthn's JSON has them: base64url. */
const Bytes = (most: number) =>
  OneLine(orRequired(made.error)).check(z.maxLength(most, made), z.regex(/^[\w-]+$/, made))

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
export type Transport = (typeof transports)[number]
const credential = { id: Bytes(1400), rawId: Bytes(1400), type: z.literal('public-key', made) }

/** What a browser answers to `PasskeyAsked`: PublicKeyCredential of WebAuthn as JSON. */
export const Assertion = z.object(
  {
    ...credential,
    response: z.object(
      {
        clientDataJSON: Bytes(4000),
        authenticatorData: Bytes(4000),
        signature: Bytes(8000),
        userHandle: z.optional(Bytes(200)),
      },
      orRequired(made.error),
    ),
  },
  orRequired(made.error),
)
export type Assertion = z.output<typeof Assertion>

/** What a browser answers to `PasskeyWanted`. */
export const Attestation = z.object(
  {
    ...credential,
    response: z.object(
      {
        clientDataJSON: Bytes(4000),
        attestationObject: Bytes(40_000),
        transports: z.optional(z.array(OneLine(made).check(z.maxLength(40, made))).check(z.maxLength(20, made))),
      },
      orRequired(made.error),
    ),
  },
  orRequired(made.error),
)
export type Attestation = z.output<typeof Attestation>

const Named = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.enum(transports)),
})

/** For `navigator.credentials.get`, as JSON. Without `allowCredentials` the browser offers those that it has for the host. */
export const PasskeyAsked = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
  allowCredentials: z.optional(z.array(Named)),
})
export type PasskeyAsked = z.output<typeof PasskeyAsked>

/** For `navigator.credentials.create`, as JSON. */
export const PasskeyWanted = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(Named),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
})
export type PasskeyWanted = z.output<typeof PasskeyWanted>

export const isTransport = (text: string): text is Transport => transports.some((transport) => transport === text)
