import type { Assertion, PasskeyAsked } from '@ghanti/contract/passkeys.ts'
import { AppError, badField } from '../../errors.ts'
import type { Origin } from '../../http/types.ts'
import type { Viewer } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import {
  askForPasskey,
  ownerOfCopy,
  passkeyIn,
  passkeyNeedsPassword,
  usedMeanwhile,
  usePasskey,
  type PasskeyProof,
} from '../factors/actions-assertion.ts'
import { ownerOfTicket } from '../factors/actions-ticket.ts'
import { unknownPasskey } from '../factors/rules-passkeys.ts'
import { ticketOver } from '../factors/rules.ts'
import { open, requireOpen, signedIn, type SignedIn, type SignInApp } from './actions-sign-in.ts'
import { countSignIn } from './actions-throttle.ts'
import * as store from './store.ts'

type Whose = { ticket?: string | undefined; own?: true | undefined }

/** What a browser needs: whoever sits there chooses the account, or it is that of the ticket or of the session. */
export async function passkeyOptions(
  app: SignInApp,
  { ticket, own }: Whose,
  { viewer, origin }: { viewer: Viewer | null; origin: Origin },
): Promise<PasskeyAsked> {
  const owner = ticket === undefined ? null : await ownerOfTicket(app, ticket)
  if (ticket !== undefined && owner === null) throw badField('ticket', ticketOver, 'over')
  if (own && (!viewer || viewer.key)) throw new AppError('token_not_valid') // a key sees no factors
  return askForPasskey(app, origin.host, owner ?? (own && viewer ? viewer.userId : null))
}

type WithPasskey = { passkey: Assertion; cookie: string | null }

/**
 * A sign-in with a passkey alone. It cannot be guessed, so it neither waits for others' wrong passwords nor counts as one. It opens the account that it
 * belongs to unless the password was changed since the two were last used together: whoever stole an account may have left a passkey in it.
 */
export async function signInByPasskey(
  app: SignInApp,
  { passkey, cookie }: WithPasskey,
  origin: Origin,
): Promise<SignedIn> {
  const proof = await passkeyIn(app, passkey, origin.host)
  if (proof instanceof AppError) {
    const userId = await ownerOfCopy(app.db, passkey, proof)
    const owner = userId === undefined ? undefined : await store.findLogin(app.db, { userId })
    if (owner) await noteFailed(app, owner, origin)
    throw proof
  }
  const login = await store.findLogin(app.db, proof)
  if (!login) throw badField('passkey', unknownPasskey, 'unknown')
  await countSignIn(app.db, login.userId)
  requireOpen(app, login)
  if (proof.needsPassword) {
    await noteFailed(app, login, origin)
    throw passkeyNeedsPassword()
  }
  const opened = await app.db.transaction().execute((tx) => openBy(app, tx, login, { proof, origin }))
  return signedIn(app, login, { ...opened, factor: 'passkey' }, { cookie, origin })
}

async function noteFailed({ db }: SignInApp, { userId, username }: store.Login, origin: Origin): Promise<void> {
  await audit(db, { viewer: null, origin }, 'login.factorFailed', `user ${userId}`, { username })
}

/** Opening the session locks the account. Refused when the password has changed since the passkey, or the account, was looked at. */
async function openBy(
  app: SignInApp,
  tx: Parameters<typeof open>[1],
  login: store.Login,
  { proof, origin }: { proof: PasskeyProof; origin: Origin },
): Promise<{ token: string; sessionId: number }> {
  const opened = await open(app, tx, login, origin, 'passkey')
  if (opened === null) throw passkeyNeedsPassword()
  if (await usePasskey(tx, proof, app.clock.now(), 'nothing')) return opened
  throw usedMeanwhile()
}
