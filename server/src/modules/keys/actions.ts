import { keysMax, type KeyRow, type KeyScope } from '@ghanti/contract/keys.ts'
import { instantOfNepalTime, nepalTimeOf } from '@ghanti/contract/time.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { lockOwn } from '../../db/open-session.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { hashOf } from '../../lib/secrets.ts'
import { audit } from '../audit/actions.ts'
import { tellOfSecurity, type SecurityEvent } from '../security/actions.ts'
import { newKey } from './actions-secret.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

export async function ownKeys({ app, viewer }: Ctx): Promise<KeyRow[]> {
  const now = app.clock.now()
  const keys = await store.keysOf(app.db, viewer.userId, { now, endedAfter: new Date(now.getTime() - rules.listedMs) })
  return keys.map((key) => ({
    keyId: key.keyId,
    name: key.name,
    last4: key.last4,
    scopes: key.scopes,
    networks: key.networks,
    state: rules.stateOf(key, now),
    createdAt: nepalTimeOf(key.createdAt),
    expiresAt: timeOf(key.expiresAt),
    endsAt: timeOf(key.endsAt),
    usedAt: timeOf(key.usedAt),
    usedFrom: key.usedFrom,
  }))
}

const timeOf = (at: Date | null): string | null => (at === null ? null : nepalTimeOf(at))

type Asked = {
  name: string
  scopes: readonly KeyScope[]
  networks?: readonly string[] | undefined
  expiresAt?: string | undefined
}
/** From where somebody acts, as the owner is told. */
export type Acting = Ctx & { from: NonNullable<SecurityEvent['from']> }
type Made = { keyId: number; key: string }

/** The key is in the answer and nowhere else. */
export async function makeKey(ctx: Acting, { name, scopes, networks, expiresAt }: Asked): Promise<Made> {
  const { app, viewer } = ctx
  const now = app.clock.now()
  const from = networksOf(networks)
  if (scopes.includes('credits:write') && from === null)
    throw badField('networks', 'are needed for the scope credits:write: say from where it may be used', 'required')
  const ends = expiryOf(expiresAt, now)
  if (ends === null && from === null)
    throw badField('expiresAt', 'may be none only for a key that names its networks', 'networks_needed')
  if (from === null && ends && ends.getTime() - now.getTime() > rules.longestMs)
    throw badField('expiresAt', 'may be in more than a year only for a key that names its networks', 'networks_needed')
  return await app.db.transaction().execute(async (tx) => {
    await lockOwn(tx, viewer)
    if ((await store.countKeys(tx, viewer.userId, now)) >= keysMax)
      throw conflict(
        'name',
        `would be the ${keysMax + 1}th key: an account has ${keysMax} at most. Revoke one first`,
        'full',
      )
    const made = await insert(tx, {
      userId: viewer.userId,
      name,
      scopes: [...new Set(scopes)],
      networks: from,
      now,
      expiresAt: ends,
    })
    await audit(tx, ctx, 'key.create', `key ${made.keyId}`, { name, scopes, networks: from })
    await tellOfSecurity(app, tx, { kind: 'keyMade', userId: viewer.userId, from: ctx.from })
    return made
  })
}

/** The new one lasts as long again as the one before was to last. */
export async function rollKey(ctx: Acting, keyId: number, overlapHours: number): Promise<Made> {
  const { app, viewer } = ctx
  const now = app.clock.now()
  return await app.db.transaction().execute(async (tx) => {
    await lockOwn(tx, viewer)
    const before = await store.keyToChange(tx, viewer.userId, keyId, now)
    if (!before) throw new AppError('not_found')
    if (before.endsAt) throw conflict('keyId', 'was rolled already: roll the one that follows it', 'rolled')
    const { name, scopes, networks, createdAt, expiresAt } = before
    const again = expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime())
    await store.endKey(tx, keyId, new Date(now.getTime() + overlapHours * 3600_000))
    const made = await insert(tx, { userId: viewer.userId, name, scopes, networks, now, expiresAt: again })
    await audit(tx, ctx, 'key.roll', `key ${keyId}`, { name, overlapHours, keyId: made.keyId })
    await tellOfSecurity(app, tx, { kind: 'keyMade', userId: viewer.userId, from: ctx.from })
    return made
  })
}

export async function revokeKey(ctx: Ctx, keyId: number): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute(async (tx) => {
    const revoked = await store.revoke(tx, viewer.userId, app.clock.now(), keyId)
    if (revoked === 0) throw new AppError('not_found')
    await audit(tx, ctx, 'key.revoke', `key ${keyId}`)
  })
}

/** Deletes keys that ended long ago. One process of any role calls it now and then. */
export function forgetOldKeys({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  return store.deleteEnded(db, new Date(clock.now().getTime() - rules.keptMs))
}

async function insert(tx: Tx, key: Omit<store.NewKey, 'hash' | 'last4'>): Promise<Made> {
  const secret = newKey()
  const keyId = await store.insertKey(tx, { ...key, hash: hashOf(secret), last4: secret.slice(-4) })
  return { keyId, key: secret }
}

/** Null: from everywhere. */
function networksOf(asked: readonly string[] | undefined): string[] | null {
  if (asked === undefined || asked.length === 0) return null
  const networks = asked.map((text) => {
    const read = rules.networkOf(text)
    if ('wrong' in read) throw badField('networks', read.wrong, 'network')
    return read.network
  })
  return [...new Set(networks)]
}

/** Null: never. */
function expiryOf(asked: string | undefined, now: Date): Date | null {
  if (asked === 'none') return null
  if (asked === undefined) return new Date(now.getTime() + rules.lifetimeMs)
  const at = instantOfNepalTime(asked)
  if (!at) throw badField('expiresAt', 'is not a time of the calendar', 'invalid')
  if (at <= now) throw badField('expiresAt', 'is over', 'past')
  return at
}
