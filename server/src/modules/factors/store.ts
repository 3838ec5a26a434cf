import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'

export type Totp = { id: number; secretSealed: string; addedAt: Date; usedAt: Date | null }

export function totpOf(db: Db, userId: number): Promise<Totp | undefined> {
  return db
    .selectFrom('totp')
    .select(['id', 'secret_sealed as secretSealed', 'added_at as addedAt', 'used_at as usedAt'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Takes the place of the one before. `step`: that of the code that proved it. */
export async function putTotp(
  tx: Tx,
  { userId, secretSealed, step, now }: { userId: number; secretSealed: string; step: number; now: Date },
): Promise<number> {
  await tx.deleteFrom('totp').where('user_id', '=', userId).execute()
  const added = await tx
    .insertInto('totp')
    .values({ user_id: userId, secret_sealed: secretSealed, last_step: step, added_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return added.id
}

/** Of any number of uses of a code at once, one succeeds: the code of a step works once, and none of an earlier step after it. */
export async function useStep(tx: Tx, userId: number, step: number, now: Date): Promise<boolean> {
  const used = await tx
    .updateTable('totp')
    .set({ last_step: step, used_at: now })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return used.numUpdatedRows === 1n
}

export async function deleteTotp(tx: Tx, userId: number, id?: number): Promise<boolean> {
  let deleted = tx.deleteFrom('totp').where('user_id', '=', userId)
  if (id !== undefined) deleted = deleted.where('id', '=', id)
  return (await deleted.executeTakeFirstOrThrow()).numDeletedRows > 0n
}

/** Null: none were made. */
export async function unusedRecoveryCodes(db: Db, userId: number): Promise<number | null> {
  const { made, unused } = await db
    .selectFrom('recovery_code')
    .select((e) => [
      e.fn.countAll<number>().as('made'),
      e.fn.countAll<number>().filterWhere('used_at', 'is', null).as('unused'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return made === 0 ? null : unused
}

export async function replaceRecoveryCodes(tx: Tx, userId: number, hashes: readonly Buffer[]): Promise<void> {
  await deleteRecoveryCodes(tx, userId)
  const codes = hashes.map((code_hash) => ({ code_hash, user_id: userId }))
  await tx.insertInto('recovery_code').values(codes).execute()
}

export async function deleteRecoveryCodes(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
}

export async function isUnusedRecoveryCode(db: Db, userId: number, hash: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom('recovery_code')
    .select('code_hash')
    .where('code_hash', '=', hash)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

/** Of any number of uses at once, one succeeds. */
export async function useRecoveryCode(tx: Tx, userId: number, hash: Buffer, now: Date): Promise<boolean> {
  const used = await tx
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('code_hash', '=', hash)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return used.numUpdatedRows === 1n
}

type NewCeremony = {
  tokenHash: Buffer
  userId: number
  /** Which alone can go on with it; a sign-in has none. */
  sessionId?: number
  kind: 'signIn' | 'totp' | 'passkey'
  deviceKey?: string
  /** JSON. */
  counted?: string
  secretSealed?: string
  /** The host that a passkey is added for. */
  rpId?: string
  isMailed?: boolean
  expiresAt: Date
}

export async function insertCeremony(db: Db, begun: NewCeremony): Promise<void> {
  await db
    .insertInto('ceremony')
    .values({
      token_hash: begun.tokenHash,
      user_id: begun.userId,
      session_id: begun.sessionId ?? null,
      kind: begun.kind,
      device_key: begun.deviceKey ?? null,
      counted: begun.counted ?? null,
      secret_sealed: begun.secretSealed ?? null,
      rp_id: begun.rpId ?? null,
      is_mailed: begun.isMailed ?? false,
      expires_at: begun.expiresAt,
    })
    .execute()
}

export type Ceremony = {
  userId: number
  deviceKey: string | null
  counted: unknown
  secretSealed: string | null
  rpId: string | null
  isMailed: boolean
  mailHash: Buffer | null
  /** Codes that it was tried with, the present one included. */
  tries: number
}

/** `begunBy`: by this session of this account alone. */
type Open = {
  tokenHash: Buffer
  kind: NewCeremony['kind']
  now: Date
  begunBy?: { userId: number; sessionId?: number }
}

/** Counts a try in advance, so that tries at once count, too. Undefined: it is over, or has had `most`. */
export function takeTry(db: Db, { tokenHash, kind, now, begunBy }: Open, most: number): Promise<Ceremony | undefined> {
  return db
    .updateTable('ceremony')
    .set((e) => ({ wrong: e('wrong', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .where('wrong', '<', most)
    .$if(begunBy !== undefined, (open) =>
      open
        .where('user_id', '=', begunBy?.userId ?? 0)
        .where((e) => e.or([e('session_id', 'is', null), e('session_id', '=', begunBy?.sessionId ?? 0)])),
    )
    .returning([
      'user_id as userId',
      'device_key as deviceKey',
      'counted',
      'secret_sealed as secretSealed',
      'rp_id as rpId',
      'is_mailed as isMailed',
      'mail_hash as mailHash',
      'wrong as tries',
    ])
    .executeTakeFirst()
}

export async function ownerOf(db: Db, { tokenHash, kind, now }: Open): Promise<number | undefined> {
  const found = await db
    .selectFrom('ceremony')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return found?.user_id
}

/** A try that was not looked at. */
export async function giveBackTry(db: Db, tokenHash: Buffer): Promise<void> {
  await db
    .updateTable('ceremony')
    .set((e) => ({ wrong: e('wrong', '-', 1) }))
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Whether it is there, with all its tries used. */
export async function isTriedOut(db: Db, { tokenHash, kind, now }: Open, most: number): Promise<boolean> {
  const found = await db
    .selectFrom('ceremony')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .where('wrong', '>=', most)
    .executeTakeFirst()
  return found !== undefined
}

/** Of any number of ends at once, one succeeds. */
export async function endCeremony(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const ended = await tx.deleteFrom('ceremony').where('token_hash', '=', tokenHash).executeTakeFirstOrThrow()
  return ended.numDeletedRows === 1n
}

/** Undefined: it is over, and no code is mailed any more. */
export async function keepMailedCode(
  db: Db,
  { tokenHash, now }: Pick<Open, 'tokenHash' | 'now'>,
  mailHash: Buffer,
): Promise<boolean> {
  const kept = await db
    .updateTable('ceremony')
    .set({ mail_hash: mailHash })
    .where('token_hash', '=', tokenHash)
    .where('is_mailed', '=', sql<boolean>`true`)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return kept.numUpdatedRows === 1n
}

export async function deleteCeremonies(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('ceremony').where('user_id', '=', userId).execute()
}

/** Of what a session has begun, `kept` that end last go on. */
export async function deleteBeginningsBeyond(tx: Tx, sessionId: number, kept: number): Promise<void> {
  const others = tx
    .selectFrom('ceremony')
    .select('token_hash')
    .where('session_id', '=', sessionId)
    .orderBy('expires_at', 'desc')
    .offset(kept)
  await tx.deleteFrom('ceremony').where('token_hash', 'in', others).execute()
}

export async function deleteOldCeremonies(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('ceremony').where('expires_at', '<=', now).execute()
}
