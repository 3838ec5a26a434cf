import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { isLive } from '../../db/live.ts'

/** Only one transaction at a time changes counts. Two that count several would deadlock. */
export async function lockCounts(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('mail counts'))`.execute(tx)
}

export type Limit = { counted: string; max: number }

/** Counts one more for each limit that is not reached, and returns those. With several limits call `lockCounts` first. */
export async function count(tx: Tx, limits: readonly Limit[], day: string): Promise<Set<string>> {
  const { rows } = await sql<{ counted: string }>`
    insert into mail_count as c (counted, day, mails)
    select l.counted, ${day}::date, 1 from unnest(${limits.map(({ counted }) => counted)}::text[]) as l (counted)
    on conflict (counted, day) do update set mails = c.mails + 1
      where c.mails < (select max from unnest(${limits.map(({ counted }) => counted)}::text[], ${limits.map(({ max }) => max)}::int[]) as m (counted, max)
                        where m.counted = c.counted)
    returning counted`.execute(tx)
  return new Set(rows.map(({ counted }) => counted))
}

export async function countBack(tx: Tx, counted: readonly string[], day: string): Promise<void> {
  await sql`update mail_count set mails = mails - 1 where counted = any (${counted}::text[]) and day = ${day}::date`.execute(
    tx,
  )
}

export async function forgetCount(tx: Tx, counted: string): Promise<void> {
  await sql`delete from mail_count where counted = ${counted}`.execute(tx)
}

export async function countedOn(db: Db, counted: string, day: string): Promise<number> {
  const { rows } = await sql<{ mails: number }>`
    select mails from mail_count where counted = ${counted} and day = ${day}::date`.execute(db)
  return rows[0]?.mails ?? 0
}

/** Asks for a link to the account's current address, unless it is confirmed. */
export async function ask(tx: Tx, userId: number, causedBy: number): Promise<void> {
  await sql`
    insert into mail_verification_due (user_id, emailid, caused_by)
    select id, emailid, ${causedBy} from users where id = ${userId} and verified_emailid is distinct from emailid
    on conflict (user_id) do update set emailid = excluded.emailid, caused_by = excluded.caused_by, not_before = null`.execute(
    tx,
  )
}

export type Due = { userId: number; emailid: string; causedBy: number; tree: number | null; branch: number | null }

/** The account at the top of the resellers above an account, and the one right below that; the account itself may be either. */
const treeOf = (account: string) => sql<number | null>`
  (select top.id from users by join users top on top.id = any (by.path) and top.role <> 'superAdmin'
    where by.id = ${sql.ref(account)} order by cardinality(top.path) limit 1)`
const branchOf = (account: string) => sql<number | null>`
  (select top.id from users by join users top on top.id = any (by.path) and top.role <> 'superAdmin'
    where by.id = ${sql.ref(account)} order by cardinality(top.path) limit 1 offset 1)`

export async function rootsOf(db: Db, userId: number): Promise<{ tree: number | null; branch: number | null }> {
  const { rows } = await sql<{ tree: number | null; branch: number | null }>`
    select ${treeOf('u.id')} as tree, ${branchOf('u.id')} as branch from users u where u.id = ${userId}`.execute(db)
  return rows[0] ?? { tree: null, branch: null }
}

/**
 * Links that are due, the oldest first. An account that is not live waits until it is. `tree`: the reseller at the top of whoever caused it,
 * null for a super admin. `branch`: the account right below that reseller.
 */
export async function due(tx: Tx, now: Date, limit: number): Promise<Due[]> {
  await sql`
    delete from mail_verification_due d using users u
     where u.id = d.user_id and (u.deleted_at is not null or u.emailid <> d.emailid or u.verified_emailid = u.emailid)`.execute(
    tx,
  )
  const { rows } = await sql<Due>`
    select d.user_id as "userId", d.emailid, d.caused_by as "causedBy", ${treeOf('d.caused_by')} as tree, ${branchOf('d.caused_by')} as branch
      from mail_verification_due d join users u on u.id = d.user_id
     where (d.not_before is null or d.not_before <= ${now}) and ${isLive('u.path')}
     order by d.asked_at limit ${limit}`.execute(tx)
  return rows
}

/** Removes links that have been sent. An address that replaced one meanwhile stays due. */
export async function forgetDue(tx: Tx, done: readonly Due[]): Promise<void> {
  await sql`
    delete from mail_verification_due d
      using unnest(${done.map(({ userId }) => userId)}::int[], ${done.map(({ emailid }) => emailid)}::text[]) as sent(user_id, emailid)
     where d.user_id = sent.user_id and d.emailid = sent.emailid`.execute(tx)
}

export async function postpone(tx: Tx, userIds: readonly number[], until: Date): Promise<void> {
  await sql`update mail_verification_due set not_before = ${until} where user_id = any (${userIds}::int[])`.execute(tx)
}

/** `hasPassword`: otherwise the owner still is to choose one. */
type Address = { emailid: string; confirmed: boolean; waits: boolean; hasPassword: boolean; lastSentAt: Date | null }

export async function addressOf(db: Db, userId: number): Promise<Address | undefined> {
  const { rows } = await sql<Address>`
    select u.emailid, u.verified_emailid is not distinct from u.emailid as confirmed, u.password_hash <> '' as "hasPassword",
           exists (select from mail_verification_due d where d.user_id = u.id and d.not_before is not null) as waits,
           (select max(v.sent_at) from mail_verification v where v.user_id = u.id and v.emailid = u.emailid) as "lastSentAt"
      from users u where u.id = ${userId} and ${isLive('u.path')}`.execute(db)
  return rows[0]
}

export type Link = { tokenHash: Buffer; userId: number; emailid: string; sentAt: Date; expiresAt: Date }

export async function insertLink(db: Db, link: Link): Promise<void> {
  await db
    .insertInto('mail_verification')
    .values({
      token_hash: link.tokenHash,
      user_id: link.userId,
      emailid: link.emailid,
      sent_at: link.sentAt,
      expires_at: link.expiresAt,
    })
    .execute()
}

export type KnownLink = { userId: number; usedAt: Date | null; expiresAt: Date; isOfNow: boolean }

/** Locks a link and its account, so that of several uses at once one succeeds. `isOfNow`: the account still has that address. */
export async function findLink(tx: Tx, tokenHash: Buffer): Promise<KnownLink | undefined> {
  const { rows } = await sql<KnownLink>`
    select v.user_id as "userId", v.used_at as "usedAt", v.expires_at as "expiresAt", u.emailid = v.emailid as "isOfNow"
      from mail_verification v join users u on u.id = v.user_id and u.deleted_at is null
     where v.token_hash = ${tokenHash} for update of u, v`.execute(tx)
  return rows[0]
}

/** Confirms the account's address and ends all other links to it. */
export async function confirm(tx: Tx, userId: number, now: Date): Promise<void> {
  await sql`update users set verified_emailid = emailid where id = ${userId}`.execute(tx)
  await sql`update mail_verification set used_at = ${now} where user_id = ${userId} and used_at is null`.execute(tx)
  await sql`delete from mail_verification_due where user_id = ${userId}`.execute(tx)
}

export async function deleteOld(db: Db, { expiredBefore, day }: { expiredBefore: Date; day: string }): Promise<void> {
  await db.deleteFrom('mail_verification').where('expires_at', '<', expiredBefore).execute()
  await sql`delete from mail_count where day < ${day}::date`.execute(db)
}
