import { hooksMax, type DeliveryRow, type HookEvent, type HookRow, type hookRoutes } from '@ghanti/contract/hooks.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import { instantOfNepalTime, nepalTimeOf } from '@ghanti/contract/time.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { lockOwn } from '../../db/open-session.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { seal } from '../../lib/secrets.ts'
import { policyOf } from '../after-call/actions-address.ts'
import { reachOf, whyNotAsked, words as addressWords } from '../after-call/rules.ts'
import { audit } from '../audit/actions.ts'
import { confirmedAddressOf } from '../security/actions.ts'
import { newSecret } from './actions-signature.ts'
import * as rules from './rules.ts'
import { words } from './rules.ts'
import * as store from './store.ts'

const timeOf = (at: Date | null): string | null => at && nepalTimeOf(at)

export async function ownHooks({ app, viewer }: Ctx): Promise<HookRow[]> {
  const now = app.clock.now()
  const hooks = await store.hooksOf(app.db, viewer.userId)
  return hooks.map((hook) => ({
    hookId: hook.hookId,
    host: hook.host,
    events: hook.events,
    state: rules.stateShown(hook),
    reason: hook.reason,
    restsUntil: hook.state === 'resting' ? timeOf(hook.restUntil) : null,
    rotatesUntil: hook.beforeUntil && hook.beforeUntil > now ? timeOf(hook.beforeUntil) : null,
    createdAt: nepalTimeOf(hook.createdAt),
    deliveredAt: timeOf(hook.deliveredAt),
  }))
}

/** What a new address is stored as. Throws when it may not be asked. */
async function addressOf({ app }: Ctx, asked: string): Promise<{ host: string; urlSealed: string }> {
  const url = new URL(asked)
  url.hash = ''
  const policy = await policyOf(app)
  const isListed = policy.hosts.includes(url.host)
  const refused = whyNotAsked(policy, url) ?? (url.protocol === 'https:' || isListed ? null : words.plain)
  if (refused !== null) throw badField('url', refused, 'invalid')
  if (!(await app.addresses.mayReach(url, reachOf(policy, url))))
    throw badField('url', addressWords.privateAddress, 'invalid')
  return { host: url.host, urlSealed: seal(app.config.secret, rules.urlPurpose, url.href) }
}

type Made = { hookId: number; secret: string | null }

/** The secret is in the answer and, sealed, in the database. */
export async function makeHook(ctx: Ctx, { url, events }: InputOf<typeof hookRoutes.create>): Promise<Made> {
  const { app, viewer } = ctx
  const { userId } = viewer
  const secret = url === undefined ? null : newSecret()
  const address = url === undefined ? null : await addressOf(ctx, url)
  const wanted = [...new Set<HookEvent>(events)]
  return await app.db.transaction().execute(async (tx) => {
    await lockOwn(tx, viewer)
    if ((await store.countHooks(tx, userId)) >= hooksMax) throw conflict('url', words.tooMany(hooksMax), 'full')
    const hookId = await store.insertHook(tx, {
      userId,
      events: wanted,
      now: app.clock.now(),
      address: address && secret ? { ...address, secretSealed: sealed(app, secret) } : null,
    })
    if (address) await store.insertTest(tx, userId, hookId)
    if (address && (await confirmedAddressOf(tx, userId))) await store.chooseMail(tx, userId)
    await audit(tx, ctx, 'hook.create', `hook ${hookId}`, { host: address?.host ?? null, events: wanted })
    return { hookId, secret }
  })
}

const sealed = ({ config }: Pick<App, 'config'>, secret: string): string =>
  seal(config.secret, rules.secretPurpose, secret)

export async function changeHook(ctx: Ctx, input: InputOf<typeof hookRoutes.update>): Promise<void> {
  const { hookId, url, events } = input
  const address = url === undefined ? null : await addressOf(ctx, url)
  await changing(ctx, hookId, async (tx, hook) => {
    if (address && hook.host === null) throw conflict('url', words.noAddress, 'no_address')
    const wanted = events && [...new Set<HookEvent>(events)]
    if (wanted) await store.setEvents(tx, hookId, wanted)
    if (address) {
      await store.setAddress(tx, hookId, address)
      await store.insertTest(tx, ctx.viewer.userId, hookId)
    }
    const detail = { ...(address && { host: address.host }), ...(wanted && { events: wanted }) }
    await audit(tx, ctx, 'hook.update', `hook ${hookId}`, detail)
  })
}

export async function testHook(ctx: Ctx, hookId: number): Promise<number> {
  return await changing(ctx, hookId, async (tx, hook) => {
    if (hook.host === null) throw conflict('hookId', words.noAddress, 'no_address')
    const deliveryId = await store.insertTest(tx, ctx.viewer.userId, hookId)
    await audit(tx, ctx, 'hook.test', `hook ${hookId}`)
    return deliveryId
  })
}

/** The secret before signs for a day more. One that was before that signs no more. */
export async function rotateSecret(ctx: Ctx, hookId: number): Promise<Made> {
  const { app } = ctx
  return await changing(ctx, hookId, async (tx, hook) => {
    if (hook.host === null) throw conflict('hookId', words.noAddress, 'no_address')
    const secret = newSecret()
    const until = new Date(app.clock.now().getTime() + rules.rotatingMs)
    await store.setSecret(tx, hookId, sealed(app, secret), until)
    await audit(tx, ctx, 'hook.rotate', `hook ${hookId}`)
    return { hookId, secret }
  })
}

export async function deleteHook(ctx: Ctx, hookId: number): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute(async (tx) => {
    if ((await store.deleteHook(tx, viewer.userId, hookId)) === 0) throw new AppError('not_found')
    await audit(tx, ctx, 'hook.delete', `hook ${hookId}`)
  })
}

type ToChange = NonNullable<Awaited<ReturnType<typeof store.hookToChange>>>
async function changing<R>(
  { app, viewer }: Ctx,
  hookId: number,
  change: (tx: Tx, hook: ToChange) => Promise<R>,
): Promise<R> {
  return await app.db.transaction().execute(async (tx) => {
    await lockOwn(tx, viewer)
    const hook = await store.hookToChange(tx, viewer.userId, hookId)
    if (!hook) throw new AppError('not_found')
    return await change(tx, hook)
  })
}

type Replayed = InputOf<typeof hookRoutes.replay>

/** Returns how many are sent again. */
export async function sendAgain(ctx: Ctx, { deliveryId, failedSince, hookId }: Replayed): Promise<number> {
  const { app, viewer } = ctx
  if ((deliveryId === undefined) === (failedSince === undefined)) throw badField('deliveryId', words.oneOf, 'invalid')
  const since = failedSince === undefined ? null : instantOfNepalTime(failedSince)
  if (failedSince !== undefined && !since) throw badField('failedSince', 'is not a time of the calendar', 'invalid')
  return await app.db.transaction().execute(async (tx) => {
    const deliveries = await putBack(tx, viewer.userId, { deliveryId, since, hookId })
    await audit(tx, ctx, 'hook.replay', hookId === undefined ? null : `hook ${hookId}`, { deliveries })
    return deliveries
  })
}

type PutBack = { deliveryId: number | undefined; since: Date | null; hookId: number | undefined }
async function putBack(tx: Tx, userId: number, { deliveryId, since, hookId }: PutBack): Promise<number> {
  if (since) {
    if (hookId !== undefined && !(await store.isHookOf(tx, userId, hookId))) throw new AppError('not_found')
    return await store.sendFailedAgain(tx, { userId, since, hookId, limit: rules.replayedMax })
  }
  const id = deliveryId ?? 0
  const ended = await store.endedDelivery(tx, userId, id)
  if (!ended) throw new AppError('not_found')
  if (ended.isDeleted) throw conflict('deliveryId', words.deleted, 'deleted')
  await store.sendAgain(tx, id)
  return 1
}

const listedMax = 50

export async function deliveriesOf(
  { app, viewer }: Ctx,
  { hookId, before, state }: InputOf<typeof hookRoutes.deliveries>,
): Promise<DeliveryRow[]> {
  if (!(await store.isHookOf(app.db, viewer.userId, hookId))) throw new AppError('not_found')
  const rows = await store.deliveriesOf(app.db, hookId, { before, state }, listedMax)
  return rows.map((row) => ({
    deliveryId: row.deliveryId,
    eventId: rules.eventIdOf(row.key),
    type: row.type as DeliveryRow['type'],
    at: nepalTimeOf(row.at),
    state: row.state,
    tries: row.tries,
    dueAt: row.state === 'waiting' ? nepalTimeOf(row.dueAt) : null,
    triedAt: timeOf(row.triedAt),
    status: row.status,
    ms: row.ms,
    reason: row.reason,
  }))
}

const deletedAtOnce = 5000

/** Deletes what is older than seven days, and hooks of deleted accounts. One process of any role calls it now and then. */
export async function forgetOldHooks({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - rules.keptMs)
  await store.deleteOfDeleted(db)
  while ((await store.deleteOldEvents(db, before, deletedAtOnce)) === deletedAtOnce);
}
