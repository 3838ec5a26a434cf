import { expect, test } from 'vitest'
import { prepareCampaign } from './prepare.ts'
import { newCampaign, newFixtures } from '../testing/fixtures.ts'
import { engineDb } from '../testing/db.ts'
import { prepareDeps } from '../testing/prepare.ts'

const at = await engineDb()
const fixtures = await newFixtures(at)
const deps = prepareDeps(at)
const { files } = deps
const never = new AbortController().signal

/** The id of a stored file, from which `composed` makes campaigns. */
async function stored(text: string): Promise<number> {
  const { rows } = await at.pool.query<{ id: number }>(
    `insert into base (owner_id, name, file_hash, size_bytes, rows, dialable, columns) values ($1, $2, $2, $3, 0, 0, '{mobile}') returning id`,
    [fixtures.user.userId, await files.putBytes(Buffer.from(text)), text.length],
  )
  return rows[0]?.id ?? 0
}
async function prepared(baseId: number): Promise<number> {
  const id = await newCampaign(at, { user: fixtures.user, line: fixtures.line, phones: [], status: 'processing' })
  await at.pool.query('update campaign_detail set base_id = $2 where campaign_id = $1', [id, baseId])
  await prepareCampaign(deps, fixtures.lease, id, never)
  return id
}
async function all<Row extends object>(sql: string, id: number): Promise<Row[]> {
  return (await at.pool.query<Row>(sql, [id])).rows
}
const detailOf = async (id: number) =>
  (
    await all<object>(
      'select rows_in_file, invalid, duplicate, refused_of_file from campaign_detail where campaign_id = $1',
      id,
    )
  )[0]
const refusedBy = (id: number) =>
  all<{ line: number; reason: string }>(
    'select line, reason from campaign_refused where campaign_id = $1 order by line',
    id,
  )
const refusedOfFile = (id: number) =>
  all<{ line: number; reason: string }>('select line, reason from base_refused where base_id = $1 order by line', id)
async function databaseMegabytes(): Promise<number> {
  await at.pool.query('checkpoint').catch(() => undefined)
  const { rows } = await at.pool.query<{ size: number }>('select pg_database_size(current_database()) as size')
  return Number(rows[0]?.size) / 1e6
}

/** 200 kB, which once became a database row per line, and 40 MB with four campaigns: with two still more than twice what is allowed. */
const junkLines = 100_000
const junk = `9841234567\n${'x\n'.repeat(junkLines)}`

test('a file of lines that nobody can call takes the database little room, however often it is composed', async () => {
  const before = await databaseMegabytes()
  const baseId = await stored(junk)
  const campaigns = []
  for (let n = 0; n < 2; n++) campaigns.push(await prepared(baseId))
  expect((await databaseMegabytes()) - before).toBeLessThan(8)
  for (const id of campaigns) {
    const counts = { rows_in_file: junkLines + 1, invalid: junkLines, duplicate: 0, refused_of_file: junkLines }
    expect(await detailOf(id)).toEqual(counts)
    expect(await refusedBy(id)).toEqual([])
  }
  const lines = await refusedOfFile(baseId)
  expect(lines).toHaveLength(10_000)
  expect(lines.at(-1)).toEqual({ line: 10_001, reason: 'the number has letters' })
})

test('a line that only the template refuses belongs to the campaign; of those too the first 10,000 are kept and all are counted', async () => {
  const repeated = 12_000
  const baseId = await stored(`9841234567\nabc\n${'9841234567\n'.repeat(repeated)}`)
  for (const id of [await prepared(baseId), await prepared(baseId)]) {
    const counts = { rows_in_file: repeated + 2, invalid: 1, duplicate: repeated, refused_of_file: 1 }
    expect(await detailOf(id)).toEqual(counts)
    const lines = await refusedBy(id)
    expect(lines).toHaveLength(10_000)
    expect(lines.at(0)).toEqual({ line: 3, reason: 'the same number as in line 1' })
  }
  expect(await refusedOfFile(baseId)).toEqual([{ line: 2, reason: 'the number has letters' }])
})
