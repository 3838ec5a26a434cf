/** Copies of one database, in which the same is done in two ways, and what each of them has then. */
import { randomBytes } from 'node:crypto'
import { Client, type Pool, type PoolClient } from 'pg'
import { expect } from 'vitest'
import { cloneDatabase } from '../../db/embedded/pg-local.ts'
import { openPool } from '../../db/pool.ts'
import { atEndOfFile } from '../../testing/cleanup.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'
import type { EngineDb } from './fixtures.ts'

/** On the connections of `pool`, one of which is `engine`, `now()` is what `setClock` said; calls in progress began then too. */
export type Copy = { pool: Pool; engine: PoolClient; owner: Client; setClock(at: Date): Promise<void> }

const clock = `create table test_clock as select now() as at;
  grant select on test_clock to ghanti_app;
  create function public.now() returns timestamptz language sql stable as 'select at from test_clock'`

/** Ends the connections to `at`, since a database in use is not copied. */
export async function copiesOf(at: EngineDb, n: number): Promise<Copy[]> {
  const source = new URL(at.url).pathname.slice(1)
  const admin = new Client({ connectionString: urlOf(at.url, 'postgres') })
  await admin.connect()
  atEndOfFile(() => admin.end())
  const ended = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1'
  const copies: Copy[] = []
  for (let i = 0; i < n; i++) {
    const name = `test_${randomBytes(6).toString('hex')}`
    await admin.query(ended, [source])
    await cloneDatabase(urlOf(at.url, 'postgres'), source, name)
    copies.push(await opened(urlOf(at.url, name), admin))
  }
  return copies
}

const urlOf = (url: string, database: string): string => Object.assign(new URL(url), { pathname: `/${database}` }).href

async function opened(url: string, admin: Client): Promise<Copy> {
  const owner = new Client({ connectionString: url })
  await owner.connect()
  await owner.query(clock)
  const options = `${enginePoolOptions} -c search_path=public,pg_catalog`
  const pool = openPool({ connectionString: url, max: 2, name: 'ghanti-copy-test', options }, () => {})
  const engine = await pool.connect() // an error would cost a pool its connection, and what is prepared there
  atEndOfFile(async () => {
    engine.release()
    await pool.end()
    await owner.end()
    await admin.query(`drop database if exists ${admin.escapeIdentifier(new URL(url).pathname.slice(1))} with (force)`)
  })
  const setClock = async (at: Date): Promise<void> => {
    await owner.query('update test_clock set at = $1', [at])
    await owner.query('update attempt_open set started_at = $1', [at]) // a claim takes it from the computer's clock
  }
  return { pool, engine, owner, setClock }
}

/** Columns that say when a row was written, by the computer's clock, or that count rows up. */
const incidental = `select a.attname from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = $1::regclass and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) ~ '(now|clock_timestamp|nextval)\\(')`

/** Of tables whose rows name batches, attempts or messages in whatever order they were numbered. */
const selects = new Map([
  ['attempt_open', 'select to_jsonb(t) as row from attempt_open t'],
  [
    'attempt',
    `select to_jsonb(t) - 'settled_at' || jsonb_build_object('batch_id', min(id) over (partition by batch_id) * (batch_id > 0)::int) as row from attempt t`,
  ],
  [
    'transfer',
    `select to_jsonb(t) - array['id', 'at'] || jsonb_build_object('batch_id',
       (select min(id) from (select id from attempt a where a.batch_id = t.batch_id union all select id from sms_sent m where m.batch_id = t.batch_id) paid)) as row
     from transfer t`,
  ],
  ['attempt_news', 'select to_jsonb(id) as row from attempt_news t, unnest(ids) id'],
  [
    'sms_sent',
    `select to_jsonb(t) - 'settled_at' || jsonb_build_object('claimed_at', 0, 'batch_id', min(id) over (partition by batch_id) * (batch_id > 0)::int) as row from sms_sent t`,
  ],
  ['sms_news', 'select to_jsonb(id) as row from sms_news t, unnest(ids) id'],
])

/** Every row of every table that has any, as text, in no order that depends on who wrote it. */
async function contentsOf({ owner }: Copy): Promise<Map<string, string[]>> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  const contents = new Map<string, string[]>()
  for (const { name } of tables) {
    const { rows: columns } = await owner.query<{ attname: string }>(incidental, [name])
    const select = selects.get(name) ?? `select to_jsonb(t) - $1::text[] as row from ${owner.escapeIdentifier(name)} t`
    const values = selects.has(name) ? [] : [columns.map(({ attname }) => attname)]
    const { rows } = await owner.query<{ row: string }>(
      `select row::text as row from (${select}) t order by row::text collate "C"`,
      values,
    )
    if (rows.length > 0)
      contents.set(
        name,
        rows.map(({ row }) => row),
      )
  }
  return contents
}

/** Throws naming the first table whose rows differ. */
export async function expectSame(copies: readonly Copy[]): Promise<void> {
  const [theirs, ours] = await Promise.all(copies.map(contentsOf))
  if (!theirs || !ours) throw new Error('there are no copies')
  expect([...ours.keys()]).toEqual([...theirs.keys()])
  for (const [name, rows] of theirs) expect(ours.get(name), name).toEqual(rows)
}
