import { sql } from 'kysely'
import type { Role } from '@ghanti/contract/roles.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { Freezer } from './rules.ts'

const below = (userId: number) => sql<boolean>`u.path @> array[${userId}::int]`

/**
 * Until the transaction ends, nobody changes the account or one below it, and no account is made there. Whoever makes one locks the account above, so those
 * that were made meanwhile are there when it is looked again. From above, as everybody locks accounts.
 */
export async function lockTree(tx: Tx, userId: number): Promise<void> {
  for (let [before, now] = [-1, 0]; before !== now;) {
    before = now
    const { rows } = await sql<{ id: number }>`
      select u.id from users u where ${below(userId)} order by cardinality(u.path), u.id for no key update`.execute(tx)
    now = rows.length
  }
}

/**
 * Marks the account and those below it for whatever locks their money: transfers and claims that began before have ended, and those that wait read the mark.
 * Last in its transaction, since calls wait for these rows, too.
 */
export async function markAccounts(tx: Tx, userId: number): Promise<void> {
  await sql`
    select from account where id in (select u.id from users u where ${below(userId)}) order by id for no key update`.execute(
    tx,
  )
  await sql`
    update account a set frozen = m.frozen
    from (select u.id, exists (select from account_frozen_by(u.path)) as frozen from users u where ${below(userId)}) m
    where a.id = m.id and a.frozen <> m.frozen`.execute(tx)
}

export type Frozen = { at: Date; reason: string; endsCalls: boolean; disables: boolean; by: Freezer }

/** Undefined: the account itself is not frozen. */
export async function frozenOf(db: Db, userId: number): Promise<Frozen | undefined> {
  type Row = Omit<Frozen, 'by'> & { byId: number | null; byRole: Role | null; byPath: number[] | null }
  const { rows } = await sql<Row>`
    select u.frozen_at as at, u.frozen_reason as reason, u.frozen_ends_calls as "endsCalls", u.frozen_disables as disables,
      f.id as "byId", f.role as "byRole", f.path as "byPath"
    from users u left join users f on f.id = u.frozen_by
    where u.id = ${userId} and u.frozen_at is not null`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { byId, byRole, byPath, ...frozen } = row
  const by = byId !== null && byRole !== null && byPath !== null ? { id: byId, role: byRole, path: byPath } : null
  return { ...frozen, by }
}

/** Locked until the transaction ends. */
export async function isUnfrozenUser(tx: Tx, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select from users where id = ${userId} and role = 'user' and frozen_at is null for no key update`.execute(tx)
  return rows.length > 0
}

export type NewFreeze = { at: Date; by: number | null; reason: string; endsCalls: boolean }

/** What is disabled stays as it is, and is still disabled once the freeze is lifted. */
export async function setFrozen(tx: Tx, userId: number, { at, by, reason, endsCalls }: NewFreeze): Promise<void> {
  const disables = sql<boolean>`coalesce(frozen_disables, disabled_at is null)`
  await sql`
    update users set
      frozen_at = ${at}, frozen_by = ${by}, frozen_reason = ${reason}, frozen_ends_calls = ${endsCalls},
      frozen_disables = ${disables},
      disabled_at = case when ${disables} then ${at}::timestamptz else disabled_at end,
      disabled_by = case when ${disables} then ${by}::int else disabled_by end,
      disabled_reason = case when ${disables} then ${reason}::text else disabled_reason end
    where id = ${userId}`.execute(tx)
}

export async function setLifted(tx: Tx, userId: number): Promise<void> {
  await sql`
    update users set
      frozen_at = null, frozen_by = null, frozen_reason = null, frozen_ends_calls = null, frozen_disables = null,
      disabled_at = case when not frozen_disables then disabled_at end,
      disabled_by = case when not frozen_disables then disabled_by end,
      disabled_reason = case when not frozen_disables then disabled_reason end
    where id = ${userId} and frozen_at is not null`.execute(tx)
}
