import { personFields, type Person } from '@ghanti/contract/persons.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { finishedStatuses } from '@ghanti/contract/campaign-status.ts'
import { sql, type Updateable } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import type { AccountType, Users } from '../../db/tables.ts'
import { within, type Scope } from '../../policy.ts'

export const personColumns = personFields.map((field) => `users.${field}` as const)

export type Account = Person & {
  id: number
  role: Role
  username: string
  parentId: number | null
  parentUser: string | null
  parentRole: Role | null
  accountType: AccountType
  planId: number | null
  expiresAt: Date | null
  disabledAt: Date | null
  disabledByRole: Role | null
  /** Itself, not by an account above. */
  isFrozen: boolean
}

function accounts(db: Db) {
  return db
    .selectFrom('users')
    .leftJoin('users as parent', 'parent.id', 'users.parent_id')
    .leftJoin('users as by', 'by.id', 'users.disabled_by')
    .select([
      'users.id',
      'users.role',
      'users.username',
      ...personColumns,
      'users.parent_id as parentId',
      'parent.username as parentUser',
      'parent.role as parentRole',
      'users.account_type as accountType',
      'users.plan_id as planId',
      'users.expires_at as expiresAt',
      'users.disabled_at as disabledAt',
      'by.role as disabledByRole',
      sql<boolean>`users.frozen_at is not null`.as('isFrozen'),
    ])
    .where('users.deleted_at', 'is', null)
}

const oneIn = (db: Db, scope: Scope, userId: number) =>
  accounts(db).where('users.id', '=', userId).where(within(scope, 'users.id'))

export function find(db: Db, scope: Scope, userId: number): Promise<Account | undefined> {
  return oneIn(db, scope, userId).executeTakeFirst()
}

/** Until the transaction ends, nobody changes or deletes it or creates an account below it. Lock parents before children. */
export function lock(tx: Tx, scope: Scope, userId: number): Promise<Account | undefined> {
  return oneIn(tx, scope, userId).forNoKeyUpdate('users').executeTakeFirst()
}

export function lockByName(tx: Tx, username: string): Promise<Account | undefined> {
  return accounts(tx)
    .where(sql`lower(users.username)`, '=', sql<string>`lower(${username})`)
    .forNoKeyUpdate('users')
    .executeTakeFirst()
}

export async function update(tx: Tx, userId: number, change: Updateable<Users>): Promise<void> {
  await tx.updateTable('users').set(change).where('id', '=', userId).execute()
}

export type Some = { names: string[]; total: number }
const shownMax = 5

export async function childrenOf(tx: Tx, userId: number): Promise<Some> {
  const rows = await tx
    .selectFrom('users')
    .select(['username as name', (e) => e.fn.countAll<number>().over().as('total')])
    .where('parent_id', '=', userId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(shownMax)
    .execute()
  return { names: rows.map(({ name }) => name), total: rows[0]?.total ?? 0 }
}

/** The first few unfinished campaigns, of calls and messages, and how many there are. */
export async function unfinishedCampaignsOf(tx: Tx, userId: number): Promise<Some> {
  const { rows } = await sql<{ name: string; total: number }>`
    select name, (count(*) over ())::int as total from (
      select d.name, c.status, c.id from campaign c join campaign_detail d on d.campaign_id = c.id where c.account_id = ${userId}
      union all
      select d.name, c.status, c.id from sms_campaign c join sms_campaign_detail d on d.campaign_id = c.id where c.account_id = ${userId}
    ) campaigns where status <> all (${[...finishedStatuses]}::campaign_status[]) order by id limit ${shownMax}`.execute(
    tx,
  )
  return { names: rows.map(({ name }) => name), total: rows[0]?.total ?? 0 }
}

/** Null: no limit. */
export async function channelsOf(tx: Tx, userId: number): Promise<number | null> {
  const { channels } = await tx
    .selectFrom('account_channels')
    .select('channels')
    .where('account_id', '=', userId)
    .executeTakeFirstOrThrow()
  return channels
}

export async function channelsGiven(tx: Tx, userId: number, except: number | null = null): Promise<number> {
  const { given } = await tx
    .selectFrom('users')
    .innerJoin('account_channels as c', 'c.account_id', 'users.id')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('c.channels'), e.lit(0)).as('given'))
    .where('users.parent_id', '=', userId)
    .where('users.deleted_at', 'is', null)
    .where('users.id', 'is distinct from', except)
    .executeTakeFirstOrThrow()
  return given
}

export async function setChannels(tx: Tx, userId: number, channels: number): Promise<void> {
  await tx.updateTable('account_channels').set({ channels }).where('account_id', '=', userId).execute()
}

export async function hasCampaigns(tx: Tx, userId: number): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from campaign where account_id = ${userId}) or exists (select from sms_campaign where account_id = ${userId}) as any`.execute(
    tx,
  )
  return rows[0]?.any === true
}
