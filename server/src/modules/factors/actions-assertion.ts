import type { FaultCode } from '@ghanti/contract/error-codes.ts'
import type { Assertion, PasskeyAsked } from '@ghanti/contract/passkeys.ts'
import { isTransport } from '@ghanti/contract/passkeys.ts'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../db/db.ts'
import { badField, type AppError } from '../../errors.ts'
import { comparable } from '../../lib/host-name.ts'
import { hashOf } from '../../lib/secrets.ts'
import { challengeEnd, newChallenge } from './actions-challenge.ts'
import * as rules from './rules-passkeys.ts'
import * as store from './store-passkeys.ts'

type PasskeyApp = Pick<App, 'db' | 'clock'> & { config: Pick<App['config'], 'secret' | 'publicUrl'> }

/** A passkey that its owner has used just now, until the challenge is used up. */
export type PasskeyProof = {
  factor: 'passkey'
  passkeyId: number
  userId: number
  challenge: string
  expiresAt: Date
  counter: number
  synced: boolean
  needsPassword: boolean
}

const refused = (text: string, code: FaultCode): AppError => badField('passkey', text, code)
const copyCode = 'counter'
export const usedMeanwhile = (): AppError => refused(rules.challengeOver, 'over')
export const passkeyNeedsPassword = (): AppError => refused(rules.needsPassword, 'password')

/**
 * The host that passkeys of this address belong to: PUBLIC_URL's, which on this machine has a name, or a confirmed domain's. Null: there are none at it.
 */
export async function passkeyHostOf(
  { db, config }: Pick<App, 'db'> & { config: Pick<App['config'], 'publicUrl'> },
  hostname: string,
): Promise<string | null> {
  const host = comparable(hostname)
  if (rules.isAddress(host)) return null
  return host === rules.namedUrl(config.publicUrl).hostname || (await store.isWorkingDomain(db, host)) ? host : null
}

/** The same. Throws 400 where there are none. */
export async function requirePasskeyHost(app: PasskeyApp, hostname: string): Promise<string> {
  const host = await passkeyHostOf(app, hostname)
  if (host === null) throw refused(rules.hostFault(hostname, app.config.publicUrl), 'host')
  return host
}

/** For the browser, which asks whoever sits there. Nothing is stored. `userId`: the account's passkeys alone. */
export async function askForPasskey(app: PasskeyApp, hostname: string, userId: number | null): Promise<PasskeyAsked> {
  const host = await requirePasskeyHost(app, hostname)
  const asked = {
    challenge: newChallenge(app.config.secret, host, app.clock.now()),
    rpId: host,
    timeout: rules.challengeMs,
    userVerification: 'required',
  } as const
  if (userId === null) return asked
  const passkeys = await store.passkeysOf(app.db, userId)
  return { ...asked, allowCredentials: credentialsAt(passkeys, host) }
}

export function credentialsAt(passkeys: readonly store.Passkey[], host: string) {
  return passkeys.flatMap(({ host: at, credentialId, transports }) =>
    at === host
      ? {
          id: credentialId.toString('base64url'),
          type: 'public-key' as const,
          transports: transports.filter(isTransport),
        }
      : [],
  )
}

/** Uses nothing up. What is wrong is answered, so that whoever asks may count it. */
export async function passkeyIn(
  app: PasskeyApp,
  passkey: Assertion,
  hostname: string,
): Promise<PasskeyProof | AppError> {
  const { secret, publicUrl } = app.config
  const host = await requirePasskeyHost(app, hostname)
  const known = await store.passkeyOfCredential(app.db, Buffer.from(passkey.id, 'base64url'))
  if (!known) return refused(rules.unknownPasskey, 'unknown')
  if (known.host !== host) return refused(rules.elsewhere([known.host]), 'elsewhere')
  const { challenge, origin } = saidByBrowser(passkey.response.clientDataJSON)
  const expiresAt = challengeEnd(secret, host, challenge ?? '')
  if (challenge === null || expiresAt === null) return refused(rules.wrongPasskey, 'wrong')
  if (expiresAt <= app.clock.now()) return usedMeanwhile()
  const origins = rules.originsOf(host, publicUrl, origin)
  const verified = await verifiedUse(passkey, known.publicKey, { challenge, origins, host })
  if (!verified) return refused(rules.wrongPasskey, 'wrong')
  const { counter, synced } = verified
  if (counter <= known.counter && (counter > 0 || known.counter > 0)) return refused(rules.counterBack, copyCode)
  const { id: passkeyId, userId, needsPassword } = known
  return { factor: 'passkey', passkeyId, userId, challenge, expiresAt, counter, synced, needsPassword }
}

/** Whose passkey there is a copy of, as its counter says; undefined: what was wrong is something else, which anybody may bring about. */
export async function ownerOfCopy(db: Db, { id }: Assertion, { errors }: AppError): Promise<number | undefined> {
  if (!errors.some(({ code }) => code === copyCode)) return undefined
  return (await store.passkeyOfCredential(db, Buffer.from(id, 'base64url')))?.userId
}

type Expected = { challenge: string; origins: string[]; host: string }

/** Null when anything is wrong. The library is loaded once somebody has a passkey. */
async function verifiedUse(passkey: Assertion, publicKey: Buffer, { challenge, origins, host }: Expected) {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { userHandle, ...response } = passkey.response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...passkey,
        response: { ...response, ...(userHandle !== undefined && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: host,
      requireUserVerification: true,
      // The counter is compared by us, in words of its own.
      credential: { id: passkey.id, publicKey: new Uint8Array(publicKey), counter: 0 },
    })
    if (!verified) return null
    return { counter: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp }
  } catch {
    return null // its errors say what was wrong with what a browser, or somebody else, made
  }
}

/** What the browser says that it was asked, by a page of which origin. Nothing of it is believed before the signature is right. */
export function saidByBrowser(clientDataJSON: string): { challenge: string | null; origin: string | null } {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    if (typeof said !== 'object' || said === null) return { challenge: null, origin: null }
    const { challenge, origin } = said as { challenge?: unknown; origin?: unknown }
    return {
      challenge: typeof challenge === 'string' ? challenge : null,
      origin: typeof origin === 'string' ? origin : null,
    }
  } catch {
    return { challenge: null, origin: null }
  }
}

/** Uses up the challenge. The caller of a sign-in has locked the account. */
export async function usePasskey(tx: Tx, proof: PasskeyProof, now: Date, beside: store.Beside): Promise<boolean> {
  const { passkeyId: id, userId, challenge, expiresAt, counter, synced } = proof
  if (!(await store.useChallenge(tx, hashOf(challenge), expiresAt))) return false
  return store.usePasskey(tx, { id, userId, counter, synced, beside, now })
}
