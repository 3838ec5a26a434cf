import { takesMessages } from '@ghanti/contract/operators.ts'
import { dialable, phoneDigits, whyNotDialable } from '@ghanti/contract/phone.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import type { smsGatewayRoutes } from '@ghanti/contract/sms-gateways.ts'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../db/db.ts'
import { refuseTaken } from '../../db/unique-conflict.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { namesOf } from '../../lib/list-of-names.ts'
import { seal } from '../../lib/secrets.ts'
import { audit } from '../audit/actions.ts'
import { demoAccountExists } from '../auth/actions.ts'
import { platformBlacklists } from '../blacklist/actions.ts'
import { demoOnlyHere } from '../dialers/rules-address.ts'
import {
  farField,
  gatewaySecretsPurpose,
  readableSecrets,
  placeOf,
  plainPlaceOf,
  secretsAfter,
  storedSettings,
  type GatewayInput,
  type Secrets,
} from './rules-settings.ts'
import { gatewayWords as words, routeName } from './rules.ts'
import * as store from './store.ts'

/** The engine connects to it within seconds. */
export async function createGateway(ctx: Ctx, input: GatewayInput): Promise<number> {
  const { app } = ctx
  const secrets = secretsAfter(input, {})
  requireToken(input, secrets)
  const gateway = {
    name: input.gatewayName,
    driver: input.driver,
    settings: JSON.stringify(storedSettings(input)),
    unknown_charged: input.unknownCharged ?? null,
    secrets_sealed: sealed(app, secrets),
  }
  return app.db.transaction().execute(async (tx) => {
    await requireAllowed(tx, app, input)
    await requireOwnLogin(tx, input, null)
    const gatewayId = await refuseTaken(taken(input.gatewayName), () => store.insert(tx, gateway))
    await audit(tx, ctx, 'gateway.create', `gateway ${gatewayId}`, forAudit(input))
    return gatewayId
  })
}

export async function updateGateway(ctx: Ctx, { gatewayId, ...input }: InputOf<typeof smsGatewayRoutes.update>) {
  const { app } = ctx
  await app.db.transaction().execute(async (tx) => {
    await store.lockLogins(tx)
    const before = await store.lock(tx, gatewayId)
    if (!before) throw new AppError('not_found')
    await requireAllowed(tx, app, input)
    await requireOwnLogin(tx, input, gatewayId)
    const settings = storedSettings(input)
    const known = before.driver === input.driver ? secretsIn(app, before.secrets_sealed) : {}
    const secrets = secretsAfter(input, known)
    requireToken(input, secrets)
    requireSecretAgain(placeOf(before) === placeOf({ driver: input.driver, settings }), known, input)
    const change = {
      name: input.gatewayName,
      driver: input.driver,
      settings: JSON.stringify(settings),
      unknown_charged: input.unknownCharged ?? null,
      secrets_sealed: sealed(app, secrets),
      changed_at: app.clock.now(),
    }
    await refuseTaken(taken(input.gatewayName), () => store.update(tx, gatewayId, change))
    await audit(tx, ctx, 'gateway.update', `gateway ${gatewayId}`, forAudit(input))
  })
}

/** Receipts go to whoever is bound with the sending login: two gateways with one login would get each other's and not find their messages. */
async function requireOwnLogin(tx: Tx, input: GatewayInput, exceptId: number | null): Promise<void> {
  const { driver, systemId } = input
  if (driver !== 'smpp' || systemId === undefined) return
  await store.lockLogins(tx)
  const place = plainPlaceOf({ driver, settings: storedSettings(input) })
  const there = await store.withLogin(tx, { systemId, exceptId })
  const other = there.find((gateway) => plainPlaceOf(gateway) === place)
  if (other) throw conflict('systemId', words.sameLogin(other.name), 'taken')
}

/** A request template that needs a missing secret would fail every time. */
function requireToken({ driver, url, body, headers = {} }: GatewayInput, { token, receiptSecret }: Secrets): void {
  const hasPlace = (place: string): boolean =>
    driver === 'http' && [url, body, ...Object.values(headers)].some((part) => part?.includes(place))
  if (hasPlace('{token}') && token === undefined) throw badField('token', words.tokenMissing, 'required')
  if (hasPlace('{callback}') && receiptSecret === undefined)
    throw badField('receiptSecret', words.callbackMissing, 'required')
}

/** A secret was given for one place; for another it must be entered again. */
function requireSecretAgain(isThere: boolean, known: Secrets, input: GatewayInput): void {
  if (isThere) return
  for (const field of ['password', 'token'] as const)
    if (known[field] !== undefined && input[field] === undefined) throw badField(field, words.secretAgain, 'required')
}

/** A disabled gateway sends nothing more; messages in flight are still answered. */
export async function enableGateway(ctx: Ctx, gatewayId: number, enabled: boolean): Promise<void> {
  const { app } = ctx
  await app.db.transaction().execute(async (tx) => {
    const gateway = await store.lock(tx, gatewayId)
    if (!gateway) throw new AppError('not_found')
    if (gateway.enabled === enabled) return
    await store.update(tx, gatewayId, { enabled })
    const action = enabled ? 'gateway.enable' : 'gateway.disable'
    await audit(tx, ctx, action, `gateway ${gatewayId}`, { name: gateway.name })
  })
}

export async function deleteGateway(ctx: Ctx, gatewayId: number): Promise<void> {
  const { app } = ctx
  await app.db.transaction().execute(async (tx) => {
    const gateway = await store.lock(tx, gatewayId)
    if (!gateway) throw new AppError('not_found')
    const routes = await store.routesThrough(tx, gatewayId)
    if (routes.length > 0) throw conflict('gatewayId', words.onRoutes(namesOf(routes.map(routeName))), 'in_use')
    const messages = await store.inFlight(tx, gatewayId)
    if (messages > 0) throw conflict('gatewayId', words.inFlight(messages), 'in_use')
    await store.update(tx, gatewayId, { deleted_at: app.clock.now(), secrets_sealed: null })
    await audit(tx, ctx, 'gateway.delete', `gateway ${gatewayId}`, { name: gateway.name })
  })
}

type Asked = InputOf<typeof smsGatewayRoutes.test>

/** Queues the test for the engine connected with the gateway; refused when none is. */
export async function askTest(ctx: Ctx, { gatewayId, testKind, mobile, smsText, cliName }: Asked): Promise<number> {
  const { app, viewer } = ctx
  return app.db.transaction().execute(async (tx) => {
    const gateway = await store.lock(tx, gatewayId)
    if (!gateway) throw new AppError('not_found')
    const message =
      testKind === 'message'
        ? { ...(await requireMessage(tx, mobile, smsText)), sender: cliName ?? defaultSender }
        : { phone: null, text: null, sender: null }
    if (!gateway.enabled) throw conflict('gatewayId', words.disabled, 'disabled')
    if (!(await store.isHeldByEngine(tx, gatewayId))) throw conflict('gatewayId', words.noEngine, 'no_engine')
    if (await store.isTesting(tx, gatewayId)) throw conflict('gatewayId', words.testing, 'busy')
    const test = { gateway_id: gatewayId, kind: testKind, ...message, by_user_id: viewer.userId }
    const testId = await store.insertTest(tx, test)
    await audit(tx, ctx, 'gateway.test', `gateway ${gatewayId}`, { testId, kind: testKind, mobile: message.phone })
    return testId
  })
}
const defaultSender = 'Ghanti'

/** Blacklists apply to tests too. */
async function requireMessage(tx: Tx, mobile: string | undefined, text: string | undefined) {
  if (mobile === undefined) throw badField('mobile', 'is required', 'required')
  if (text === undefined) throw badField('smsText', 'is required', 'required')
  const phone = dialable(mobile)
  if (!phone) throw badField('mobile', whyNotDialable(mobile), 'not_dialable')
  const digits = phoneDigits(phone)
  if (!takesMessages(digits)) throw badField('mobile', words.noMobile, 'no_mobile')
  if (await platformBlacklists(tx, digits)) throw badField('mobile', words.blacklisted, 'blacklisted')
  return { phone: digits, text }
}

/** Those of these gateways that exist, locked until `tx` ends. */
export function holdGateways(tx: Tx, gatewayIds: readonly number[]): Promise<number[]> {
  return store.hold(tx, gatewayIds)
}

export function forgetOldGatewayTests(db: Db): Promise<void> {
  return store.forgetOldTests(db)
}

async function requireAllowed(tx: Tx, app: App, input: GatewayInput): Promise<void> {
  if (input.driver === 'simulator' && !app.config.embedded) throw badField('driver', words.onlyInDemo)
  const far = farField(input)
  if (far && (await demoAccountExists(tx))) throw badField(far, demoOnlyHere, 'demo')
}

/** Secrets sealed with another SECRET cannot be read and must be entered again. */
export const secretsIn = (app: App, sealed: string | null): Secrets => readableSecrets(app.config.secret, sealed) ?? {}

function sealed(app: App, secrets: Secrets): string | null {
  if (Object.keys(secrets).length === 0) return null
  return seal(app.config.secret, gatewaySecretsPurpose, JSON.stringify(secrets))
}

const taken = (value: string) => ({ constraint: 'sms_gateway_name', field: 'gatewayName', value })

/** The audit log records only which secrets were replaced. */
function forAudit(input: GatewayInput) {
  const { gatewayName, password, token, receiptSecret, headers: _, body: __, ...rest } = input
  const isNew = [password, token, receiptSecret].some((secret) => secret !== undefined)
  return { name: gatewayName, ...rest, newSecret: isNew }
}
