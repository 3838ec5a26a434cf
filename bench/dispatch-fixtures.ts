/** Accounts, lines and campaigns for bench/dispatch, made in bulk. */
import assert from 'node:assert/strict'
import type { Part } from '@ghanti/callflow/flow.ts'
import type { Db } from '@ghanti/server/db/db.ts'
import type { FilesDriver } from '@ghanti/server/drivers/files/driver.ts'
import type { Viewer } from '@ghanti/server/policy.ts'
import { newLine, newReseller, newUser } from '@ghanti/server/testing/seed.ts'
import type { Pool } from 'pg'

/** The user pays 40 paisa per 15 s, the reseller 30 per 15 s, the top reseller 2 per second. */
const chain = [
  { pulseMs: 15_000, pulsePaisa: 40 },
  { pulseMs: 15_000, pulsePaisa: 30 },
  { pulseMs: 1000, pulsePaisa: 2 },
]
export const promptMs = 3000
const plenty = 1_000_000

/** A prompt of three seconds; `sound` is its stored content. */
export async function threeSeconds(files: FilesDriver, sound: Buffer): Promise<Part> {
  return { kind: 'prompt', promptId: 1, durationMs: promptMs, hash: await files.putBytes(sound) }
}

type Line = { dialerId: number; trunkId: number; cliId: number }
export type Fixtures = { users: Viewer[]; reseller: Viewer; lines: Line[]; mintId: number }
export type Campaign = {
  id: number
  user: Viewer
  line: Line
  /** The user and its resellers, from the bottom up. */
  payerIds: number[]
}

/** A top reseller, two resellers below it, and users distributed below these; a caller ID for each dialer, held by all. */
export async function makeFixtures(
  db: Db,
  of: { users: number; dialers: number; line: { channels: number; cps: number } },
): Promise<Fixtures> {
  const top = await newReseller({ db }, { channels: plenty })
  const resellers = [
    await newReseller({ db }, { parent: top, channels: plenty }),
    await newReseller({ db }, { parent: top, channels: plenty }),
  ] as const
  const users: Viewer[] = []
  for (let i = 0; i < of.users; i++)
    users.push(await newUser({ db }, { parent: resellers[i % 2] ?? top, channels: plenty, rupees: 10_000_000 }))
  const lines: Line[] = []
  for (let i = 0; i < of.dialers; i++) {
    const line = await newLine({ db }, { holders: users, ...of.line })
    await db
      .updateTable('dialer')
      .set({ port: 20_000 + i })
      .where('id', '=', line.dialerId)
      .execute()
    lines.push(line)
  }
  const { id: mintId } = await db
    .selectFrom('account')
    .select('id')
    .where('kind', '=', 'mint')
    .executeTakeFirstOrThrow()
  return { users, reseller: resellers[0], lines, mintId }
}

/**
 * Campaigns that play `opening` and hang up, with `rows` distinct numbers each that answer and listen, as after compose and preparation.
 */
export async function makeCampaigns(
  pool: Pool,
  fixtures: Fixtures,
  of: { campaigns: number; rows: number; status: 'running' | 'paused'; opening: readonly Part[] },
): Promise<Campaign[]> {
  const flow = JSON.stringify({ templateId: 0, opening: of.opening, menus: [], closing: [] })
  const made: Campaign[] = []
  for (let i = 0; i < of.campaigns; i++) {
    const [user, line] = [fixtures.users[i % fixtures.users.length], fixtures.lines[i % fixtures.lines.length]]
    assert(user && line)
    const { rows: bases } = await pool.query<{ id: number }>(
      `insert into base (owner_id, name, file_hash, size_bytes, rows, dialable, columns) values ($1, $2, '', 1, $3, $3, '{mobile}') returning id`,
      [user.userId, `Base ${i} ${Date.now()}`, of.rows],
    )
    const { rows: campaigns } = await pool.query<{ id: number }>(
      `insert into campaign (account_id, dialer_id, trunk_id, cli_id, status, start_at, dial_until, channels, reserve_paisa, retries, retry_ms, uploaded, fresh_end)
       values ($1, $2, $3, $4, $7, now(), now() + interval '7 days', $5, 400, 2, 600000, $6, $6) returning id`,
      [user.userId, line.dialerId, line.trunkId, line.cliId, plenty, of.rows, of.status],
    )
    const id = campaigns[0]?.id
    assert(id)
    await pool.query(
      `insert into campaign_detail (campaign_id, name, template_id, base_id, flow, composed, retry_interval_minutes, rows_in_file, invalid, duplicate)
       values ($1, $2, 0, $3, $4, '{}', 10, $5, 0, 0)`,
      [id, `Campaign ${id}`, bases[0]?.id, flow, of.rows],
    )
    const payerIds = await makeRows(pool, id, user, of.rows)
    made.push({ id, user, line, payerIds })
  }
  return made
}

async function makeRows(pool: Pool, campaignId: number, user: Viewer, rows: number): Promise<number[]> {
  const { rows: levels } = await pool.query<{ payer_id: number }>(
    `with recursive up as (
       select 0 as level, id, parent_id from account where id = $2
       union all select u.level + 1, a.id, a.parent_id from up u join account a on a.id = u.parent_id where a.parent_id is not null
     )
     insert into campaign_level (campaign_id, level, payer_id, payee_id, pulse_ms, pulse_paisa)
     select $1, level, id, parent_id, ($3::int[])[level + 1], ($4::bigint[])[level + 1] from up where parent_id is not null returning payer_id`,
    [campaignId, user.userId, chain.map((price) => price.pulseMs), chain.map((price) => price.pulsePaisa)],
  )
  await pool.query('insert into campaign_count (campaign_id, slot, fresh) values ($1, 0, $2)', [campaignId, rows])
  await pool.query(
    `insert into campaign_progress (campaign_id, account_id, name, template_id, status, start_at, uploaded, pending, fresh)
     select id, account_id, 'Campaign ' || id, 0, status, start_at, uploaded, uploaded, uploaded from campaign where id = $1`,
    [campaignId],
  )
  // the last two digits 50 to 99: they answer
  await pool.query(
    `insert into campaign_contact (campaign_id, no, line, phone)
     select $1::int, n, n + 2, 9779800000000 + $1::int * 1000000::bigint + n / 50 * 100 + 50 + n % 50 from generate_series(0, $2::int - 1) n`,
    [campaignId, rows],
  )
  return levels.map((level) => level.payer_id)
}
