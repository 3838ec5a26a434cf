import type { Factor } from '@ghanti/contract/factors.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { isFrozenText } from '../../db/frozen.ts'
import { AppError, badField } from '../../errors.ts'
import type { Origin } from '../../http/types.ts'
import type { Viewer } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { hasAnyFactor } from '../factors/actions-adding.ts'
import { passkeyHostOf } from '../factors/actions-assertion.ts'
import {
  fieldOf,
  factorSaid,
  proofIn,
  spendProof,
  wrongProof,
  type Proof,
  type Said,
} from '../factors/actions-prove.ts'
import { giveBackTry, giveTicket, tryTicket, useTicket } from '../factors/actions-ticket.ts'
import { ticketOver, triedTooOften } from '../factors/rules.ts'
import { elsewhere } from '../factors/rules-passkeys.ts'
import { settingOf } from '../platform/actions.ts'
import { tellOfSecurity } from '../security/actions.ts'
import { deviceCookie, deviceOf } from './actions-device.ts'
import { fromOf, isNewBrowser } from './actions-new-browser.ts'
import { verifyPassword, type Lane } from './actions-passwords.ts'
import {
  countSignIn,
  countTry,
  isFailureLogged,
  isKnownNetwork,
  waitMsOf,
  wasRight,
  type Counted,
} from './actions-throttle.ts'
import { inTurn } from './actions-turns.ts'
import { hasFactor, lacksFactor, openSession } from './actions.ts'
import * as rules from './rules.ts'
import { networkOf, wrongCodesTold } from './rules-throttle.ts'
import * as store from './store.ts'

export type SignInApp = Pick<App, 'db' | 'clock' | 'config' | 'jobs' | 'mail'>

type Credentials = { username: string; password: string; cookie: string | null }

export type SignedIn = { viewer: Viewer; token: string; device: string }
/** The password is right, and the account has a second factor. */
type Half = { ticket: string; factors: Factor[] }

export function signIn(app: SignInApp, credentials: Credentials, origin: Origin): Promise<SignedIn | Half> {
  return inTurn(app, credentials, origin, (lane) => trySignIn(app, credentials, origin, lane))
}

async function trySignIn(
  app: SignInApp,
  { username, password, cookie }: Credentials,
  origin: Origin,
  lane: Lane,
): Promise<SignedIn | Half> {
  const login = await store.findLogin(app.db, username)
  const tried = await countTry(app.db, {
    username: login?.username ?? username, // names that the database considers equal count as one
    origin,
    device: login ? deviceOf(app, cookie, login) : null,
    deviceKey: login?.deviceKey ?? null,
  })
  const right = await verifyPassword(login?.passwordHash ?? null, password, lane)
  if (!login || !right) {
    // An unknown name may be a password typed into the wrong field, so it is not logged.
    const [target, detail] = login ? [`user ${login.userId}`, { username: login.username }] : [null, {}]
    if (await isFailureLogged(app.db, login?.userId ?? null, origin))
      await audit(app.db, { viewer: null, origin }, 'login.failed', target, detail)
    throw new AppError('bad_credentials')
  }
  const isHalf = hasFactor(login)
  if (!isHalf) await tried.wasRight()
  await countSignIn(app.db, login.userId)
  requireOpen(app, login)
  // It goes on counting as a wrong one until the factor is right, so that a stolen password makes no network known.
  if (isHalf) {
    const factors = await factorsOf(app, login, origin)
    return { ticket: await giveTicket(app, { ...login, counted: tried.counted }), factors }
  }
  const opened = await app.db.transaction().execute((tx) => open(app, tx, login, origin, null))
  if (opened === null) throw new AppError('bad_credentials')
  return signedIn(app, login, { ...opened, factor: null }, { cookie, origin })
}

/** Those that can be used at this address. */
async function factorsOf(app: SignInApp, login: store.Login, { host }: Origin): Promise<Factor[]> {
  const { passkeyHosts, hasTotp, hasRecoveryCode } = login
  const here = passkeyHosts.length === 0 ? null : await passkeyHostOf(app, host)
  const factors: Factor[] = [
    ...(here !== null && passkeyHosts.includes(here) ? (['passkey'] as const) : []),
    ...(hasTotp ? (['totp'] as const) : []),
    ...(hasRecoveryCode ? (['recovery'] as const) : []),
  ]
  if (factors.length === 0) throw badField('passkey', elsewhere(passkeyHosts, false), 'elsewhere')
  return factors
}

/** After the password, or a passkey: others are not told. */
export function requireOpen({ clock }: Pick<App, 'clock'>, { userId, stoppedBy, expiresAt }: store.Login): void {
  if (stoppedBy) throw disabled(userId, stoppedBy)
  if (rules.accountExpired(expiresAt, clock.now())) throw new AppError('account_expired')
}

/** Accounts below do not learn why an account above was disabled, and nobody here why one was frozen: the password may be the thief's. */
function disabled(userId: number, stoppedBy: NonNullable<store.Login['stoppedBy']>): AppError {
  const { userId: stopperId, reason, isFrozen } = stoppedBy
  if (isFrozen) return new AppError('not_allowed', [{ field: 'username', code: 'frozen', text: isFrozenText }])
  const why = stopperId === userId ? reason : rules.disabledAbove
  return new AppError('not_allowed', [
    { field: 'username', code: 'disabled', text: `is disabled${why ? `: ${why}` : ''}` },
  ])
}

export async function open(app: SignInApp, tx: Tx, login: store.Login, origin: Origin, factor: Factor | null) {
  const isGiven = login.isPasswordGiven && (await settingOf(tx, 'firstPassword'))
  const must = isGiven ? 'password' : lacksFactor(login) ? 'factor' : null
  const opened = await openSession(app, tx, login, origin, { must, factor })
  // The account is locked now: one that was added since it was read is there.
  if (factor === null && (await hasAnyFactor(tx, login.userId))) throw new AppError('bad_credentials')
  return opened
}

type Opened = { token: string; sessionId: number; factor: Factor | null }

export async function signedIn(
  app: SignInApp,
  login: store.Login,
  { token, sessionId, factor }: Opened,
  { cookie, origin }: { cookie: string | null; origin: Origin },
): Promise<SignedIn> {
  const { userId, username, role, parentId } = login
  const viewer = { userId, username, role, parentId }
  const isNew = await isNewBrowser(app, { userId, cookie }, origin)
  await app.db.transaction().execute(async (tx) => {
    await audit(tx, { viewer, origin }, 'login', `user ${userId}`, factor === null ? {} : { factor })
    const told = { kind: 'newBrowser', userId, subjectId: sessionId, from: fromOf(origin) } as const
    if (isNew) await tellOfSecurity(app, tx, told)
  })
  return { viewer, token, device: deviceCookie(app, cookie, login) }
}

type SecondStep = Said & { ticket: string; cookie: string | null }

/**
 * The second step of a sign-in. The ticket's first code is the try that the password was counted as; each further one counts as a try of its own and
 * waits as wrong passwords do.
 */
export async function proveSignIn(app: SignInApp, step: SecondStep, origin: Origin): Promise<SignedIn> {
  const { ticket, cookie } = step
  const kind = factorSaid(step)
  const tried = await tryTicket(app, ticket)
  if (tried === 'tried') throw wrongFifth(kind)
  const login = tried && (await store.findLogin(app.db, tried))
  if (!login || login.deviceKey !== tried.deviceKey) throw ticketIsOver()
  const counted = tried.tries === 1 ? (tried.counted as Counted) : await countAgain(app, login, step, origin)
  requireOpen(app, login)
  const proof = await proofIn(app, login.userId, step, origin.host)
  if (proof instanceof AppError) {
    await audit(app.db, { viewer: null, origin }, 'login.factorFailed', `user ${login.userId}`, {
      username: login.username,
    })
    await tellOfWrongCode(app, login, step, origin)
    throw tried.isLast ? wrongFifth(kind) : proof
  }
  const opened = await openWith(app, login, { ticket, proof, origin })
  await wasRight(app.db, counted)
  return signedIn(app, login, opened, { cookie, origin })
}

/** Whoever typed it knows the password. A browser or network that signed in before is the owner's. */
async function tellOfWrongCode(app: SignInApp, login: store.Login, { cookie }: SecondStep, origin: Origin) {
  const { userId, deviceKey } = login
  if (deviceOf(app, cookie, login) !== null) return
  if (await isKnownNetwork(app.db, deviceKey, networkOf(origin.ip))) return
  if ((await waitMsOf(app.db, `wrong codes of ${userId} told`, wrongCodesTold)) > 0) return
  const told = { kind: 'wrongCodes', userId, from: fromOf(origin) } as const
  await app.db.transaction().execute((tx) => tellOfSecurity(app, tx, told))
}

const ticketIsOver = (): AppError => badField('ticket', ticketOver, 'over')
const wrongFifth = (kind: Factor): AppError => badField(fieldOf[kind], triedTooOften, 'tried')

async function countAgain(app: SignInApp, login: store.Login, step: SecondStep, origin: Origin): Promise<Counted> {
  const { username, deviceKey } = login
  const device = deviceOf(app, step.cookie, login)
  const field = fieldOf[factorSaid(step)]
  try {
    return (await countTry(app.db, { username, origin, device, deviceKey, field })).counted
  } catch (error) {
    await giveBackTry(app.db, step.ticket) // it was not looked at
    throw error
  }
}

/** Refused when somebody else used the code or the ticket meanwhile. Opening the session locks the account, so whatever removes factors waits or is seen. */
function openWith(
  app: SignInApp,
  login: store.Login,
  { ticket, proof, origin }: { ticket: string; proof: Proof; origin: Origin },
): Promise<Opened> {
  return app.db.transaction().execute(async (tx) => {
    const { factor } = proof
    const opened = await open(app, tx, login, origin, factor)
    if (opened === null || !(await useTicket(tx, ticket))) throw ticketIsOver()
    if (await spendProof(tx, login.userId, proof, { now: app.clock.now(), beside: 'password' }))
      return { ...opened, factor }
    throw wrongProof(factor)
  })
}
