/** A database of an earlier version, filled as that version left it: for the test and the bench of the migrations since. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Flow } from '@ghanti/callflow/flow.ts'
import type { CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { Pool } from 'pg'
import type { Db } from '../db/db.ts'
import { revenueId } from '../db/platform-accounts.ts'
import { makePartitions } from '../db/schema/partitions.ts'
import type { Viewer } from '../policy.ts'
import { newBase } from './campaigns.ts'
import { newLine, newReseller, newUser } from './seed.ts'

/** The last migration before call routes: a campaign has one caller ID, that one trunk, that one dialer. */
export const beforeRoutes = '0175_audit_opened.sql'

/** `pool`: as the owner. */
type At = { db: Db; pool: Pool }
type Line = Awaited<ReturnType<typeof newLine>>

/** How many of its rows are over, wait for a second attempt, are being called, and were never called. */
type Rows = { done: number; waiting: number; open?: number; fresh: number }
type OlderCampaign = { status: CampaignStatus; cause?: string; rows: Rows }
export type OlderOf = {
  campaigns: readonly OlderCampaign[]
  flow: Flow
  /** Between the numbers of two rows. The last two digits of a number are what a simulated network goes by. */
  apart: 1 | 100
  portFrom?: number
}
export type Older = {
  users: Viewer[]
  resellers: Viewer[]
  lines: Line[]
  campaigns: (OlderCampaign & { id: number })[]
}

const someRows = (n: number): Rows => ({ done: n, waiting: n / 2, fresh: n })
const noRows: Rows = { done: 0, waiting: 0, fresh: 0 }

/** One in each state, of `n` rows and more where it has any. */
export function inEachState(n: number): OlderCampaign[] {
  return [
    { status: 'complete', rows: { done: 4 * n, waiting: 0, fresh: 0 } },
    { status: 'running', rows: { ...someRows(n), open: 3 } },
    { status: 'running', rows: someRows(n) },
    { status: 'paused', rows: someRows(n) },
    { status: 'pausing', rows: someRows(n) },
    { status: 'resuming', rows: someRows(n) },
    { status: 'onHold', cause: 'trunk', rows: someRows(n) },
    { status: 'onHold', cause: 'administrator', rows: someRows(n) },
    { status: 'lowBalance', rows: someRows(n) },
    { status: 'cancelling', rows: someRows(n) },
    { status: 'cancelled', rows: someRows(n) },
    { status: 'ready', rows: { done: 0, waiting: 0, fresh: n } },
    { status: 'processing', rows: noRows },
    { status: 'refused', rows: noRows },
    { status: 'failed', rows: noRows },
  ]
}

/** Two resellers with two users each, two dialers with two trunks each, and the campaigns on them, in turns; with all their calls, money and history. */
export async function fillOlder(at: At, of: OlderOf): Promise<Older> {
  const rich = { channels: 1000, rupees: 100_000_000 }
  const resellers = [await newReseller(at, rich), await newReseller(at, rich)]
  const users: Viewer[] = []
  for (const parent of [...resellers, ...resellers]) users.push(await newUser(at, { ...rich, parent }))
  const lines: Line[] = []
  while (lines.length < 4) {
    const dialerId = lines.at(-2)?.dialerId
    const place = dialerId === undefined ? { portFrom: of.portFrom ?? 20_000 } : { dialerId }
    lines.push(await newLine(at, { holders: users, channels: 200, cps: 200, ...place }))
  }
  await at.pool.query(
    'create table older_plan (campaign_id int primary key, before bigint, done int, waiting int, open int, fresh int)',
  )
  const campaigns: Older['campaigns'] = []
  for (const [n, campaign] of of.campaigns.entries()) {
    const [owner, line] = [users[n % users.length], lines[n % lines.length]]
    if (!owner || !line) throw new Error('nobody')
    campaigns.push({ ...campaign, id: await insertCampaign(at, { ...campaign, owner, line, flow: of.flow }) })
  }
  await at.pool.query(
    `select setval('attempt_open_id_seq', (select sum(done + waiting + open + fresh) + 1 from older_plan))`,
  )
  await makePartitions(at.db)
  for (const statement of statements) await at.pool.query(statement.replaceAll('{apart}', String(of.apart)))
  await at.pool.query('drop table older_plan')
  return { users, resellers, lines, campaigns }
}

async function insertCampaign(
  { db, pool }: At,
  { owner, line, status, cause, rows, flow }: OlderCampaign & { owner: Viewer; line: Line; flow: Flow },
): Promise<number> {
  const { done, waiting, open = 0, fresh } = rows
  const all = done + waiting + open + fresh
  const baseId = await newBase({ db }, owner, ['mobile'], all)
  const made = await pool.query<{ id: number }>(
    `insert into campaign (account_id, dialer_id, trunk_id, cli_id, status, hold_cause, start_at, dial_until, channels, reserve_paisa, retries, retry_ms, uploaded, fresh_next, fresh_end)
     values ($1, $2, $3, $4, $5::campaign_status, $6::hold_cause, now() + case when $5 = 'ready' then interval '1 day' else interval '-1 day' end, now() + interval '7 days',
       30, 400, 1, 600000, $7, $8, $7) returning id`,
    [owner.userId, line.dialerId, line.trunkId, line.cliId, status, cause ?? null, all, all - fresh],
  )
  const id = made.rows[0]?.id ?? 0
  await pool.query(
    `insert into campaign_detail (campaign_id, name, template_id, base_id, flow, composed, retry_interval_minutes, rows_in_file)
     values ($1, 'Campaign ' || $1::int, $2, $3, $4, '{}', 10, $5)`,
    [id, flow.templateId, baseId, JSON.stringify(flow), status === 'processing' ? null : all],
  )
  await pool.query(
    `insert into campaign_name (owner_id, name_key, campaign_id) values ($1, 'campaign ' || $2::int, $2)`,
    [owner.userId, id],
  )
  await pool.query(
    `insert into campaign_level (campaign_id, level, payer_id, payee_id, pulse_ms, pulse_paisa) values ($1, 0, $2, $3, 15000, 40), ($1, 1, $3, $4, 15000, 30)`,
    [id, owner.userId, owner.parentId, await revenueId(db)],
  )
  await pool.query(
    `insert into older_plan select $1, coalesce((select max(before + done + waiting + open + fresh) from older_plan), 0), $2, $3, $4, $5`,
    [id, done, waiting, open, fresh],
  )
  return id
}

/** Each answered call is of 20 s: two pulses, 80 paisa from the user to the reseller and 60 from there to the platform. */
const statements = [
  `insert into campaign_contact (campaign_id, no, line, phone, state, attempts, disposition)
   select campaign_id, no, no + 2, 9779840000046 + {apart}::bigint * (before + no),
     case when no < done then 'done' when no < done + waiting then 'waiting' else 'fresh' end::row_state, (no < done + waiting)::int,
     case when no < done then (array['ANSWER', 'BUSY', 'ANSWER', 'NO ANSWER'])[1 + no % 4] when no < done + waiting then 'NO ANSWER' end::disposition
   from older_plan, generate_series(0, done + waiting + open + fresh - 1) no`,
  `insert into contact_retry (campaign_id, due_at, no)
   select campaign_id, now() - interval '1 day' + no * interval '1 millisecond', no from older_plan, generate_series(done, done + waiting - 1) no`,
  `insert into attempt (id, batch_id, started_at, alerted_at, answered_at, ended_at, claimed_at, settled_at, phone, epoch, cost_paisa, uncollected_paisa, campaign_id, no,
     pulses, bill_ms, attempt_no, disposition, ended_by, keys, trail, alerted, account_id, trunk_id, cli_id, operator, kind)
   select p.before + r.no + 1, c.id * 1000000::bigint + r.no / 100, at, at + interval '2 seconds', case when answered then at + interval '5 seconds' end, at + interval '25 seconds',
     at, at + interval '26 seconds', r.phone, 7, 80 * answered::int, 0, c.id, r.no, 2 * answered::int, case when answered then 20000 end, 1, r.disposition,
     'customer', case when answered and r.no % 4 = 2 then '1' end, case when answered then '>end' end, true, c.account_id, c.trunk_id, c.cli_id, 1, 'campaign'
   from older_plan p join campaign c on c.id = p.campaign_id join campaign_contact r on r.campaign_id = c.id and r.disposition is not null,
     lateral (select r.disposition = 'ANSWER' as answered, now() - interval '20 hours' + (p.before + r.no) % 60000 * interval '1 second' as at) t`,
  `select setval('batch_id', (select max(batch_id) + 1 from attempt))`,
  `insert into transfer (batch_id, amount_paisa, payer_id, payee_id, campaign_id, attempts, level, kind)
   select a.batch_id, (80 - 20 * l.level) * a.n, l.payer_id, l.payee_id, a.campaign_id, a.n, l.level, 'calls'
   from (select batch_id, campaign_id, count(*)::int as n from attempt where disposition = 'ANSWER' group by 1, 2) a join campaign_level l on l.campaign_id = a.campaign_id`,
  `update account a set balance_paisa = balance_paisa + m.paisa
   from (select id, sum(paisa) as paisa from (select payee_id as id, amount_paisa as paisa from transfer where kind = 'calls'
     union all select payer_id, -amount_paisa from transfer where kind = 'calls') t group by 1) m
   where m.id = a.id and a.kind = 'ordinary'`,
  `insert into account_income (account_id, slot, paisa)
   select a.id, 0, sum(t.amount_paisa) from account a join transfer t on t.payee_id = a.id and t.kind = 'calls' where a.kind = 'revenue' group by 1`,
  `insert into credit_entry (account_id, action, campaign_id, day, amount_paisa, balance_paisa, parent_id)
   select t.account_id, t.action::credit_action, t.campaign_id, nepal_day(now()), sum(paisa), 0, u.parent_id from (
     select payer_id as account_id, campaign_id, case level when 0 then 'campaign_deduction' else 'campaign_margin' end as action, -amount_paisa as paisa from transfer where kind = 'calls'
     union all select payee_id, campaign_id, 'campaign_margin', amount_paisa from transfer where kind = 'calls') t left join users u on u.id = t.account_id
   group by 1, 2, 3, u.parent_id having sum(paisa) <> 0`,
  `insert into campaign_count (campaign_id, slot, fresh, in_call, waiting, done, attempts, answered, dtmf, pulses, no_answer, busy, cost_paisa)
   select p.campaign_id, 0, fresh, open, waiting, done, attempts, answered, dtmf, 2 * answered, no_answer, busy, 80 * answered
   from older_plan p, lateral (select count(*) as attempts, count(*) filter (where disposition = 'ANSWER') as answered, count(keys) as dtmf,
     count(*) filter (where disposition = 'NO ANSWER') as no_answer, count(*) filter (where disposition = 'BUSY') as busy from attempt a where a.campaign_id = p.campaign_id) a`,
  `insert into campaign_tally (campaign_id, slot, mark, n) select campaign_id, 0, '>end', answered from campaign_count where answered > 0`,
  `insert into campaign_progress (campaign_id, account_id, name, template_id, status, start_at, uploaded, processed, pending, fresh, in_call, waiting, done, attempts, answered, dtmf, pulses,
     cost_paisa, outcomes, stored_rows, finished_at)
   select c.id, c.account_id, d.name, d.template_id, c.status, c.start_at, c.uploaded, k.done, k.fresh + k.in_call + k.waiting, k.fresh, k.in_call, k.waiting, k.done, k.attempts, k.answered,
     k.dtmf, k.pulses, k.cost_paisa, jsonb_strip_nulls(jsonb_build_object('ANSWER', nullif(k.answered, 0), 'BUSY', nullif(k.busy, 0), 'NO ANSWER', nullif(k.no_answer, 0))), c.uploaded,
     case when c.status in ('complete', 'cancelled', 'refused', 'failed') then now() - interval '1 hour' end
   from campaign c join campaign_detail d on d.campaign_id = c.id join campaign_count k on k.campaign_id = c.id`,
  `insert into attempt_open (dialer_id, epoch, campaign_id, no, attempt_no, from_state, account_id, phone, reserved_paisa, trunk_id, cli_id, operator, kind)
   select c.dialer_id, 7, c.id, r.no, 1, 'fresh', c.account_id, r.phone, c.reserve_paisa, c.trunk_id, c.cli_id, 1, 'campaign'
   from older_plan p join campaign c on c.id = p.campaign_id join campaign_contact r on r.campaign_id = c.id and r.no >= p.done + p.waiting and r.no < p.done + p.waiting + p.open`,
  `insert into number_use (phone, attempt_id) select phone, id from attempt_open`,
  `update account a set reserved_paisa = o.paisa from (select account_id, sum(reserved_paisa) as paisa from attempt_open group by 1) o where o.account_id = a.id`,
  `update account_channels h set in_call = o.n from (select l.payer_id, count(*) as n from attempt_open o join campaign_level l on l.campaign_id = o.campaign_id group by 1) o
   where o.payer_id = h.account_id`,
  `insert into dialer_lease (dialer_id, engine_id, epoch, expires_at) select id, 'older', 7, now() - interval '1 minute' from dialer`,
]

/** Whoever begins or ends a call writes to these. */
const callTables = [
  'campaign',
  'campaign_contact',
  'campaign_count',
  'campaign_progress',
  'contact_retry',
  'attempt_open',
  'attempt_step',
  'attempt',
  'attempt_news',
  'number_use',
  'account',
  'account_channels',
  'account_income',
  'transfer',
  'credit_entry',
  'recording',
  'dialer_lease',
  'dialer_state',
  'trunk_state',
  'trunk_health',
  'trunk',
  'cli',
] as const

/** Locks each table as beginning and ending calls do, again and again, until `end`, which answers how many ms it took at most. */
export function keepCalling(pool: Pool): { end(): Promise<number> } {
  const ending = new AbortController()
  let longestMs = 0
  const call = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      for (const table of callTables) {
        const began = performance.now()
        await pool.query(`begin; lock table ${table} in row exclusive mode; rollback`)
        longestMs = Math.max(longestMs, performance.now() - began)
      }
      await sleep(5)
    }
  }
  const calling = call()
  return {
    async end() {
      ending.abort()
      await calling
      return longestMs
    },
  }
}
