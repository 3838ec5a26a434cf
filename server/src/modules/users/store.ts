import { sql } from 'kysely'
import type { Person } from '@ghanti/contract/persons.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { Db } from '../../db/db.ts'
import { isInTree } from '../../db/search/users.ts'
import type { AccountType } from '../../db/tables.ts'
import { within, type Scope } from '../../policy.ts'
import { personColumns } from './store-account.ts'

export type Profile = Person & {
  id: number
  role: Role
  username: string
  mailConfirmed: boolean
  mailWaits: boolean
  recordingDays: number | null
  accountType: AccountType
  expiresAt: Date | null
  planId: number | null
  planName: string | null
  parentId: number | null
  parentUser: string | null
  parentRole: Role | null
  clis: string
  channels: number | null
  domain: string | null
}

export const clisOf = sql<string>`coalesce((select string_agg(cli.number, ', ' order by cli.number)
  from cli_holder h join cli on cli.id = h.cli_id and cli.deleted_at is null where h.account_id = users.id), '')`

/** So many of an account's CLIs are named in a list: a page of accounts that hold thousands would be megabytes. */
const clisListed = 20
/** The oldest ones, by number: no other account's holdings make it slower. Nobody holds a deleted CLI. */
export const someClisOf = sql<string>`coalesce((select string_agg(cli.number, ', ' order by cli.number)
  from (select cli_id from cli_holder where account_id = users.id order by cli_id limit ${sql.lit(clisListed)}) h join cli on cli.id = h.cli_id and cli.deleted_at is null), '')`
export const cliCountOf = sql<number>`(select count(*)::int from cli_holder h where h.account_id = users.id)`

/** `mailConfirmed`: the owner of the address has confirmed it. `mailWaits`: the confirmation link waits for another day. */
export const mailConfirmed = sql<boolean>`users.verified_emailid is not distinct from users.emailid`
export const mailWaits = sql<boolean>`exists (select from mail_verification_due d where d.user_id = users.id and d.not_before is not null)`

export async function profile(db: Db, scope: Scope, userId: number): Promise<Profile | undefined> {
  return db
    .selectFrom('users')
    .leftJoin('plan', 'plan.id', 'users.plan_id')
    .leftJoin('users as parent', 'parent.id', 'users.parent_id')
    .leftJoin('account_channels as c', 'c.account_id', 'users.id')
    .select([
      'users.id',
      'users.role',
      ...personColumns,
      'users.username',
      mailConfirmed.as('mailConfirmed'),
      mailWaits.as('mailWaits'),
      'users.recording_days as recordingDays',
      'users.account_type as accountType',
      'users.expires_at as expiresAt',
      'users.plan_id as planId',
      'plan.name as planName',
      'users.parent_id as parentId',
      'parent.username as parentUser',
      'parent.role as parentRole',
      clisOf.as('clis'),
      'c.channels',
      sql<
        string | null
      >`(select hostname from brand_domain d where d.user_id = users.id order by confirmed_at is null desc limit 1)`.as(
        'domain',
      ),
    ])
    .where('users.id', '=', userId)
    .where('users.deleted_at', 'is', null)
    .where(within(scope, 'users.id'))
    .executeTakeFirst()
}

/** Deleted children no longer count. */
export async function channels(
  db: Db,
  scope: Scope,
  userId: number,
): Promise<{ userChannels: number; channels: number | null; free: number | null } | undefined> {
  const row = await db
    .selectFrom('users')
    .innerJoin('account_channels as own', 'own.account_id', 'users.id')
    .select([
      'own.channels',
      sql<number>`(select coalesce(sum(c.channels), 0)::int from users child join account_channels c on c.account_id = child.id
        where child.parent_id = users.id and child.deleted_at is null)`.as('used'),
    ])
    .where('users.id', '=', userId)
    .where('users.deleted_at', 'is', null)
    .where(within(scope, 'users.id'))
    .executeTakeFirst()
  if (!row) return undefined
  const free = row.channels === null ? null : Math.max(0, row.channels - row.used)
  return { userChannels: row.used, channels: row.channels, free }
}

export type Totals = { campaigns: number; attempts: number; answered: number; resellers: number; endUsers: number }

/** Sums over an account and all below it; over the platform when `userId` is null. */
export async function totals(db: Db, userId: number | null): Promise<Totals> {
  const { rows } = await sql<Totals>`
    with people as materialized (
      select id, role from users where deleted_at is null and (${userId}::int is null or path @> array[${userId}::int])
    )
    select count(*)::int as campaigns, coalesce(sum(attempts), 0)::bigint as attempts, coalesce(sum(answered), 0)::bigint as answered,
           (select count(*) from people where role = 'reseller' and id is distinct from ${userId}::int)::int as resellers,
           (select count(*) from people where role = 'user' and id is distinct from ${userId}::int)::int as "endUsers"
      from campaign_progress
     where ${userId === null ? sql`true` : isInTree(userId, sql.ref('account_id'))}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate query returned no row')
  return row
}

/** Running campaigns per user: wire codes 1, 8 and 10. Reads only unfinished campaigns. */
export async function runningByUser(
  db: Db,
  userId: number | null,
): Promise<{ username: string; totalCampaigns: number }[]> {
  const { rows } = await sql<{ username: string; totalCampaigns: number }>`
    select u.username, count(*)::int as "totalCampaigns"
      from campaign_progress p join users u on u.id = p.account_id
     where p.finished_at is null and p.status in ('running', 'pausing', 'resuming')
       and (${userId}::int is null or u.path @> array[${userId}::int])
     group by u.id, u.username order by count(*) desc, u.username limit 10000`.execute(db)
  return rows
}
