import { CompiledQuery, sql, type InferResult } from 'kysely'
import type { KeyScope } from '@ghanti/contract/keys.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { Db, Tx } from '../../db/db.ts'
import { isLive } from '../../db/live.ts'
import { prepared } from '../../db/prepared.ts'

export type Key = {
  keyId: number
  name: string
  last4: string
  scopes: KeyScope[]
  networks: string[] | null
  createdAt: Date
  expiresAt: Date | null
  endsAt: Date | null
  revokedAt: Date | null
  isPaused: boolean
  usedAt: Date | null
  usedFrom: string | null
}

const columns = [
  'k.id as keyId',
  'k.name',
  'k.last4',
  'k.created_at as createdAt',
  'k.expires_at as expiresAt',
  'k.ends_at as endsAt',
  'k.revoked_at as revokedAt',
  'k.is_paused as isPaused',
  'k.used_at as usedAt',
] as const
const scopes = sql<KeyScope[]>`k.scopes`.as('scopes')
const networks = sql<string[] | null>`k.networks::text[]`.as('networks')
const usedFrom = sql<string | null>`host(k.used_ip)`.as('usedFrom')

const listedMax = 100

/** For `where`: whether it works, or worked, after that moment. */
const lastsBeyond = (at: Date) => sql<boolean>`coalesce(least(expires_at, ends_at, revoked_at) > ${at}, true)`

/** The account's own: those that work first, the newest first, without those that ended before `endedAfter`. */
export function keysOf(db: Db, userId: number, { now, endedAfter }: { now: Date; endedAfter: Date }): Promise<Key[]> {
  return db
    .selectFrom('api_key as k')
    .select(columns)
    .select([scopes, networks, usedFrom])
    .where('k.user_id', '=', userId)
    .where(lastsBeyond(endedAfter))
    .orderBy(lastsBeyond(now), 'desc')
    .orderBy('k.id', 'desc')
    .limit(listedMax)
    .execute()
}

/** One that works and was not rolled, locked; undefined where the account has none with this id. */
export function keyToChange(tx: Tx, userId: number, keyId: number, now: Date): Promise<Key | undefined> {
  return tx
    .selectFrom('api_key as k')
    .select(columns)
    .select([scopes, networks, usedFrom])
    .where('k.id', '=', keyId)
    .where('k.user_id', '=', userId)
    .where(lastsBeyond(now))
    .forUpdate()
    .executeTakeFirst()
}

/** How many work that were not rolled. The caller has locked the account, so that two at once count each other. */
export async function countKeys(tx: Tx, userId: number, now: Date): Promise<number> {
  const { keys } = await tx
    .selectFrom('api_key')
    .select((e) => e.fn.countAll<number>().as('keys'))
    .where('user_id', '=', userId)
    .where('ends_at', 'is', null)
    .where(lastsBeyond(now))
    .executeTakeFirstOrThrow()
  return keys
}

/** How many work, rolled ones until they end included. */
export async function countWorking(db: Db, userId: number, now: Date): Promise<number> {
  const { keys } = await db
    .selectFrom('api_key')
    .select((e) => e.fn.countAll<number>().as('keys'))
    .where('user_id', '=', userId)
    .where('is_paused', '=', sql<boolean>`false`)
    .where(lastsBeyond(now))
    .executeTakeFirstOrThrow()
  return keys
}

export type NewKey = {
  userId: number
  name: string
  hash: Buffer
  last4: string
  scopes: readonly string[]
  networks: readonly string[] | null
  now: Date
  expiresAt: Date | null
}

export async function insertKey(tx: Tx, key: NewKey): Promise<number> {
  const { id } = await tx
    .insertInto('api_key')
    .values({
      user_id: key.userId,
      name: key.name,
      secret_hash: key.hash,
      last4: key.last4,
      scopes: [...key.scopes],
      networks: sql`${key.networks === null ? null : [...key.networks]}::cidr[]`,
      created_at: key.now,
      expires_at: key.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function endKey(tx: Tx, keyId: number, endsAt: Date): Promise<void> {
  await tx.updateTable('api_key').set({ ends_at: endsAt }).where('id', '=', keyId).execute()
}

/** Of one key, or of all that the account has. Returns how many worked until now. */
export async function revoke(tx: Tx, userId: number, now: Date, keyId?: number): Promise<number> {
  let revoked = tx.updateTable('api_key').set({ revoked_at: now }).where('user_id', '=', userId).where(lastsBeyond(now))
  if (keyId !== undefined) revoked = revoked.where('id', '=', keyId)
  return Number((await revoked.executeTakeFirstOrThrow()).numUpdatedRows)
}

export async function resumeAll(db: Db): Promise<number> {
  const resumed = await db.updateTable('api_key').set({ is_paused: false }).where('is_paused', '=', true)
  return Number((await resumed.executeTakeFirstOrThrow()).numUpdatedRows)
}

export async function resumeHooks(tx: Tx): Promise<number> {
  const resumed = tx.updateTable('hook').set({ is_paused: false }).where('is_paused', '=', true)
  return Number((await resumed.executeTakeFirstOrThrow()).numUpdatedRows)
}

/** Those that are sent somewhere. */
export async function switchOffHooks(tx: Tx, userId: number, reason: string): Promise<void> {
  await tx
    .updateTable('hook')
    .set({ state: 'off', reason })
    .where('user_id', '=', userId)
    .where('url_sealed', 'is not', null)
    .execute()
}

export async function deleteEnded(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('api_key')
    .where(sql<boolean>`least(expires_at, ends_at, revoked_at) < ${before}`)
    .execute()
}

export type KeyOwner = Key & {
  userId: number
  username: string
  role: Role
  parentId: number | null
  userExpiresAt: Date | null
}

function ownerQuery(db: Db, hash: Buffer) {
  return db
    .selectFrom('api_key as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .select(columns)
    .select([scopes, networks, usedFrom])
    .select(['k.user_id as userId', 'u.username', 'u.role', 'u.parent_id as parentId', 'u.expires_at as userExpiresAt'])
    .where('k.secret_hash', '=', hash)
    .where(isLive('u.path'))
}
let ownerText: string | undefined

/** Undefined for an unknown key and for an account that is not live. */
export async function findOwner(db: Db, hash: Buffer): Promise<KeyOwner | undefined> {
  ownerText ??= prepared('find_key', ownerQuery(db, hash).compile().sql)
  type Row = InferResult<ReturnType<typeof ownerQuery>>[number]
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(ownerText, [hash]))
  return rows[0]
}

export async function touch(db: Db, keyId: number, ip: string, now: Date): Promise<void> {
  await db.updateTable('api_key').set({ used_at: now, used_ip: ip }).where('id', '=', keyId).execute()
}
