/** Reads from the database of the attacked server what HTTP does not show. */
import * as path from 'node:path'
import { startPostgres } from '@ghanti/server/db/embedded/pg-local.ts'
import { openPool } from '@ghanti/server/db/pool.ts'
import { checkInvariants, type InvariantCounts } from '@ghanti/server/voice/invariants/invariants.sql.ts'

export type DatabaseChecks = {
  /** Calls to a number: how many there were, and the most at once, from claim to settlement; a call still up never ends. */
  callsTo(mobile: string): Promise<{ calls: number; atOnce: number }>
  /** What the invariant checker counts; 0 each. */
  numbersAtFault(): Promise<Pick<InvariantCounts, 'number_twice_at_once' | 'numbers_wrong'>>
  /** Counts so much of a kind of work for a day. */
  useUp(key: string, points: number): Promise<void>
  /** Bytes of the database. */
  size(): Promise<number>
  preparing(campaignIds: readonly number[]): Promise<number[]>
  refusedLines(campaignIds: readonly number[]): Promise<{ ofFiles: number; ofCampaigns: number }>
  /** Blocks whoever stores campaigns' rows, while holding their turn, until the result is called, as a slow disk would. */
  closeGate(): Promise<() => Promise<void>>
  waitsAtGate(): Promise<boolean>
  close(): Promise<void>
}

const callsSql = `with calls as (
  select claimed_at, settled_at from attempt where phone = $1::bigint
  union all select started_at, 'infinity' from attempt_open where phone = $1::bigint
), up as (
  select sum(by) over (order by at, by) as n from calls, lateral (values (claimed_at, 1), (settled_at, -1)) t (at, by)
)
select (select count(*) from calls)::int as "calls", coalesce((select max(n) from up), 0)::int as "atOnce"`

const refusedSql = `with bases as (select distinct base_id from campaign_detail where campaign_id = any ($1::int[]))
select (select count(*) from base_refused where base_id in (select base_id from bases))::int as "ofFiles",
  (select count(*) from campaign_refused where campaign_id = any ($1::int[]))::int as "ofCampaigns"`

/** `dataFolder`: of a running server. */
export async function openDatabaseChecks(dataFolder: string): Promise<DatabaseChecks> {
  const postgres = await startPostgres({ folder: path.join(dataFolder, 'postgres') })
  const connectionString = postgres.url('ghanti')
  const pool = openPool({ connectionString, max: 3, name: 'ghanti-bench', asOwner: true }, () => {})
  const one = async <T extends object>(sql: string, values: unknown[] = []): Promise<T> => {
    const [row] = (await pool.query<T>(sql, values)).rows
    if (!row) throw new Error(`no row: ${sql}`)
    return row
  }
  return {
    callsTo: (mobile) => one(callsSql, [`977${mobile}`]),
    async numbersAtFault() {
      const { number_twice_at_once, numbers_wrong } = await checkInvariants(pool)
      return { number_twice_at_once, numbers_wrong }
    },
    async useUp(key, points) {
      const expire = Date.now() + 24 * 3600_000
      await pool.query(
        `insert into rate_limit (key, points, expire) values ($1, $2, $3)
         on conflict (key) do update set points = excluded.points, expire = excluded.expire`,
        [key, points, expire],
      )
    },
    async size() {
      return Number((await one<{ size: string }>('select pg_database_size(current_database()) as size')).size)
    },
    async preparing(campaignIds) {
      const { rows } = await pool.query<{ id: number }>(
        "select id from campaign where id = any ($1::int[]) and status = 'processing'",
        [campaignIds],
      )
      return rows.map(({ id }) => id)
    },
    refusedLines: (campaignIds) => one(refusedSql, [campaignIds]),
    async closeGate() {
      const client = await pool.connect()
      await client.query('begin')
      // Only preparation writes it, after the rows; readers do not wait.
      await client.query('lock table contact_value in share mode')
      return async () => {
        await client.query('commit')
        client.release()
      }
    },
    async waitsAtGate() {
      const { waits } = await one<{ waits: boolean }>(
        "select exists (select from pg_locks where relation = 'contact_value'::regclass and not granted) as waits",
      )
      return waits
    },
    async close() {
      await pool.end()
      await postgres.stop()
    },
  }
}
