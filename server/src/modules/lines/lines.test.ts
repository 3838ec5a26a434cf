import { CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { requireCli } from './actions.ts'
import { lineHandlers } from './routes.ts'
import { matching } from './store-list.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { lines: lineHandlers } })
const boss = await newSuperAdmin(app)
const reseller = await newReseller(app, { parent: boss })
const user = await newUser(app, { parent: reseller })

type Row = {
  cli: string
  cliStatus: number
  trunkName: string | null
  holders: string[]
  holderCount: number
  allocation: { username: string; givenBy: string } | null
}
async function rowsOf(viewer: Viewer, url: string): Promise<Row[]> {
  const reply = await http.inject({ url, headers: await signedIn(app, viewer) })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}
const clisOf = async (viewer: Viewer, userId = viewer.userId) => {
  const reply = await http.inject({ url: `/api/obd/cli/user/${userId}?sort=cli`, headers: await signedIn(app, viewer) })
  return reply.statusCode === 200 ? reply.json<Row[]>().map(({ cli }) => cli) : reply.statusCode
}
const require = (owner: Viewer, cli: string) => app.db.transaction().execute((tx) => requireCli(tx, owner.userId, cli))

test('an account sees what was allocated to it, those above see it too, the super admin all', async () => {
  const both = await newLine(app, { holders: [reseller, user] })
  const held = await newLine(app, { holders: [reseller] })
  expect(await clisOf(user)).toEqual([both.cli])
  expect(await clisOf(reseller)).toEqual([both.cli, held.cli])
  expect(await clisOf(reseller, user.userId)).toEqual([both.cli])
  expect(await clisOf(boss)).toEqual([both.cli, held.cli])
  expect(await clisOf(user, reseller.userId)).toBe(404)
  expect(await clisOf(await newUser(app), user.userId)).toBe(404)
})

test('only super admins see trunks, and everybody sees only holders below them', async () => {
  const { cli } = await newLine(app, { holders: [reseller, user] })
  const names = [reseller.username, user.username]
  const seenBy = async (viewer: Viewer) => {
    const [row] = await rowsOf(viewer, `/api/obd/cli/user/${viewer.userId}?search=${cli}`)
    return [row?.trunkName, row?.holders, row?.holderCount]
  }
  expect(await seenBy(boss)).toEqual([expect.stringMatching(/^Trunk/), names, 2])
  expect(await seenBy(reseller)).toEqual([null, [user.username], 1])
  expect(await seenBy(user)).toEqual([null, [], 0])
})

test('the allocations of a viewer are those below the viewer, of all accounts or of one; strangers are not found', async () => {
  const sub = await newReseller(app, { parent: reseller })
  const { cli } = await newLine(app, { holders: [reseller, sub] })
  const below = async (viewer: Viewer, query = '') => {
    const rows = await rowsOf(viewer, `/api/obd/cli/allocated?search=${cli}${query}`)
    return rows.map(({ allocation }) => [allocation?.username, allocation?.givenBy])
  }
  const passedOn = [sub.username, reseller.username]
  expect(await below(boss)).toEqual([passedOn, [reseller.username, boss.username]])
  expect(await below(reseller)).toEqual([passedOn])
  expect(await below(boss, `&userId=${sub.userId}`)).toEqual([passedOn])
  const headers = await signedIn(app, reseller)
  const stranger = await newUser(app)
  expect((await http.inject({ url: `/api/obd/cli/allocated?userId=${stranger.userId}`, headers })).statusCode).toBe(404)
  expect((await http.inject({ url: '/api/obd/cli/allocated', headers: await signedIn(app, user) })).statusCode).toBe(
    403,
  )
})

test('a number is found whole, by its beginning, with country code, by its last digits; a holder by part of the name', async () => {
  const { cliId, cli } = await newLine(app, { holders: [reseller] })
  await app.db.updateTable('cli').set({ number: '016912345' }).where('id', '=', cliId).execute()
  const found = async (search: string) => {
    const rows = await rowsOf(boss, `/api/obd/cli/all?search=${encodeURIComponent(search)}`)
    return rows.map((row) => row.cli)
  }
  for (const search of ['016912345', '01-691', '+977 1691', '1691', '12345', '१२३४५'])
    expect(await found(search), search).toEqual(['016912345'])
  for (const search of ['6912', '01%', '_16912345']) expect(await found(search), search).not.toContain('016912345')
  expect(await found(reseller.username.slice(1))).toContain('016912345')
  expect(await found(cli)).toEqual([])
})

test('a search by holders reads them once, however many there are, not again for each caller ID', async () => {
  const found = app.db.selectFrom('cli').select('cli.id').where(matching(boss, 'someone'))
  const plan = await app.db.transaction().execute(async (tx) => {
    await sql`set local work_mem = '64kB'`.execute(tx) // as if the holders were millions
    const { sql: text, parameters } = found.compile()
    return await tx.executeQuery<Record<string, string>>(CompiledQuery.raw(`explain ${text}`, [...parameters]))
  })
  const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(lines).toContain('cli_holder')
  expect(lines).not.toContain('SubPlan')
})

test('the file for a spreadsheet has the columns of the role and every row that matches, and is audited', async () => {
  const { cli } = await newLine(app, { holders: [reseller, user] })
  const csv = async (viewer: Viewer, query: string) => {
    const reply = await http.inject({ url: `/api/obd/cli/cli.csv?${query}`, headers: await signedIn(app, viewer) })
    expect(reply.headers['content-disposition']).toContain('cli.csv')
    return reply.body.replace('\ufeff', '').trim().split('\r\n')
  }
  const holders = `"${reseller.username}, ${user.username}"`
  const inExcel = (digits: string): string => `"=""${digits}"""`
  expect(await csv(boss, `search=${cli}`)).toEqual([
    'CLI,Channels,Status,Trunk,Dialer,Pilot Number,Pool,Allocated To',
    expect.stringMatching(
      new RegExp(`^${inExcel(cli)},1000,Active,Trunk \\d+,Dialer \\d+,${inExcel('01597\\d+')},dedicated,${holders}$`),
    ),
  ])
  expect(await csv(reseller, `search=${cli}`)).toEqual(['CLI,Allocated To', `${inExcel(cli)},${user.username}`])
  expect(await csv(reseller, `search=${cli}&allocated=1`)).toEqual([
    'CLI,Allocated To,Allocated By',
    `${inExcel(cli)},${user.username},${reseller.username}`,
  ])
  expect(await csv(user, `search=${cli}&allocated=1`)).toEqual(['CLI', inExcel(cli)])
  const log = app.db.selectFrom('audit_log').select('id').where('action', '=', 'cli.export')
  expect(await log.where('actor_id', '=', user.userId).execute()).toHaveLength(1)
})

test('a CLI decides trunk and dialer; one without a trunk, or whose dialer is gone, is inactive', async () => {
  const { cli, cliId, trunkId, dialerId } = await newLine(app, { holders: [user], channels: 12 })
  expect(await require(user, cli)).toEqual({ cliId, trunkId, dialerId, channels: 12 })
  await expect(require(reseller, cli)).rejects.toMatchObject({ errors: [{ field: 'cli', code: 'invalid' }] })
  await app.db.updateTable('dialer').set({ deleted_at: new Date() }).where('id', '=', dialerId).execute()
  await expect(require(user, cli)).rejects.toMatchObject({ errors: [{ field: 'cli', code: 'inactive' }] })
  await app.db.updateTable('cli').set({ deleted_at: new Date() }).where('id', '=', cliId).execute()
  await expect(require(user, cli)).rejects.toMatchObject({ errors: [{ field: 'cli', code: 'invalid' }] })
})
