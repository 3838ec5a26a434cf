import type { Assertion, Attestation, PasskeyWanted } from '@ghanti/contract/passkeys.ts'
import { signInRoutes } from '@ghanti/contract/sign-in.ts'
import { call, type SentOf } from './client.ts'
import { ApiError } from './error.ts'
import { pageOwner } from './page-owner.ts'
import { leaveEndedSession, signedIn } from './session.ts'

const library = () => import('@simplewebauthn/browser')

/** Asks whoever sits there for a passkey of this address: of the sign-in under way, or of the own account. */
export async function askForPasskey(whose: SentOf<typeof signInRoutes.passkeyOptions>): Promise<Assertion> {
  const [{ allowCredentials = [], ...asked }, { startAuthentication }] = await Promise.all([
    call(signInRoutes.passkeyOptions, whose),
    library(),
  ])
  return startAuthentication({ optionsJSON: { ...asked, allowCredentials } })
}

export async function makePasskey(optionsJSON: PasskeyWanted): Promise<Attestation> {
  const { startRegistration } = await library()
  return startRegistration({ optionsJSON })
}

/** Neither a name nor a password. */
export async function loginByPasskey(): Promise<void> {
  await loginWith(await askForPasskey({}))
}

export async function loginWith(passkey: Assertion): Promise<void> {
  const { userid } = await call(signInRoutes.loginPasskey, { passkey })
  const owner = pageOwner()
  // Over a page that belongs to another account, whose session has ended.
  if (owner !== null && owner !== userid) return leaveEndedSession()
  await signedIn(userid)
}

type Words = { givenUp: string; already?: string; failed: string }

/** What the server says stays; what the browser says is put into words. */
export function passkeyFailure(error: unknown, { givenUp, already, failed }: Words): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return new ApiError(0, givenUp)
  return new ApiError(0, error.name === 'InvalidStateError' ? (already ?? failed) : failed)
}
