import { randomBytes } from 'node:crypto'
import { isTransport, passkeysMax, type Attestation, type PasskeyWanted } from '@ghanti/contract/passkeys.ts'
import { wrongCodesMax } from '@ghanti/contract/factors.ts'
import type { Tx } from '../../db/db.ts'
import { lockOwn } from '../../db/open-session.ts'
import { badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { hashOf } from '../../lib/secrets.ts'
import { audit } from '../audit/actions.ts'
import { credentialsAt, requirePasskeyHost, saidByBrowser } from './actions-assertion.ts'
import { beginAdding, hasAnyFactor, isMailedCode, toldOf, type Acting, type Beginning } from './actions-adding.ts'
import { userHandle } from './actions-challenge.ts'
import * as rules from './rules.ts'
import * as passkeyRules from './rules-passkeys.ts'
import * as passkeys from './store-passkeys.ts'
import * as store from './store.ts'

type Begun = { token: string; options: PasskeyWanted; mailed: boolean }

/** What the browser makes a passkey of. The token is the challenge, too. */
export async function beginPasskey({ app, viewer, origin }: Ctx, beginning: Beginning): Promise<Begun> {
  const { userId, username } = viewer
  const host = await requirePasskeyHost(app, origin.host)
  const there = await passkeys.passkeysOf(app.db, userId)
  if (there.length >= passkeysMax) throw conflict('passkey', passkeyRules.tooMany, 'too_many')
  const token = randomBytes(32).toString('base64url')
  const mailed = await app.db
    .transaction()
    .execute((tx) => beginAdding(app, tx, viewer, { ...beginning, token, kind: 'passkey', rpId: host }))
  const options: PasskeyWanted = {
    challenge: token,
    rp: { id: host, name: beginning.company },
    user: {
      id: userHandle(app.config.secret, userId).toString('base64url'),
      name: username,
      displayName: username,
    },
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
    timeout: passkeyRules.challengeMs,
    attestation: 'none',
    excludeCredentials: credentialsAt(there, host),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
  return { token, options, mailed }
}

/** EdDSA, ES256 and RS256, which between them every authenticator has. */
const algorithms = [-8, -7, -257]

type Adding = { token: string; name: string; passkey: Attestation; mailCode?: string | undefined }

/** `added`: what follows, in the same transaction. */
export async function addPasskey(
  ctx: Acting,
  { token, name, passkey, mailCode }: Adding,
  added: (tx: Tx, isFirst: boolean) => Promise<void>,
): Promise<number> {
  const { app, viewer, origin } = ctx
  const { userId } = viewer
  const now = app.clock.now()
  const host = await requirePasskeyHost(app, origin.host)
  const open = { tokenHash: hashOf(token), kind: 'passkey', now, begunBy: viewer } as const
  const begun = await store.takeTry(app.db, open, wrongCodesMax)
  if (!begun || begun.rpId !== host) {
    const isTried = !begun && (await store.isTriedOut(app.db, open, wrongCodesMax))
    throw isTried
      ? badField('mailCode', rules.addingTriedTooOften, 'tried')
      : badField('token', rules.addingOver, 'over')
  }
  const made = await verifiedMaking(passkey, { token, host, publicUrl: app.config.publicUrl })
  const isMailRight = isMailedCode(begun, mailCode)
  if (typeof made === 'string' || !isMailRight) {
    await audit(app.db, ctx, 'factor.failed', `user ${userId}`)
    if (begun.tries >= wrongCodesMax) throw badField('mailCode', rules.addingTriedTooOften, 'tried')
    throw typeof made === 'string'
      ? badField('passkey', made, 'wrong')
      : badField('mailCode', rules.wrongMailCode, 'wrong')
  }
  return app.db.transaction().execute(async (tx) => {
    await lockOwn(tx, viewer)
    if (!(await store.endCeremony(tx, open.tokenHash))) throw badField('token', rules.addingOver, 'over')
    if ((await passkeys.passkeysOf(tx, userId)).length >= passkeysMax)
      throw conflict('passkey', passkeyRules.tooMany, 'too_many')
    const isFirst = !(await hasAnyFactor(tx, userId))
    const factorId = await passkeys.insertPasskey(tx, { ...made, userId, host, name, now })
    if (factorId === undefined) throw conflict('passkey', passkeyRules.alreadyThere, 'taken')
    await added(tx, isFirst)
    await toldOf(tx, ctx, 'factor.add')
    return factorId
  })
}

type Made = { credentialId: Buffer; publicKey: Buffer; counter: number; transports: string[]; synced: boolean }

/** The passkey, or what is wrong with it. */
async function verifiedMaking(
  passkey: Attestation,
  { token, host, publicUrl }: { token: string; host: string; publicUrl: string },
): Promise<Made | string> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  const { transports = [], ...response } = passkey.response
  const known = transports.filter(isTransport)
  try {
    // Certificates in it may name addresses that the library would ask; nobody asked for them.
    const said = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
    const isPlain = said.get('fmt') === 'none' || (said.get('fmt') === 'packed' && !said.get('attStmt').get('x5c'))
    if (!isPlain) return passkeyRules.noAttestation
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...passkey, response, clientExtensionResults: {} },
      expectedChallenge: token,
      expectedOrigin: passkeyRules.originsOf(host, publicUrl, saidByBrowser(response.clientDataJSON).origin),
      expectedRPID: host,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return passkeyRules.wrongPasskey
    const { credential, credentialBackedUp: synced } = registrationInfo
    const credentialId = Buffer.from(credential.id, 'base64url')
    return {
      credentialId,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: known,
      synced,
    }
  } catch {
    return passkeyRules.wrongPasskey
  }
}
