import type { SummaryFormats, UnsentReason } from '@ghanti/contract/summary-mails.ts'
import type { Calendar, Language } from '@ghanti/contract/templates.ts'
import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { isLive } from '../../db/live.ts'
import type { SummaryAddress, SummaryChoice } from '../../db/tables.ts'

export type Written = { formats: SummaryFormats; language: Language; calendar: Calendar }
export type Choice = Written & { dailyHour: number | null; onCompletion: boolean }

/** The values were validated before they were stored. */
const writtenOf = (row: { formats: string; language: string; calendar: string }): Written => row as Written

export async function choiceOf(db: Db, userId: number): Promise<Choice | undefined> {
  const row = await db.selectFrom('summary_choice').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row && { ...writtenOf(pick(row)), dailyHour: row.daily_hour, onCompletion: row.on_completion }
}

const pick = ({ formats, language, calendar }: Selectable<SummaryChoice>) => ({ formats, language, calendar })

/** `doneDay`: the day whose daily mail counts as sent, so that an hour which has already passed today takes effect tomorrow. */
export async function saveChoice(tx: Tx, userId: number, choice: Choice, doneDay: string | null): Promise<void> {
  const { dailyHour, onCompletion, ...written } = choice
  const values = { ...written, daily_hour: dailyHour, on_completion: onCompletion }
  await tx
    .insertInto('summary_choice')
    .values({ user_id: userId, ...values, daily_done: doneDay })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        ...values,
        daily_done: sql`greatest(summary_choice.daily_done, ${doneDay}::date)`,
      }),
    )
    .execute()
}

/** Serialises changes to an account's addresses, until the transaction ends. */
export async function lockAddresses(tx: Tx, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('summary addresses'), ${userId})`.execute(tx)
}

export type Address = Selectable<SummaryAddress>

/** Leaves out removed addresses; the oldest first. */
export function addressesOf(db: Db, userId: number): Promise<Address[]> {
  return db
    .selectFrom('summary_address')
    .selectAll()
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute()
}

/**
 * Also finds a removed address. The lock lets mails to it be inserted meanwhile: their transactions hold the counts that this one waits for, so
 * a stronger lock could end in a deadlock.
 */
export function findAddress(tx: Tx, userId: number, address: string): Promise<Address | undefined> {
  return tx
    .selectFrom('summary_address')
    .selectAll()
    .where('user_id', '=', userId)
    .where(sql<string>`lower(address)`, '=', address.toLowerCase())
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** How many addresses the account has ever named, removed ones included, so that nobody can name new ones for ever. */
export async function countNamed(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('summary_address')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Asked = { userId: number; address: string; at: Date; confirmed: boolean }
/** Adds the address, or asks again for a known one. An address that was removed has to be confirmed again. */
export async function putAddress(tx: Tx, { userId, address, at, confirmed }: Asked): Promise<number> {
  const confirmedAt = confirmed ? at : null
  const { rows } = await sql<{ id: number }>`
    insert into summary_address (user_id, address, asked_at, confirmed_at) values (${userId}, ${address}, ${at}, ${confirmedAt})
    on conflict (user_id, lower(address)) do update
      set address = excluded.address, asked_at = excluded.asked_at, confirmed_at = excluded.confirmed_at, stopped_at = null, removed_at = null
    returning id`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('an upsert returned no row')
  return row.id
}

/** False when the account has no such address. */
export async function removeAddress(tx: Tx, userId: number, addressId: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('summary_address')
    .set({ removed_at: at })
    .where('id', '=', addressId)
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The address if its reader has not confirmed it yet and its account is live. */
export async function waitingAddress(db: Db, addressId: number): Promise<{ address: string } | undefined> {
  return db
    .selectFrom('summary_address as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select('a.address')
    .where('a.id', '=', addressId)
    .where('a.confirmed_at', 'is', null)
    .where('a.removed_at', 'is', null)
    .where(isLive('u.path'))
    .executeTakeFirst()
}

export async function insertLink(db: Db, link: { tokenHash: Buffer; addressId: number; expiresAt: Date }) {
  await db
    .insertInto('summary_address_link')
    .values({ token_hash: link.tokenHash, address_id: link.addressId, expires_at: link.expiresAt })
    .execute()
}

export type KnownLink = { addressId: number; userId: number; usedAt: Date | null; expiresAt: Date; isOfNow: boolean }
/** The link and its address, both locked. `isOfNow`: the account has not removed the address. */
export async function findLink(tx: Tx, tokenHash: Buffer): Promise<KnownLink | undefined> {
  const { rows } = await sql<KnownLink>`
    select a.id as "addressId", a.user_id as "userId", l.used_at as "usedAt", l.expires_at as "expiresAt", a.removed_at is null as "isOfNow"
      from summary_address_link l join summary_address a on a.id = l.address_id
     where l.token_hash = ${tokenHash} for update of a, l`.execute(tx)
  return rows[0]
}

export async function confirm(tx: Tx, addressId: number, at: Date): Promise<void> {
  await sql`update summary_address set confirmed_at = ${at}, stopped_at = null where id = ${addressId}`.execute(tx)
  await sql`update summary_address_link set used_at = ${at} where address_id = ${addressId} and used_at is null`.execute(
    tx,
  )
}

/** Ends mails to the address and voids its open links. Returns its account; undefined when there is no such address. */
export async function stop(
  tx: Tx,
  addressId: number,
  at: Date,
): Promise<{ userId: number; isRepeated: boolean } | undefined> {
  const { rows } = await sql<{ userId: number; isRepeated: boolean }>`
    with before as (select id, stopped_at from summary_address where id = ${addressId} for no key update)
    update summary_address a set stopped_at = coalesce(a.stopped_at, ${at}), confirmed_at = null from before
     where a.id = before.id returning a.user_id as "userId", before.stopped_at is not null as "isRepeated"`.execute(tx)
  await sql`update summary_address_link set used_at = ${at} where address_id = ${addressId} and used_at is null`.execute(
    tx,
  )
  return rows[0]
}

export type MailLine = {
  id: number
  address: string
  kind: 'daily' | 'completion' | 'asked'
  name: string | null
  day: string | null
  queued_at: Date
  state: 'queued' | 'sending' | 'sent' | 'dropped' | 'failed' | 'unknown'
  reason: UnsentReason | null
}

export async function lastMails(db: Db, userId: number, limit: number): Promise<MailLine[]> {
  const { rows } = await sql<MailLine>`
    select m.id, a.address, m.kind, d.name, m.day::text as day, m.queued_at, m.state, m.reason
      from summary_mail m join summary_address a on a.id = m.address_id left join campaign_detail d on d.campaign_id = m.campaign_id
     where m.user_id = ${userId} order by m.id desc limit ${limit}`.execute(db)
  return rows
}

type Before = { mailsBefore: Date; linksBefore: Date; dueBefore: Date }
/**
 * Deletes old mails, expired links, completions that could not be mailed in time, and removed addresses once nothing refers to them. An address
 * whose reader unsubscribed is kept for as long as that must be remembered.
 */
export async function deleteOld(db: Db, { mailsBefore, linksBefore, dueBefore }: Before): Promise<void> {
  await db.deleteFrom('summary_due').where('at', '<', dueBefore).execute()
  await db.deleteFrom('summary_mail').where('queued_at', '<', mailsBefore).execute()
  await db.deleteFrom('summary_address_link').where('expires_at', '<', linksBefore).execute()
  await sql`
    delete from summary_address a where removed_at < ${mailsBefore} and (stopped_at is null or stopped_at < ${mailsBefore})
      and not exists (select from summary_mail m where m.address_id = a.id)
      and not exists (select from summary_address_link l where l.address_id = a.id)`.execute(db)
}
