import { CompiledQuery, sql, type InferResult } from 'kysely'
import { factors, type Factor } from '@ghanti/contract/factors.ts'
import type { NamesAtHand } from '@ghanti/contract/passwords.ts'
import type { Lacking } from '@ghanti/contract/sessions.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { Db, Tx } from '../../db/db.ts'
import { isLive } from '../../db/live.ts'
import { prepared } from '../../db/prepared.ts'
import type { AccountType } from '../../db/tables.ts'

export type Login = {
  userId: number
  username: string
  role: Role
  parentId: number | null
  passwordHash: string
  deviceKey: string
  /** The hosts that it has passkeys for; whether it has an authenticator app, and unused recovery codes. */
  passkeyHosts: string[]
  hasTotp: boolean
  hasRecoveryCode: boolean
  /** The setting that says who must have a second factor, as it is stored. */
  factorRule: unknown
  /** Whether an account above chose the password. */
  isPasswordGiven: boolean
  expiresAt: Date | null
  /** What disables it, the account itself or one above; null when it is live. */
  stoppedBy: { userId: number; reason: string | null; isFrozen: boolean } | null
}

/** By name, as it is typed, or by id. */
export async function findLogin(db: Db, who: string | { userId: number }): Promise<Login | undefined> {
  const logins = db
    .selectFrom('users')
    .leftJoinLateral(
      sql<{ stopper_id: number | null; stop_reason: string | null }>`account_stopped_by(users.path)`.as('s'),
      (on) => on.onTrue(),
    )
    .select(['id', 'username', 'role', 'parent_id', 'password_hash', 'password_given', 'device_key', 'expires_at'])
    .select(['s.stopper_id', 's.stop_reason'])
    .select(sql<boolean>`exists (select from account_frozen_by(users.path))`.as('is_frozen'))
    .select([
      sql<string[]>`array(select distinct p.rp_id from passkey p where p.user_id = users.id order by p.rp_id)`.as(
        'passkey_hosts',
      ),
      sql<boolean>`exists (select from totp where totp.user_id = users.id)`.as('has_totp'),
      sql<boolean>`exists (select from recovery_code r where r.user_id = users.id and r.used_at is null)`.as(
        'has_recovery_code',
      ),
      sql<unknown>`(select value from platform_setting where key = 'second_factor')`.as('factor_rule'),
    ])
    .where('deleted_at', 'is', null)
  const found =
    typeof who === 'string'
      ? logins.where(sql`lower(username)`, '=', sql<string>`lower(${who})`)
      : logins.where('id', '=', who.userId)
  const row = await found.executeTakeFirst()
  return (
    row && {
      userId: row.id,
      username: row.username,
      role: row.role,
      parentId: row.parent_id,
      passwordHash: row.password_hash,
      deviceKey: row.device_key,
      passkeyHosts: row.passkey_hosts,
      hasTotp: row.has_totp,
      hasRecoveryCode: row.has_recovery_code,
      factorRule: row.factor_rule,
      isPasswordGiven: row.password_given,
      expiresAt: row.expires_at,
      stoppedBy:
        row.stopper_id === null ? null : { userId: row.stopper_id, reason: row.stop_reason, isFrozen: row.is_frozen },
    }
  )
}

export async function deviceKeyOf(db: Db, userId: number): Promise<string> {
  const row = await db.selectFrom('users').select('device_key').where('id', '=', userId).executeTakeFirstOrThrow()
  return row.device_key
}

/** What others know of an account, and therefore guess first. */
export function namesAtHand(db: Db, userId: number): Promise<NamesAtHand> {
  return db
    .selectFrom('users')
    .leftJoin('users as parent', 'parent.id', 'users.parent_id')
    .select(['users.username', 'users.name', 'users.company', 'users.emailid'])
    .select((e) => e.fn.coalesce('parent.company', sql<string>`''`).as('parentCompany'))
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
}

export type SessionRow = {
  sessionId: number
  userId: number
  username: string
  role: Role
  parentId: number | null
  createdAt: Date
  lastSeenAt: Date
  /** Null: never. */
  userExpiresAt: Date | null
  must: Lacking | null
  provedAt: Date
}

function sessionQuery(db: Db, tokenHash: Buffer) {
  return db
    .selectFrom('session as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select([
      's.id',
      's.must',
      's.proved_at',
      's.user_id',
      's.created_at',
      's.last_seen_at',
      'u.username',
      'u.role',
      'u.parent_id',
      'u.expires_at',
    ])
    .where('s.token_hash', '=', tokenHash)
    .where(isLive('u.path'))
}
let sessionText: string | undefined

/** Undefined for an unknown token and for an account that is not live. */
export async function findSession(db: Db, tokenHash: Buffer): Promise<SessionRow | undefined> {
  sessionText ??= prepared('find_session', sessionQuery(db, tokenHash).compile().sql)
  type Row = InferResult<ReturnType<typeof sessionQuery>>[number]
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(sessionText, [tokenHash]))
  const [row] = rows
  return (
    row && {
      sessionId: row.id,
      userId: row.user_id,
      username: row.username,
      role: row.role,
      parentId: row.parent_id,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      userExpiresAt: row.expires_at,
      must: row.must === 'password' || row.must === 'factor' ? row.must : null,
      provedAt: row.proved_at ?? row.created_at,
    }
  )
}

type AccountAndProvider = {
  name: string
  accountType: AccountType
  /** Company, or else name, and telephone of the account above. Null for a super admin. */
  provider: { company: string; number: string } | null
}

export async function accountAndProvider(db: Db, userId: number): Promise<AccountAndProvider> {
  const { name, account_type, provider, number } = await db
    .selectFrom('users as u')
    .leftJoin('users as p', 'p.id', 'u.parent_id')
    .select(['u.name', 'u.account_type', 'p.number'])
    .select(sql<string | null>`coalesce(nullif(p.company, ''), p.name)`.as('provider'))
    .where('u.id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    name,
    accountType: account_type,
    provider: provider === null ? null : { company: provider, number: number ?? '' },
  }
}

type NewSession = {
  tokenHash: Buffer
  userId: number
  deviceKey: string
  must: Lacking | null
  factor: Factor | null
  now: Date
  ip: string
  userAgent: string
}

/**
 * The session's id; undefined when the account's device key has changed. Whoever changes it waits for this insert and then ends this session with the others. Sign-ins
 * of one account wait for each other, so that each sees the sessions that it may have to end.
 */
export async function insertSession(tx: Tx, session: NewSession): Promise<number | undefined> {
  const asItWas = tx
    .selectFrom('users')
    .select((e) => [
      'id',
      e.val(session.tokenHash).as('token_hash'),
      e.val(session.must).as('must'),
      e.val(session.factor).as('factor'),
      e.val(session.now).as('created_at'),
      e.val(session.now).as('last_seen_at'),
      e.val(session.ip).as('ip'),
      e.val(session.userAgent.slice(0, 500)).as('user_agent'),
    ])
    .where('id', '=', session.userId)
    .where('device_key', '=', session.deviceKey)
    .forNoKeyUpdate()
  const opened = await tx
    .insertInto('session')
    .columns(['user_id', 'token_hash', 'must', 'factor', 'created_at', 'last_seen_at', 'ip', 'user_agent'])
    .expression(asItWas)
    .returning('id')
    .executeTakeFirst()
  return opened?.id
}

/**
 * Ends sessions, so that `most` stay with the one that was just opened: first those of its own program and network, since a program that signs in for
 * each call would otherwise end the session of the person beside it; of these and then of the others the one unused for longest.
 */
export async function deleteSessionsBeyond(
  tx: Tx,
  { userId, ip, userAgent }: Pick<NewSession, 'userId' | 'ip' | 'userAgent'>,
  most: number,
): Promise<void> {
  const newest = sql`id = (select max(id) from session where user_id = ${userId})`
  const isAlike = sql`ip = ${ip} and user_agent = ${userAgent}`
  await tx
    .deleteFrom('session')
    .where('id', 'in', (sessions) =>
      sessions
        .selectFrom('session')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy(sql`case when ${newest} then 0 when ${isAlike} then 2 else 1 end`)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .offset(most),
    )
    .execute()
}

export type OpenSession = {
  id: number
  openedAt: Date
  lastSeenAt: Date
  ip: string
  userAgent: string
  factor: Factor | null
}

export async function openSessions(
  db: Db,
  userId: number,
  { openedAfter, seenAfter }: { openedAfter: Date; seenAfter: Date },
): Promise<OpenSession[]> {
  const sessions = await db
    .selectFrom('session')
    .select(['id', 'created_at as openedAt', 'last_seen_at as lastSeenAt', 'ip', 'user_agent as userAgent', 'factor'])
    .where('user_id', '=', userId)
    .where('created_at', '>', openedAfter)
    .where('last_seen_at', '>', seenAfter)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return sessions.map((session) => ({ ...session, factor: factorOf(session.factor) }))
}

/** A factor that a later release knows is none for this one. */
const factorOf = (stored: string | null): Factor | null => factors.find((factor) => factor === stored) ?? null

export async function touchSession(db: Db, tokenHash: Buffer, now: Date): Promise<void> {
  await db.updateTable('session').set({ last_seen_at: now }).where('token_hash', '=', tokenHash).execute()
}

export async function completeSession(tx: Tx, sessionId: number, must: Lacking | null): Promise<void> {
  await tx.updateTable('session').set({ must }).where('id', '=', sessionId).execute()
}

export async function proveSession(tx: Tx, sessionId: number, now: Date): Promise<void> {
  await tx.updateTable('session').set({ proved_at: now }).where('id', '=', sessionId).execute()
}

export async function deleteSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
}

export async function deleteSessions(db: Db, userId: number, exceptId?: number): Promise<number> {
  let sessions = db.deleteFrom('session').where('user_id', '=', userId)
  if (exceptId !== undefined) sessions = sessions.where('id', '<>', exceptId)
  return Number((await sessions.executeTakeFirstOrThrow()).numDeletedRows)
}

export async function deleteSessionOf(tx: Tx, userId: number, sessionId: number): Promise<number> {
  const ofAccount = tx.deleteFrom('session').where('user_id', '=', userId).where('id', '=', sessionId)
  return Number((await ofAccount.executeTakeFirstOrThrow()).numDeletedRows)
}

export async function deleteAllSessions(db: Db): Promise<number> {
  return Number((await db.deleteFrom('session').executeTakeFirstOrThrow()).numDeletedRows)
}

export async function deleteSessionsBelow(db: Db, userId: number): Promise<void> {
  await db
    .deleteFrom('session')
    .where('user_id', 'in', (users) =>
      users
        .selectFrom('users')
        .select('id')
        .where(sql<boolean>`path @> array[${userId}::int]`),
    )
    .execute()
}

export async function deleteOldSessions(db: Db, openedBefore: Date): Promise<void> {
  await db.deleteFrom('session').where('created_at', '<', openedBefore).execute()
}

/** No password opens the account until another is set: no hash is empty. Ends its reset links. */
export async function voidPassword(tx: Tx, userId: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: '' })
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .execute()
}

export async function demoAccountExists(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('is_demo', '=', true)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
