import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { generateContacts } from '../../testing/files/contact-file.ts'
import { newUser } from '../../testing/seed.ts'
import { beginImport, numberRows, openCopy, storeRows } from './prepare.sql.ts'
import { prepareCampaign, type PrepareDeps } from './prepare.ts'
import { turnsToPrepare } from '../../dispatch/turns/account-turns.ts'
import { claimed, claimOf, newCampaign, newFixtures } from '../testing/fixtures.ts'
import { engineDb } from '../testing/db.ts'
import { prepareDeps } from '../testing/prepare.ts'
import { polling } from '../../testing/timeouts.ts'

const at = await engineDb()
const fixtures = await newFixtures(at)
const { lease } = fixtures
const { user, reseller } = fixtures
const deps = prepareDeps(at)
const { files } = deps
const never = new AbortController().signal

async function composed(text: string): Promise<number> {
  const id = await newCampaign(at, {
    user: user ?? fixtures.top,
    line: fixtures.line,
    phones: [],
    status: 'processing',
  })
  const hash = await files.putBytes(Buffer.from(text))
  await at.pool.query(
    'update base set file_hash = $2 from campaign_detail d where d.base_id = base.id and d.campaign_id = $1',
    [id, hash],
  )
  return id
}
async function one(sql: string, id: number): Promise<Record<string, unknown>> {
  return (await at.pool.query(sql, [id])).rows[0] ?? {}
}
const campaignOf = (id: number) =>
  one('select status, reason, uploaded, fresh_next, fresh_end from campaign where id = $1', id)
const detailOf = (id: number) =>
  one('select rows_in_file, invalid, duplicate from campaign_detail where campaign_id = $1', id)
const countOf = (id: number) =>
  one(
    'select sum(fresh)::int fresh, sum(dnd)::int dnd, sum(in_call + waiting + done + expired)::int other from campaign_count where campaign_id = $1',
    id,
  )
const progressOf = (id: number) =>
  one(
    'select status, reason, uploaded, pending, fresh, dnd, processed from campaign_progress where campaign_id = $1',
    id,
  )
const rowsOf = async (id: number) =>
  (
    await at.pool.query(
      // no join: before statistics exist, the planner expects one row and would read all for each
      `select no, line, phone, follower_no, state,
         (select vars from contact_value v where v.campaign_id = c.campaign_id and v.no = c.no) as vars
       from campaign_contact c where campaign_id = $1 order by no`,
      [id],
    )
  ).rows
const refusedOf = async (id: number) =>
  (
    await at.pool.query(
      `select line, text, reason from campaign_refused where campaign_id = $1
       union all select line, text, reason from base_refused join campaign_detail using (base_id) where campaign_id = $1 order by line`,
      [id],
    )
  ).rows
async function blacklist(phone: number, owner: number): Promise<void> {
  await at.pool.query('insert into blacklist (phone, owner_id) values ($1, $2)', [phone, owner])
}
async function nothingMade(id: number): Promise<void> {
  expect([...(await rowsOf(id)), ...(await refusedOf(id))]).toEqual([])
  expect(await detailOf(id)).toEqual({ rows_in_file: null, invalid: null, duplicate: null })
  expect(await countOf(id)).toEqual({ fresh: 0, dnd: 0, other: 0 })
}

test('10,000 rows as people send them are imported to the row', async () => {
  const made = generateContacts({ rows: 10_000, seed: 3 })
  const id = await composed(made.text)
  const { rows, accepted, invalid, duplicate } = made.expected
  expect(await prepareCampaign(deps, lease, id, never)).toEqual({
    kind: 'prepared',
    status: 'ready',
    reason: null,
    uploaded: accepted,
  })
  expect(await campaignOf(id)).toEqual({
    status: 'ready',
    reason: null,
    uploaded: accepted,
    fresh_next: 0,
    fresh_end: accepted,
  })
  expect(await detailOf(id)).toEqual({ rows_in_file: rows, invalid, duplicate })
  expect(await countOf(id)).toEqual({ fresh: accepted, dnd: 0, other: 0 })
  expect(await progressOf(id)).toEqual({
    status: 'ready',
    reason: null,
    uploaded: accepted,
    pending: accepted,
    fresh: accepted,
    dnd: 0,
    processed: 0,
  })
  const stored = await rowsOf(id)
  expect(stored.map((row) => ({ line: row.line, phone: row.phone, name: row.vars.Name }))).toEqual(made.accepted)
  expect(stored.every((row, no) => row.no === no && row.state === 'fresh' && row.follower_no === null)).toBe(true)
  expect((await refusedOf(id)).map((row) => row.line)).toEqual(made.refused.map((row) => row.line))
  expect(rows).toBe(accepted + invalid + duplicate)
})

test('prepared rows can be claimed, in the order of the file', async () => {
  const id = await composed('mobile\n9841230001\n9841230002\n9841230003\n')
  await prepareCampaign(deps, lease, id, never)
  await at.pool.query("update campaign set status = 'running' where id = $1", [id])
  const calls = await claimed(at, fixtures, id, 10)
  expect(calls.map((call) => call.phone)).toEqual([9779841230001, 9779841230002, 9779841230003])
})

describe('blacklists', () => {
  test('of the user, the resellers above and the platform leave a row in its place, and nothing tells before its turn', async () => {
    const { rows: mint } = await at.pool.query("select id from account where kind = 'mint'")
    await blacklist(9779841231001, user.userId)
    await blacklist(9779841231002, reseller.userId)
    await blacklist(9779841231003, fixtures.top.userId)
    await blacklist(9779841231004, mint[0].id)
    await blacklist(9779841231005, (await newUser(at, { parent: reseller })).userId)
    const id = await composed([1, 2, 3, 4, 5, 6].map((n) => `984123100${n},name ${n}`).join('\n'))
    expect(await prepareCampaign(deps, lease, id, never)).toMatchObject({ status: 'ready', uploaded: 6 })
    expect((await rowsOf(id)).map((row) => [row.no, row.line, row.state, row.vars.column2])).toEqual([
      [0, 1, 'fresh', 'name 1'],
      [1, 2, 'fresh', 'name 2'],
      [2, 3, 'fresh', 'name 3'],
      [3, 4, 'fresh', 'name 4'],
      [4, 5, 'fresh', 'name 5'],
      [5, 6, 'fresh', 'name 6'],
    ])
    expect(await campaignOf(id)).toMatchObject({ uploaded: 6, fresh_end: 6 })
    expect(await countOf(id)).toEqual({ fresh: 6, dnd: 0, other: 0 })
    expect(await progressOf(id)).toMatchObject({ uploaded: 6, dnd: 0, pending: 6 })
    expect(await detailOf(id)).toEqual({ rows_in_file: 6, invalid: 0, duplicate: 0 })
    await at.pool.query(`update campaign set status = 'running' where id = $1`, [id])
    const { calls, suppressed } = await claimOf(at, fixtures, id, 10)
    expect([calls.map((call) => call.phone), suppressed]).toEqual([[9779841231005, 9779841231006], 4])
    expect(await countOf(id)).toEqual({ fresh: 0, dnd: 4, other: 2 })
  })

  test('leave no trace in a campaign that has not begun: every table says the same of it, in the same order, as of one without such numbers', async () => {
    for (const n of [1, 3, 4]) await blacklist(9779841233000 + n, reseller.userId)
    const prepared = async (from: number) => {
      const file = [1, 2, 3, 4, 5].map((n) => `${from + n},name ${n}`).join('\n')
      const id = await composed(`${file}\nabc,x\n${from + 1},name 1\n`)
      await prepareCampaign(deps, lease, id, never)
      return id
    }
    const [listed, others] = [await prepared(9841233000), await prepared(9841234000)]
    const { rows: tables } = await at.pool.query<{ name: string; key: string }>(
      `select c.table_name as name, c.column_name as key from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
       where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and (c.column_name = 'campaign_id' or c.table_name = 'campaign' and c.column_name = 'id')`,
    )
    const own = 'id campaign_id base_id name phone at created_at changed_at start_at dial_until text'.split(' ')
    const said = async (id: number) => {
      const all: Record<string, unknown> = {}
      for (const { name, key } of tables) {
        const rows = (
          await at.pool.query(
            `select to_jsonb(r) - $2::text[] as row from ${name} r where ${key} = $1 order by r.ctid`,
            [id, own],
          )
        ).rows
        if (rows.length > 0) all[name] = rows.map(({ row }) => row)
      }
      return all
    }
    expect(await said(listed)).toEqual(await said(others))
    expect((await said(listed))['campaign_contact']).toMatchObject([0, 1, 2, 3, 4].map((no) => ({ no, line: no + 1 })))
  })

  test('that hold all rows leave the campaign ready, and it is complete once it has begun', async () => {
    await blacklist(9779841232001, user.userId)
    const id = await composed('9841232001\nabc\n')
    await prepareCampaign(deps, lease, id, never)
    expect(await campaignOf(id)).toMatchObject({ status: 'ready', reason: null, uploaded: 1, fresh_end: 1 })
    expect(await progressOf(id)).toMatchObject({ status: 'ready', dnd: 0, pending: 1 })
  })
})

test('without a row that can be called the campaign is refused, with the reason and every row', async () => {
  const id = await composed('mobile,name\n1414,"a, b"\n+919841234567,c\n')
  await prepareCampaign(deps, lease, id, never)
  const reason = 'no row of the contact file can be called: invalid 2, duplicate 0'
  expect(await campaignOf(id)).toMatchObject({ status: 'refused', reason, uploaded: 0 })
  expect(await detailOf(id)).toEqual({ rows_in_file: 2, invalid: 2, duplicate: 0 })
  expect(await refusedOf(id)).toEqual([
    { line: 2, text: '1414,"a, b"', reason: 'the number is too short' },
    { line: 3, text: '+919841234567,c', reason: 'the number is not Nepali' },
  ])
})

test('characters that mean something to COPY are stored as they were', async () => {
  const odd = 'back\\slash \\N \\. and\ttab, "quoted"\nsecond line'
  const cell = `"${odd.replaceAll('"', '""')}"`
  const id = await composed(`mobile,name\n9841233001,${cell}\nx\\y,${cell}\n`)
  await prepareCampaign(deps, lease, id, never)
  expect((await rowsOf(id))[0]?.vars).toEqual({ name: odd })
  expect(await refusedOf(id)).toEqual([{ line: 4, text: `x\\y,${cell}`, reason: 'the number has letters' }])
})

test('a file that the store lost refuses the campaign and says so', async () => {
  const id = await composed('9841234001\n')
  await files.remove(await files.putBytes(Buffer.from('9841234001\n')))
  await prepareCampaign(deps, lease, id, never)
  expect(await campaignOf(id)).toMatchObject({ status: 'refused', reason: 'the contact file is not there any more' })
})

/** Reports at every piece of the file, so that a test can intervene meanwhile. */
const slow: PrepareDeps = { ...deps, reportEveryMs: 0 }
const manyCount = 25_000
const manyRows = Array.from({ length: manyCount }, (_, i) => `98${10_000_000 + i},Sita Sharma`).join('\n')
async function whileReading(id: number): Promise<void> {
  await expect
    .poll(async () => String((await campaignOf(id))['reason']), { ...polling, interval: 10 })
    .toMatch(/^reading the file: [\d,]+ rows$/)
}

describe('in the middle', () => {
  test('the screen says how far it is', async () => {
    const id = await composed(manyRows)
    const prepared = prepareCampaign(slow, lease, id, never)
    await whileReading(id)
    expect((await progressOf(id))['reason']).toMatch(/^reading the file/)
    await prepared
    expect(await progressOf(id)).toMatchObject({ status: 'ready', reason: null, uploaded: manyCount })
  })

  test('a stop is obeyed and nothing is half made', async () => {
    const id = await composed(manyRows)
    const prepared = prepareCampaign(slow, lease, id, never)
    await whileReading(id)
    await at.pool.query("update campaign set status = 'cancelling', reason = 'stopped' where id = $1", [id])
    expect(await prepared).toEqual({ kind: 'stopped' })
    expect(await campaignOf(id)).toMatchObject({ status: 'cancelling', reason: 'stopped', uploaded: 0 })
    await nothingMade(id)
  })

  test('a lost connection leaves nothing, and it is done again', async () => {
    const id = await composed(manyRows)
    const prepared = prepareCampaign(slow, lease, id, never)
    const failed = expect(prepared).rejects.toThrow()
    await whileReading(id)
    // the application's role may not end its login's connections, so the owner does
    const owner = new Client({ connectionString: at.url })
    await owner.connect()
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ghanti-engine-test' and datname = current_database() and xact_start is not null",
    )
    await owner.end()
    await failed
    await nothingMade(id)
    expect(await prepareCampaign(deps, lease, id, never)).toMatchObject({ kind: 'prepared', uploaded: manyCount })
  })

  test('a process that shuts down leaves nothing, and the next one does it', async () => {
    const id = await composed(manyRows)
    const abort = new AbortController()
    const prepared = prepareCampaign(slow, lease, id, abort.signal)
    const failed = expect(prepared).rejects.toThrow(/abort/i)
    await whileReading(id)
    abort.abort()
    await failed
    await nothingMade(id)
    expect(await prepareCampaign(deps, lease, id, never)).toMatchObject({ kind: 'prepared', uploaded: manyCount })
  })
})

test('an engine that lost the dialer writes nothing', async () => {
  const id = await composed('9841235001\n')
  expect(await prepareCampaign(deps, { ...lease, epoch: lease.epoch - 1 }, id, never)).toEqual({ kind: 'stopped' })
  expect(await campaignOf(id)).toMatchObject({ status: 'processing' })
  await nothingMade(id)
})

test('two try at once, and one prepares it', async () => {
  const id = await composed(manyRows)
  const both = await Promise.all([1, 2].map(() => prepareCampaign(deps, lease, id, never)))
  expect(both.map((one) => one.kind).sort()).toEqual(['elsewhere', 'prepared'])
  expect(await prepareCampaign(deps, lease, id, never)).toEqual({ kind: 'stopped' })
  expect(await rowsOf(id)).toHaveLength(manyCount)
})

test('a process imports one after the other, whatever becomes of one', async () => {
  const first = await composed(manyRows)
  const lost = 999_999
  const last = await composed('9841236001\n')
  const turns = turnsToPrepare()
  const order: number[] = []
  const prepare = async (id: number) => {
    const { kind } = await prepareCampaign(deps, lease, id, never, turns)
    order.push(id)
    return kind
  }
  const run = turns.store.run.bind(turns.store)
  const done = await new Promise<Promise<string>[]>((resolve) => {
    turns.store.run = (whose, work) => {
      turns.store.run = run
      const running = run(whose, work) // the first has the turn
      resolve([begun, prepare(lost), prepare(last)])
      return running
    }
    const begun = prepare(first)
  })
  expect(await Promise.all(done)).toEqual(['prepared', 'stopped', 'prepared'])
  expect(order).toEqual([lost, first, last]) // what needs no import does not wait
})

test('rows of one number follow each other: first the first of each in the order of the file, blacklisted or not, then the next ones', async () => {
  const [a, b, c] = [9779841237001, 9779841237002, 9779841237003]
  await blacklist(c, user.userId)
  const id = await composed('9841237001\n')
  const client = await at.engine.connect()
  await beginImport(client, id)
  const rows = [
    [2, a, 0],
    [3, c, 0],
    [4, a, 1],
    [5, b, 0],
    [6, a, 2],
    [7, c, 1],
    [8, b, 1],
  ]
  await pipeline(
    [
      Buffer.from(
        rows
          .map((row) => `${row.join('\t')}\t{"amount": "${row[0]}"}\t\\N\t\\N\tf\t\\N\t\\N\t\\N\t\\N\t\\N\n`)
          .join(''),
      ),
    ],
    await openCopy(client),
  )
  expect(await numberRows(client, null)).toEqual({ uploaded: 7, firsts: 3 })
  await storeRows(client, id, { from: 0, to: 4 })
  await storeRows(client, id, { from: 4, to: 7 })
  await client.query('commit')
  client.release()
  expect(
    (await rowsOf(id)).map((row) => [row.no, row.line, row.phone, row.follower_no, row.state, row.vars.amount]),
  ).toEqual([
    [0, 2, a, 3, 'fresh', '2'],
    [1, 3, c, 5, 'fresh', '3'],
    [2, 5, b, 6, 'fresh', '5'],
    [3, 4, a, 4, 'fresh', '4'],
    [4, 6, a, null, 'fresh', '6'],
    [5, 7, c, null, 'fresh', '7'],
    [6, 8, b, null, 'fresh', '8'],
  ])
})

test('where a campaign’s route names operators, its first rows are numbered by operator, with a cursor for each; then the later ones', async () => {
  const { line } = fixtures
  const { id: routeId } = await at.db
    .insertInto('call_route')
    .values({ name: 'By operator' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const step = { route_id: routeId, priority: 1, weight: 1 }
  await at.db
    .insertInto('call_route_step')
    .values({ ...step, trunk_id: line.trunkId, operators: [2] })
    .execute()
  await at.db.updateTable('cli').set({ route_id: routeId }).where('id', '=', line.cliId).execute()
  const id = await composed('9841236001\n9801236001\n014236001\n9801236002\n9841236002\n')
  await prepareCampaign(deps, lease, id, never)
  expect((await rowsOf(id)).map(({ no, phone }) => [no, phone])).toEqual([
    [0, 97714236001],
    [1, 9779841236001],
    [2, 9779841236002],
    [3, 9779801236001],
    [4, 9779801236002],
  ])
  expect(await campaignOf(id)).toMatchObject({ status: 'ready', fresh_next: 5, fresh_end: 5 })
  const { rows } = await at.pool.query(
    'select stream, fresh_from, fresh_next, fresh_end from campaign_stream where campaign_id = $1 order by stream',
    [id],
  )
  expect(rows).toEqual([
    { stream: 0, fresh_from: 0, fresh_next: 0, fresh_end: 1 },
    { stream: 1, fresh_from: 1, fresh_next: 1, fresh_end: 3 },
    { stream: 2, fresh_from: 3, fresh_next: 3, fresh_end: 5 },
  ])
  await at.db.updateTable('cli').set({ route_id: null }).where('id', '=', line.cliId).execute()
  const plain = await composed('9841236101\n9801236101\n')
  await prepareCampaign(deps, lease, plain, never)
  expect(await campaignOf(plain)).toMatchObject({ fresh_next: 0, fresh_end: 2 })
})
