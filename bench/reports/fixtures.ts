/**
 * The data of bench/reports and bench/exports: calls of ten thousand accounts over 116 days. Three of ten are of one busy account, three of
 * ten of a thousand others of its reseller, the rest of nine thousand accounts of another reseller.
 */
import assert from 'node:assert/strict'
import { makePartitions } from '@ghanti/server/db/schema/partitions.ts'
import { kyselyOver } from '@ghanti/server/db/pool.ts'
import { countAll } from '@ghanti/server/modules/insight/actions-count.ts'
import type { Viewer } from '@ghanti/server/policy.ts'
import { newLine, newPlan, newReseller, newSuperAdmin, newUser } from '@ghanti/server/testing/seed.ts'
import type { Pool } from 'pg'
import { fill } from '../lists/fill.ts'

export type Sizes = { accounts: number; attempts: number }
export type Fixtures = {
  boss: Viewer
  reseller: Viewer
  busy: Viewer
  /** An account of the reseller with as many calls as most have. */
  quietId: number
  campaignId: number
  trunkId: number
  agent: string
  mobile: string
}

const days = 116
/**
 * The busy account begins two campaigns a day, each called on three days. Each other account has one campaign for 16 days and calls on every
 * fourth.
 */
const campaignsOf = { busy: 2 * (days + 2), others: Math.ceil(days / 16) }
const [trunksOfDialer, accountsOfCli] = [3, 4]

export async function makeFixtures(pool: Pool, sizes: Sizes): Promise<Fixtures> {
  const db = kyselyOver(pool)
  const boss = await newSuperAdmin({ db }, { username: 'boss' })
  const planId = await newPlan({ db })
  const reseller = await newReseller({ db }, { parent: boss, username: 'busy-reseller', planId })
  const other = await newReseller({ db }, { parent: boss, username: 'other-reseller', planId })
  const busy = await newUser({ db }, { parent: reseller, username: 'busy-user', planId, rupees: 1000 })
  await makeLines(pool, sizes.accounts)
  await makeAccounts(pool, sizes.accounts, [reseller, other])
  await makeCampaigns(pool, busy)
  await pool.query('analyze')
  await makePartitions(db)
  await makeAttempts(pool, { busy, reseller, attempts: sizes.attempts })
  await pool.query('vacuum (analyze)')
  await countAttempts(pool)
  await pool.query('vacuum (analyze)')
  const { rows } = await pool.query<{ quiet: number; campaign: number; trunk: number; phone: string; agent: string }>(
    `select (select account_id from attempt where account_id <> $1 and account_id = any (select id from users where parent_id = $2) order by id desc limit 1) as quiet,
            c.id as campaign, c.trunk_id as trunk,
            (select phone - 9770000000000 from attempt where account_id = $1 order by id limit 1)::text as phone,
            (select agent from attempt where account_id = $1 and agent is not null order by id limit 1) as agent
       from campaign c where c.id = (select campaign_id from attempt where account_id = $1 order by id desc limit 1)`,
    [busy.userId, reseller.userId],
  )
  const found = rows[0]
  assert(found)
  const { quiet: quietId, campaign: campaignId, trunk: trunkId, phone: mobile, agent } = found
  return { boss, reseller, busy, quietId, campaignId, trunkId, mobile, agent }
}

/** Two dialers of three trunks, and a CLI for every fourth account. */
async function makeLines(pool: Pool, accounts: number): Promise<void> {
  const db = kyselyOver(pool)
  for (let dialer = 0; dialer < 2; dialer++) {
    const { dialerId } = await newLine({ db })
    for (let trunk = 1; trunk < trunksOfDialer; trunk++) await newLine({ db }, { dialerId })
  }
  await fill(
    pool,
    'cli',
    `insert into cli (number, trunk_id, channels)
     select '014' || (500000 + n), t.ids[1 + n % cardinality(t.ids)], 30 from generate_series(1, $1::int) n, (select array_agg(id) as ids from trunk) t`,
    [Math.ceil(accounts / accountsOfCli)],
  )
}

/** One of ten accounts is the reseller's. */
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

async function makeCampaigns(pool: Pool, busy: Viewer): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into base (owner_id, name, file_hash, size_bytes, rows, dialable, columns) values ($1, 'Base', '', 1, 1, 1, '{mobile}') returning id`,
    [busy.userId],
  )
  await fill(
    pool,
    'campaign',
    `insert into campaign (account_id, dialer_id, trunk_id, cli_id, status, start_at, dial_until, channels, reserve_paisa, retries, retry_ms)
     select u.id, t.dialer_id, t.id, l.id, 'complete', now(), now(), 30, 400, 2, 600000
       from users u cross join (select array_agg(id) as ids from cli) every_cli
       cross join lateral generate_series(1, case when u.id = $1 then ${campaignsOf.busy} else ${campaignsOf.others} end) n
       join cli l on l.id = every_cli.ids[1 + (case when u.id = $1 then n else u.id end) % cardinality(every_cli.ids)] join trunk t on t.id = l.trunk_id
      where u.role = 'user' order by u.id, n`,
    [busy.userId],
  )
  await fill(
    pool,
    'campaign_detail',
    `insert into campaign_detail (campaign_id, name, template_id, base_id, flow, composed, retry_interval_minutes)
     select id, 'Campaign ' || id, (array[0, 1, 2, 3, 7])[1 + id % 5], $1, '{}', '{}', 10 from campaign`,
    [rows[0]?.id],
  )
  await fill(
    pool,
    'campaign_level',
    `insert into campaign_level (campaign_id, level, payer_id, payee_id, pulse_ms, pulse_paisa)
     select c.id, l.level, l.payer_id, l.payee_id, 30000, l.pulse_paisa from campaign c join users u on u.id = c.account_id
       cross join (select id from account where kind = 'revenue') platform
       cross join lateral (values (0, u.id, u.parent_id, 40), (1, u.parent_id, platform.id, 25)) l (level, payer_id, payee_id, pulse_paisa)`,
  )
}

/**
 * Attempts in equal steps until now. There are two million numbers, each called five times at full size; one of a hundred thousand calls is
 * LOST. `who` says whose campaign an attempt belongs to, and `place` which of their campaigns.
 */
async function makeAttempts(pool: Pool, of: { busy: Viewer; reseller: Viewer; attempts: number }): Promise<void> {
  await fill(
    pool,
    'attempt',
    `with campaigns as materialized (
       select c.id, c.account_id, c.trunk_id, c.cli_id, w.who, row_number() over (partition by w.who order by c.id) - 1 as place
         from campaign c join users u on u.id = c.account_id
         cross join lateral (select case when u.id = $1 then 'busy' when u.parent_id = $2 then 'mine' else 'others' end as who) w
     ), accounts as (
       select who, count(distinct account_id) as accounts from campaigns group by 1
     ), calls as (
       select n, day, who, n % 5 < 2 as is_answered, now() - ($3::int - n) * interval '${days} days' / $3::int as at
         from generate_series(1, $3::int) n
         cross join lateral (select ((n - 1)::bigint * ${days} / $3::int)::int as day, case when n % 10 < 3 then 'busy' when n % 10 < 6 then 'mine' else 'others' end as who) d
     )
     insert into attempt (id, started_at, answered_at, ended_at, claimed_at, phone, epoch, cost_paisa, uncollected_paisa, campaign_id, no, pulses, bill_ms, attempt_no,
       disposition, keys, agent, account_id, trunk_id, cli_id, operator, kind, trail, alerted)
     select n, at, case when is_answered then at end, at, at, 9779800000000 + (n::bigint * 7919) % 2000000, 1, case when is_answered then 40 * pulses else 0 end, 0,
            c.id, n % 1000, case when is_answered then pulses else 0 end, case when is_answered then 1000 * seconds end, 1,
            case when is_answered then 'ANSWER'::disposition when n % 100000 = 7 then 'LOST' when n % 3 = 0 then 'BUSY' else 'NO ANSWER' end,
            case when is_answered and n % 5 < 3 then (1 + n % 3)::text end, case when is_answered and n % 50 = 0 then '+97798000' || (10000 + n % 200) end,
            c.account_id, c.trunk_id, c.cli_id, (array[1, 2, 1, 2, 1, 2, 3, 0])[1 + n / 7 % 8], 'campaign', case when is_answered then case when n % 3 = 0 then 'welcome >welcome' else 'welcome >end' end end, n % 3 <> 0
       from calls join accounts using (who)
       cross join lateral (select 1 + n % 60 as seconds, 1 + n % 60 / 31 as pulses) t
       join campaigns c on c.who = calls.who and c.place = case when calls.who = 'busy' then 2 * day + n / 10 % 6
         else (n / 10 % greatest(1, accounts / 4) * 4 + day % 4) % accounts * ${campaignsOf.others} + day / 16 end`,
    [of.busy.userId, of.reseller.userId, of.attempts],
  )
}

/** As the follower does it, after statements that ended a thousand calls each. */
async function countAttempts(pool: Pool): Promise<void> {
  const began = performance.now()
  await pool.query('insert into attempt_news (ids) select array_agg(id) from attempt group by id / 1000')
  await countAll(kyselyOver(pool))
  const { rows } = await pool.query<{ counters: number }>('select count(*)::int as counters from call_count')
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`  call_count: ${Number(rows[0]?.counters).toLocaleString('en')} rows in ${seconds} s`)
}
