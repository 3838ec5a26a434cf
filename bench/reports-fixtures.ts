/** What bench/reports reads: calls of ten thousand accounts, three of ten by one of them, three of ten by a thousand others of its reseller. */
import assert from 'node:assert/strict'
import { makePartitions } from '@ghanti/server/db/partitions.ts'
import { kyselyOver } from '@ghanti/server/db/pool.ts'
import type { Viewer } from '@ghanti/server/policy.ts'
import { newLine, newPlan, newReseller, newSuperAdmin, newUser } from '@ghanti/server/testing/seed.ts'
import type { Pool } from 'pg'
import { fill } from './lists-fill.ts'

export type Sizes = { accounts: number; attempts: number }
export type Fixtures = {
  boss: Viewer
  reseller: Viewer
  /** Three of ten calls are this account's. */
  busy: Viewer
  /** An account of the reseller's that calls as most do. */
  quietId: number
  /** One of the busy account's. */
  campaignId: number
  agent: string
  mobile: string
}

const campaignsOfBusy = 100

export async function makeFixtures(pool: Pool, sizes: Sizes): Promise<Fixtures> {
  const db = kyselyOver(pool)
  const boss = await newSuperAdmin({ db }, { username: 'boss' })
  const planId = await newPlan({ db })
  const reseller = await newReseller({ db }, { parent: boss, username: 'busy-reseller', planId })
  const other = await newReseller({ db }, { parent: boss, username: 'other-reseller', planId })
  const busy = await newUser({ db }, { parent: reseller, username: 'busy-user', planId, rupees: 1000 })
  const line = await newLine({ db }, { holders: [reseller, busy] })
  await makeAccounts(pool, sizes.accounts, [reseller, other])
  await makeCampaigns(pool, busy, line)
  await pool.query('analyze')
  await makePartitions(db)
  await makeAttempts(pool, { busy, reseller, attempts: sizes.attempts })
  await pool.query('vacuum (analyze)')
  const { rows } = await pool.query<{ quiet: number; campaign: number; phone: string; agent: string }>(
    `select (select account_id from attempt where account_id <> $1 and account_id = any (select id from users where parent_id = $2) order by id desc limit 1) as quiet,
            (select max(id) from campaign where account_id = $1) as campaign,
            (select phone - 9770000000000 from attempt where account_id = $1 order by id limit 1)::text as phone,
            (select agent from attempt where account_id = $1 and agent is not null order by id limit 1) as agent`,
    [busy.userId, reseller.userId],
  )
  const found = rows[0]
  assert(found)
  const { quiet: quietId, campaign: campaignId, phone: mobile, agent } = found
  return { boss, reseller, busy, quietId, campaignId, mobile, agent }
}

/** One of ten is the reseller's. */
async function makeAccounts(pool: Pool, accounts: number, [reseller, other]: [Viewer, Viewer]): Promise<void> {
  const { rows } = await pool.query<{ last: number }>('select max(id) as last from account')
  const last = rows[0]?.last
  await fill(pool, 'account', `insert into account (kind) select 'ordinary' from generate_series(1, $1::int)`, [
    accounts,
  ])
  await fill(
    pool,
    'users',
    `insert into users (id, role, parent_id, path, username, password_hash, name, emailid, number, company)
     select $1::int + n, 'user', parent, (select path from users where id = parent) || ($1::int + n), 'user-' || n, '', 'Name ' || n,
            n || '@example.com', (9800000000 + n)::text, 'Company ' || n
       from generate_series(1, $2::int) n cross join lateral (select case when n % 10 = 0 then $3::int else $4::int end as parent) p`,
    [last, accounts, reseller.userId, other.userId],
  )
}

/** One for each account, a hundred for the busy one. */
async function makeCampaigns(
  pool: Pool,
  busy: Viewer,
  of: { dialerId: number; trunkId: number; cliId: number },
): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into base (owner_id, name, file_hash, size_bytes, rows, dialable, columns) values ($1, 'Base', '', 1, 1, 1, '{mobile}') returning id`,
    [busy.userId],
  )
  await fill(
    pool,
    'campaign',
    `insert into campaign (account_id, dialer_id, trunk_id, cli_id, status, start_at, dial_until, channels, reserve_paisa, retries, retry_ms)
     select u.id, $2, $3, $4, 'complete', now(), now(), 30, 400, 2, 600000
       from users u, lateral (select from generate_series(1, case when u.id = $1 then ${campaignsOfBusy} else 1 end)) n where u.role = 'user'`,
    [busy.userId, of.dialerId, of.trunkId, of.cliId],
  )
  await fill(
    pool,
    'campaign_detail',
    `insert into campaign_detail (campaign_id, name, template_id, base_id, flow, composed, retry_interval_minutes)
     select id, 'Campaign ' || id, 1, $1, '{}', '{}', 10 from campaign`,
    [rows[0]?.id],
  )
}

/** A second apart at full size; two million numbers, each called five times there; one of a hundred thousand calls is LOST. */
async function makeAttempts(pool: Pool, of: { busy: Viewer; reseller: Viewer; attempts: number }): Promise<void> {
  await fill(
    pool,
    'attempt',
    `insert into attempt (id, started_at, answered_at, ended_at, claimed_at, phone, epoch, cost_paisa, uncollected_paisa, campaign_id, no, pulses, bill_ms, attempt_no,
       disposition, keys, agent, account_id, trunk_id, cli_id, operator, kind)
     select n, at, case when is_answered then at end, at, at, 9779800000000 + (n::bigint * 7919) % 2000000, 1, 40, 0, c.id, n % 1000, 1,
            case when is_answered then 1000 * (n % 60) end, 1,
            case when is_answered then 'ANSWER'::disposition when n % 100000 = 7 then 'LOST' when n % 3 = 0 then 'BUSY' else 'NO ANSWER' end,
            case when is_answered and n % 5 < 3 then (1 + n % 3)::text end, case when is_answered and n % 50 = 0 then '+97798000' || (10000 + n % 200) end,
            c.account_id, c.trunk_id, c.cli_id, 1 + n % 2, 'campaign'
       from (select array_agg(id) filter (where account_id = $1) as busy,
                    array_agg(id) filter (where account_id = any (array(select id from users where parent_id = $2)) and account_id <> $1) as mine,
                    array_agg(id) filter (where not account_id = any (array(select id from users where parent_id = $2))) as others from campaign) ids
       cross join generate_series(1, $3::int) n cross join lateral (select now() - ($3::int - n) * interval '1 second' as at, n % 5 < 2 as is_answered) t
       join campaign c on c.id = case when n % 10 < 3 then ids.busy[1 + n / 10 % cardinality(ids.busy)]
         when n % 10 < 6 then ids.mine[1 + n / 10 % cardinality(ids.mine)] else ids.others[1 + n / 10 % cardinality(ids.others)] end`,
    [of.busy.userId, of.reseller.userId, of.attempts],
  )
}
