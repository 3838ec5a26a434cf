import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { domainsThatWork } from '../../db/working-domains.ts'

export type Passkey = {
  id: number
  host: string
  name: string
  credentialId: Buffer
  transports: string[]
  synced: boolean
  addedAt: Date
  usedAt: Date | null
  /** The password was changed since. */
  needsPassword: boolean
}

/** Those added first come first. */
export function passkeysOf(db: Db, userId: number): Promise<Passkey[]> {
  return db
    .selectFrom('passkey as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select([
      'p.id',
      'p.rp_id as host',
      'p.name',
      'p.credential_id as credentialId',
      'p.transports',
      'p.synced',
      'p.added_at as addedAt',
      'p.used_at as usedAt',
      sql<boolean>`p.device_key <> u.device_key`.as('needsPassword'),
    ])
    .where('p.user_id', '=', userId)
    .orderBy('p.id')
    .execute()
}

export type KnownPasskey = {
  id: number
  userId: number
  host: string
  publicKey: Buffer
  counter: number
  needsPassword: boolean
}

export function passkeyOfCredential(db: Db, credentialId: Buffer): Promise<KnownPasskey | undefined> {
  return db
    .selectFrom('passkey as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select([
      'p.id',
      'p.user_id as userId',
      'p.rp_id as host',
      'p.public_key as publicKey',
      'p.counter',
      sql<boolean>`p.device_key <> u.device_key`.as('needsPassword'),
    ])
    .where('p.credential_id', '=', credentialId)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

type NewPasskey = {
  userId: number
  host: string
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
  synced: boolean
  name: string
  now: Date
}

/** Undefined when somebody has it. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<number | undefined> {
  const row = tx
    .selectFrom('users')
    .select((e) => [
      'id',
      e.val(passkey.host).as('rp_id'),
      e.val(passkey.credentialId).as('credential_id'),
      e.val(passkey.publicKey).as('public_key'),
      e.val(passkey.counter).as('counter'),
      e.val(passkey.transports).as('transports'),
      e.val(passkey.synced).as('synced'),
      e.val(passkey.name).as('name'),
      'device_key',
      e.val(passkey.now).as('added_at'),
    ])
    .where('id', '=', passkey.userId)
  const added = await tx
    .insertInto('passkey')
    .columns([
      'user_id',
      'rp_id',
      'credential_id',
      'public_key',
      'counter',
      'transports',
      'synced',
      'name',
      'device_key',
      'added_at',
    ])
    .expression(row)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added?.id
}

/** Of any number of uses of a challenge at once, one succeeds. */
export async function useChallenge(tx: Tx, challengeHash: Buffer, expiresAt: Date): Promise<boolean> {
  const used = await tx
    .insertInto('used_challenge')
    .values({ challenge_hash: challengeHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return used.numInsertedOrUpdatedRows === 1n
}

/** Alone, or together with the password, after which it does alone again. */
export type Beside = 'nothing' | 'password'

type Use = { id: number; userId: number; counter: number; synced: boolean; beside: Beside; now: Date }

/**
 * False when it was removed, or its counter has gone back meanwhile: it rises with each use, or is always 0. Alone also when the password has been
 * changed since the two were last used together.
 */
export async function usePasskey(tx: Tx, { id, userId, counter, synced, beside, now }: Use): Promise<boolean> {
  const deviceKey = sql<string>`(select u.device_key from users u where u.id = passkey.user_id)`
  const used = await tx
    .updateTable('passkey')
    .set({ counter, synced, used_at: now })
    .$if(beside === 'password', (update) => update.set({ device_key: deviceKey }))
    .$if(beside === 'nothing', (update) => update.where('device_key', '=', deviceKey))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where((e) =>
      e.or([e('counter', '<', counter), e.and([e('counter', '=', 0), e(e.val(counter), '=', sql<number>`0`)])]),
    )
    .executeTakeFirstOrThrow()
  return used.numUpdatedRows === 1n
}

export async function deletePasskeys(tx: Tx, userId: number, id?: number): Promise<boolean> {
  let deleted = tx.deleteFrom('passkey').where('user_id', '=', userId)
  if (id !== undefined) deleted = deleted.where('id', '=', id)
  return (await deleted.executeTakeFirstOrThrow()).numDeletedRows > 0n
}

export async function deleteOldChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('used_challenge').where('expires_at', '<=', now).execute()
}

export async function isWorkingDomain(db: Db, hostname: string): Promise<boolean> {
  return (await domainsThatWork(db, hostname).select('brand_domain.hostname').executeTakeFirst()) !== undefined
}
