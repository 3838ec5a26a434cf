import { Client } from 'pg'
import { expect, test } from 'vitest'
import { testDb } from '../../testing/db.ts'
import { atEndOfFile } from '../../testing/cleanup.ts'
import { functionFiles, makeFunctions, storedRevisions } from './functions.ts'
import { migrate, requireSchema } from './migrate.ts'

const at = await testDb()
const owner = new Client({ connectionString: at.url })
await owner.connect()
atEndOfFile(() => owner.end())

/** Changes when a function is replaced. */
const writtenAt = async (name: string): Promise<string | undefined> =>
  (await owner.query<{ at: string }>('select xmin::text as at from pg_proc where proname = $1', [name])).rows[0]?.at
const [settle, money] = ['settle_calls_2', 'post_money_2']

test('each file makes the function that it is named after, whose name ends in a number', async () => {
  const names = functionFiles().map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([settle, money]))
  expect(names.filter((name) => !/_\d+$/.test(name))).toEqual([])
  const { rows } = await owner.query('select proname as name from pg_proc where proname = any ($1) order by 1', [names])
  expect(rows).toEqual(names.map((name) => ({ name })))
})

test('a function is made again when its text is another, and left alone otherwise', async () => {
  const before = [await writtenAt(settle), await writtenAt(money)]
  expect(await migrate(at.url)).toEqual([])
  expect([await writtenAt(settle), await writtenAt(money)]).toEqual(before)
  await owner.query(`comment on function ${money} is 'of another release'`)
  await migrate(at.url)
  expect(await writtenAt(settle)).toBe(before[0])
  expect(await writtenAt(money)).not.toBe(before[1])
})

test('each text that a function has had is counted in revisions.json: node scripts/functions.ts', () => {
  const found = functionFiles().map(({ name, hash, revision }) => [name, { revision, hash }])
  expect(storedRevisions()).toEqual(Object.fromEntries(found))
})

test('an older release leaves a newer text alone and replaces what has none', async () => {
  const [newest] = functionFiles().filter(({ name }) => name === money)
  if (!newest) throw new Error('there is no such function')
  const written = await writtenAt(money)
  const older = { ...newest, text: `${newest.text}-- before`, hash: 'older', revision: newest.revision - 1 }
  await makeFunctions(owner, [older])
  expect(await writtenAt(money)).toBe(written)
  const newer = { ...newest, text: `${newest.text}-- after`, hash: 'newer', revision: newest.revision + 1 }
  await makeFunctions(owner, [newer])
  const replaced = await writtenAt(money)
  expect(replaced).not.toBe(written)
  expect(await migrate(at.url)).toEqual([])
  expect(await writtenAt(money)).toBe(replaced)
  await owner.query(`comment on function ${money} is null`)
  await migrate(at.url)
  expect(await writtenAt(money)).not.toBe(replaced)
})

test('a process starts beside a release that wrote the same function in another way, and not where one is missing', async () => {
  await owner.query(`comment on function ${money} is 'of another release'`)
  await requireSchema(at.db)
  await owner.query(`drop function ${money}`)
  await expect(requireSchema(at.db)).rejects.toThrow(`the database lacks ${money} in the form`)
  await migrate(at.url)
  await requireSchema(at.db)
})

test('where one of several cannot be made, all stay as they were', async () => {
  const before = await writtenAt(settle)
  const [first] = functionFiles().filter(({ name }) => name === settle)
  if (!first) throw new Error('there is no such function')
  const broken = { name: 'broken_1', text: 'create function broken_1() returns nothing', hash: 'x', revision: 1 }
  await expect(
    makeFunctions(owner, [{ ...first, hash: 'other', revision: first.revision + 1 }, broken]),
  ).rejects.toThrow('no language specified')
  expect(await writtenAt(settle)).toBe(before)
})
