/** An upgrade of an installation in use, from before call routes, by way of a version in between. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { kyselyOver, openPool } from '../../db/pool.ts'
import { migrate, migrationsUpTo } from '../../db/schema/migrate.ts'
import { testFiles } from '../../testing/files/test-files.ts'
import { disagreements } from '../../modules/insight/testing.ts'
import { atEndOfFile } from '../../testing/cleanup.ts'
import { beforeRoutes, fillOlder, inEachState, keepCalling } from '../../testing/older-version-database.ts'
import { polling } from '../../testing/timeouts.ts'
import { checkInvariants, faultsOf } from '../invariants/invariants.sql.ts'
import { answering, answeringOf, campaignsIn } from '../testing/campaigns.ts'
import { engineDb } from '../testing/db.ts'
import { dialling, flowsOver } from '../testing/engine.ts'
import { expectSoundBooks, newCampaign, type Fixtures } from '../testing/fixtures.ts'
import { newRoute } from '../testing/routes.ts'

/** It knows routes by operator over one dialer. */
const between = '0220_counted_alike.sql'
const at = await engineDb(8, { isEmpty: true })
const owner = openPool({ connectionString: at.url, max: 3, name: 'owner', asOwner: true }, () => {})
const folder = mkdtempSync(join(tmpdir(), 'ghanti-migrated-'))
atEndOfFile(async () => {
  await owner.end()
  rmSync(folder, { recursive: true, force: true })
})

/** Of each table, how many rows it has and what is in these columns of it. */
async function contents(columns: ReadonlyMap<string, string>): Promise<string[]> {
  const found: string[] = []
  for (const [table, names] of columns) {
    const { rows } = await owner.query<{ is: string }>(
      `select $1 || ': ' || count(*) || ' ' || coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') as is from (select ${names} from ${table}) t`,
      [table],
    )
    found.push(...rows.map((row) => row.is))
  }
  return found
}

/** Without the queue of logos, which a later migration drops with what waits in it. */
async function columnsNow(): Promise<Map<string, string>> {
  const { rows } = await owner.query<{ table_name: string; names: string }>(
    `select c.table_name, string_agg(quote_ident(c.column_name), ', ' order by c.ordinal_position) as names
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and t.table_name !~ '_[0-9]+$' and t.table_name not in ('schema_migration', 'logo_replaced') group by 1 order by 1`,
  )
  return new Map(rows.map(({ table_name: table, names }) => [table, names]))
}

/** Migrates while somebody reads calls for six seconds. Returns how long a call waited for its tables at most, in ms. */
async function migrateBesideCalls(): Promise<number> {
  const reader = new Client({ connectionString: at.url })
  await reader.connect()
  await reader.query('begin')
  await reader.query('select count(*) from attempt')
  const calling = keepCalling(owner)
  const ended = sleep(6000).then(() => reader.end())
  await migrate(at.url)
  const longestMs = await calling.end()
  await ended
  return longestMs
}

test('an installation in use, with campaigns in every state, is migrated: nothing that it had changes, its books hold, calls wait for seconds at most, and its campaigns go on, also by operator', async () => {
  await migrate(at.url, migrationsUpTo(beforeRoutes))
  const flow = (await flowsOver(testFiles(folder)))(0)
  const db = kyselyOver(owner)
  const { users, lines, campaigns } = await fillOlder(
    { db, pool: owner },
    { campaigns: inEachState(60), flow, apart: 100 },
  )
  await owner.query('select follow_attempts(1)') // some calls were counted by that version, the others are not yet
  const [user, line] = [users[0], lines[0]]
  if (!user || !line) throw new Error('nobody')

  const old = await columnsNow()
  const had = await contents(old)
  // An upgrade that was interrupted left an index half done.
  await owner.query('alter table contact_retry add stream smallint not null default 0')
  await owner.query('create index contact_retry_by_stream on contact_retry (campaign_id)')
  await migrate(at.url, migrationsUpTo(between))
  expect(await contents(old)).toEqual(had)

  const steps = lines.filter(({ dialerId }) => dialerId === line.dialerId).map(({ trunkId }) => trunkId)
  const byOperator = steps.map((trunkId, n) => ({ trunkId, priority: 1, weight: 1, operators: [n + 1] }))
  await newRoute({ db }, { line } as Fixtures, byOperator)
  const routed = await newCampaign(
    { db },
    {
      user,
      line,
      phones: [...answeringOf(985, 30), ...answeringOf(980, 30)],
      flow,
      reservePaisa: 400,
      byOperator: true,
      status: 'paused',
    },
  )
  const known = await columnsNow()
  const knew = await contents(known)
  expect(await migrateBesideCalls()).toBeLessThan(4000)
  expect(await contents(known)).toEqual(knew)
  const { rows: key } = await owner.query(
    `select c.conname, pg_get_constraintdef(c.oid) as is from pg_constraint c where c.conrelid = 'contact_retry'::regclass and c.contype = 'p'`,
  )
  expect(key).toEqual([{ conname: 'contact_retry_pkey', is: 'PRIMARY KEY (campaign_id, stream, due_at, no)' }])
  expect(faultsOf(await checkInvariants(owner))).toEqual([])
  expect(await disagreements(db)).toEqual([])

  const dials = await dialling({ speed: 50, timeScale: 0.004, at })
  const file = ['mobile', ...answering(5, 9779860000000)].join('\n')
  const unread = campaigns.find(({ status }) => status === 'processing')
  await owner.query(
    'update base set file_hash = $1, rows = 5, dialable = 5 where id = (select base_id from campaign_detail where campaign_id = $2)',
    [await dials.files.putBytes(Buffer.from(file)), unread?.id],
  )
  await owner.query(`update campaign set status = 'resuming' where id = $1`, [routed])
  dials.start()
  const becomes: Record<string, string> = {
    running: 'complete',
    resuming: 'complete',
    processing: 'complete',
    pausing: 'paused',
    cancelling: 'cancelled',
    lowBalance: 'onHold',
  }
  const are = async () => {
    const { rows } = await owner.query<{ id: number; status: string }>('select id, status from campaign order by id')
    return new Map(rows.map(({ id, status }) => [id, status]))
  }
  const goals = campaigns.map(
    ({ id, status, cause }) => [id, cause === 'trunk' ? 'complete' : (becomes[status] ?? status)] as const,
  )
  await vi.waitFor(async () => expect(await are()).toEqual(new Map([...goals, [routed, 'complete']])), {
    ...polling,
    timeout: 60_000,
  })
  expect(await campaignsIn(at).ways(routed)).toEqual({ [`1 over ${steps[0]}`]: 30, [`2 over ${steps[1]}`]: 30 })
  await expectSoundBooks(at)
}, 120_000)
