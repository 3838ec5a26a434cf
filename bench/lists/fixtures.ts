/**
 * What bench/lists reads: people, campaigns, attempts, credits and blacklists, made in bulk by the database itself. rows.ts has the smaller
 * lists.
 */
import assert from 'node:assert/strict'
import { makePartitions } from '@ghanti/server/db/schema/partitions.ts'
import { kyselyOver } from '@ghanti/server/db/pool.ts'
import type { Viewer } from '@ghanti/server/policy.ts'
import { newLine, newPlan, newReseller, newSuperAdmin, newUser } from '@ghanti/server/testing/seed.ts'
import type { Pool } from 'pg'
import { fill } from './fill.ts'
import { makeSms } from './sms.ts'
import { makeSmallerLists } from './rows.ts'

export type Sizes = { users: number; credits: number; blacklist: number; campaigns: number; attempts: number }
export type Fixtures = {
  boss: Viewer
  reseller: Viewer
  user: Viewer
  campaignId: number
  line: { cli: string; trunkId: number; dialerId: number }
}

const resellers = 100
/** One user's share of campaigns and credits, as one in so many; this user's reseller has the most below it. */
const busyShare = 10
/** How far back the first rows lie: campaigns begin every five minutes at size 1. */
export const daysBack = 347

export async function makeFixtures(pool: Pool, sizes: Sizes): Promise<Fixtures> {
  const db = kyselyOver(pool)
  const boss = await newSuperAdmin({ db }, { username: 'boss' })
  const planId = await newPlan({ db })
  const reseller = await newReseller({ db }, { parent: boss, username: 'busy-reseller', planId })
  const user = await newUser({ db }, { parent: reseller, username: 'busy-user', planId, rupees: 1000 })
  const line = await newLine({ db }, { holders: [reseller, user] })
  await makeUsers(pool, { boss, reseller, planId, users: sizes.users })
  await makeCampaigns(pool, { user, ...line, campaigns: sizes.campaigns })
  const campaignId = await busiest(pool, user)
  await pool.query('analyze')
  await Promise.all([
    makeCredits(pool, sizes),
    makeBlacklist(pool, { user, reseller, rows: sizes.blacklist }),
    makeAttempts(pool, campaignId, sizes.attempts)
      .then(() => makeSmallerLists(pool, { boss, reseller, user, ...line, users: sizes.users }))
      .then(() => makeSms(pool, { campaignId, messages: sizes.attempts, users: sizes.users })),
  ])
  await pool.query('vacuum (analyze)')
  return { boss, reseller, user, campaignId, line }
}

/** Resellers below the super admin, and users distributed among them; one in fifty is disabled, one in forty has expired. */
async function makeUsers(
  pool: Pool,
  of: { boss: Viewer; reseller: Viewer; planId: number; users: number },
): Promise<void> {
  const { rows } = await pool.query<{ last: number }>('select max(id) as last from account')
  const last = rows[0]?.last
  assert(last)
  await fill(pool, 'account', 'insert into account (kind) select $$ordinary$$ from generate_series(1, $1::int)', [
    of.users,
  ])
  await fill(
    pool,
    'users',
    `insert into users (id, role, parent_id, path, username, password_hash, name, emailid, number, company, plan_id, created_at, disabled_at, disabled_reason, expires_at)
     select $1::int + n, (case when n <= $2 then 'reseller' else 'user' end)::user_role, parent, path || ($1::int + n),
            (case when n <= $2 then 'reseller' else 'user' end) || '-' || md5(n::text), '', 'Name ' || md5('n' || n), md5(n::text) || '@example.com',
            (9800000000 + n * 7)::text, 'Company ' || md5('c' || n), $3::int, now() - ($4::int - n) * interval '1 minute',
            case when n % 50 = 0 then now() end, case when n % 50 = 0 then 'Unpaid' end,
            now() + (n % 40) * interval '10 days' - interval '1 day'
       from generate_series(1, $4::int) n cross join lateral (
         select case when n <= $2 then $5::int when n % 10 = 0 then $6::int else $1::int + 1 + n % $2 end as parent) p
       cross join lateral (select case when n <= $2 then array[$5::int] else array[$5::int, parent] end as path) q`,
    [last, resellers, of.planId, of.users, of.boss.userId, of.reseller.userId],
  )
  await pool.query('update account a set parent_id = u.parent_id from users u where u.id = a.id and u.role = $$user$$')
  await pool.query(
    'insert into account_channels (account_id, channels) select id, 30 from users on conflict do nothing',
  )
}

/** Ids grow with the time, as in production. */
async function makeCampaigns(
  pool: Pool,
  of: { user: Viewer; dialerId: number; trunkId: number; cliId: number; campaigns: number },
): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into base (owner_id, name, file_hash, size_bytes, rows, dialable, columns) values ($1, 'Base', '', 1, 1, 1, '{mobile}') returning id`,
    [of.user.userId],
  )
  await fill(
    pool,
    'campaign',
    `insert into campaign (account_id, dialer_id, trunk_id, cli_id, status, start_at, dial_until, channels, reserve_paisa, retries, retry_ms)
     select case when n % $2 = 0 then $1::int else ids[1 + n * 7 % cardinality(ids)] end, $3::int, $4::int, $5::int,
            (case n % 20 when 0 then 'cancelled' when 1 then 'paused' when 2 then 'refused' else 'complete' end)::campaign_status,
            now() - ($6::int - n) * (interval '${daysBack} days' / $6::int), now(), 30, 400, 2, 600000
       from generate_series(1, $6::int) n, (select array_agg(id) as ids from users where role = 'user') u`,
    [of.user.userId, busyShare, of.dialerId, of.trunkId, of.cliId, of.campaigns],
  )
  await fill(
    pool,
    'campaign_detail',
    `insert into campaign_detail (campaign_id, name, template_id, base_id, flow, composed, retry_interval_minutes, created_at)
     select id, (array['Renewal', 'Dashain offer', 'Blood camp', 'School notice'])[1 + id % 4] || ' ' || md5(id::text), id % 3, $1, '{}', '{}', 10,
            start_at - interval '1 hour' from campaign`,
    [rows[0]?.id],
  )
  await fill(
    pool,
    'campaign_progress',
    `insert into campaign_progress (campaign_id, account_id, name, template_id, status, start_at, uploaded, processed, pending, answered, pulses, dnd, dtmf, attempts, finished_at)
     select c.id, c.account_id, d.name, d.template_id, c.status, c.start_at, n, n - n % 7, n % 7, n / 2, n * 2, n % 11, n % 13, n, now()
       from campaign c join campaign_detail d on d.campaign_id = c.id, lateral (select abs(hashint4(c.id)) % 5000 as n) r`,
  )
  await fill(
    pool,
    'campaign_archived',
    `insert into campaign_archived (campaign_id)
     select campaign_id from campaign_progress where status = 'complete' and start_at < now() - interval '${daysBack} days' / 2`,
  )
}

async function busiest(pool: Pool, user: Viewer): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('select max(id) as id from campaign where account_id = $1', [
    user.userId,
  ])
  const id = rows[0]?.id
  assert(id)
  return id
}

async function makeAttempts(pool: Pool, campaignId: number, attempts: number): Promise<void> {
  await makePartitions(kyselyOver(pool))
  await fill(
    pool,
    'campaign_contact',
    `insert into campaign_contact (campaign_id, no, line, phone, state, attempts)
     select $1::int, n, n + 2, 9779700000000 + (n::bigint * 7919) % 100000000, 'done', 1 from generate_series(0, $2::int - 1) n`,
    [campaignId, attempts],
  )
  await fill(
    pool,
    'attempt',
    `insert into attempt (id, started_at, answered_at, ended_at, claimed_at, phone, epoch, cost_paisa, uncollected_paisa, campaign_id, no, pulses, bill_ms, attempt_no, disposition, keys, account_id, trunk_id, cli_id, operator, kind, recording, agent)
     select no + 1, at, case when no % 3 = 0 then at end, at, at, phone, 1, 40, 0, campaign_id, no, 1, case when no % 3 = 0 then 9000 end, 1,
            (case no % 3 when 0 then 'ANSWER' when 1 then 'NO ANSWER' else 'BUSY' end)::disposition, '1', c.account_id, c.trunk_id, c.cli_id, 1, 'campaign',
            case when no % 6 = 0 then md5(no::text)::uuid end, case when no % 30 = 0 then '9800000001' end
       from campaign_contact r join campaign c on c.id = r.campaign_id, lateral (select now() - ($2::int - no) * interval '1 second' as at) t where campaign_id = $1`,
    [campaignId, attempts],
  )
  await fill(
    pool,
    'recording',
    `insert into recording (id, attempt_id, campaign_id, account_id, file_hash, duration_ms, at)
     select recording, id, campaign_id, account_id, '', 9000, started_at from attempt where recording is not null`,
  )
}

/**
 * A quarter of the lines are daily costs of campaigns, a quarter resellers' earnings from them, and half movements, which have a line on either
 * side.
 */
async function makeCredits(pool: Pool, sizes: Sizes): Promise<void> {
  const days = Math.ceil(sizes.credits / 4 / sizes.campaigns)
  await fill(
    pool,
    'credit_entry',
    `insert into credit_entry (account_id, action, other_id, campaign_id, day, amount_paisa, balance_paisa, at, reference, parent_id)
     select lines.*, mine.parent_id from (
       select case side when 0 then c.account_id else c.payee end, (case side when 0 then 'campaign_deduction' else 'campaign_margin' end)::credit_action,
              null::int, c.id, nepal_day(at), case side when 0 then -(100 + c.id % 977)::bigint else 10 + c.id % 97 end, 100000,
              at, null
         from (select campaign.id, account_id, start_at, parent_id as payee from campaign join users on users.id = account_id order by campaign.id) c
           cross join lateral (select c.start_at + (d - $1::int) * interval '1 day' as at from generate_series(1, $1::int) d where c.id > 0) days, generate_series(0, 1) side
       union all
       select case side when 0 then u.id else u.parent_id end, 'credit_add', case side when 0 then u.parent_id else u.id end, null, null,
              case side when 0 then 5000 else -5000 end, 100000, now() - interval '${daysBack} days' + n * (interval '${daysBack} days' / $2::int), 'Receipt ' || n
         from (select array_agg(id) as ids, array_agg(parent_id) as parents from users where role = 'user') all_of_them, generate_series(1, $2::int) n
           cross join lateral (select ids[1 + n * 7 % cardinality(ids)] as id, parents[1 + n * 7 % cardinality(ids)] as parent_id) u, generate_series(0, 1) side
     ) lines (account_id) join users mine on mine.id = lines.account_id`,
    [days, Math.ceil(sizes.credits / 4)],
  )
}

/** Half belongs to the platform, a quarter to the reseller, a fifth to the user, the rest to others. */
async function makeBlacklist(pool: Pool, of: { user: Viewer; reseller: Viewer; rows: number }): Promise<void> {
  await fill(
    pool,
    'blacklist',
    `insert into blacklist (phone, owner_id, created_at)
     select 9779700000000 + n::bigint * 9, case when n % 20 < 10 then mint when n % 20 < 15 then $1::int when n % 20 < 19 then $2::int else ids[1 + n % cardinality(ids)] end,
            now() - ($3::int - n) * (interval '${daysBack} days' / $3::int)
       from generate_series(1, $3::int) n, (select id as mint from account where kind = 'mint') m, (select array_agg(id) as ids from users where role <> 'superAdmin') u`,
    [of.reseller.userId, of.user.userId, of.rows],
  )
}
