import type { UserRow } from '@ghanti/contract/users.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import type { Viewer } from '../../policy.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let below: Viewer
let user: Viewer
let deep: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  const planId = await newPlan(app)
  reseller = await newReseller(app, { parent: boss, username: 'sagar', rupees: 100, planId, channels: 100 })
  below = await newReseller(app, { parent: reseller, username: 'below_1' })
  user = await newUser(app, { parent: reseller, username: 'Ram%Thapa', rupees: 20, expiresAt: new Date('2030-01-01') })
  deep = await newUser(app, { parent: below, username: 'deep' })
  await newReseller(app, { username: 'stranger' })
})

type Answer = { users: UserRow[]; adminCredits: number | null }
const ask = async (viewer: Viewer, path: string) =>
  http.inject({ url: `/api/obd/user/${path}`, headers: await signedIn(app, viewer) })
const list = async (viewer: Viewer, path: string | number) => (await ask(viewer, String(path))).json<Answer>()
const names = ({ users }: Answer) => users.map(({ username }) => username)

test('a reseller sees all below and the reseller’s own account; what is deeper than a child may only be read', async () => {
  const answer = await list(reseller, reseller.userId)
  expect(answer.adminCredits).toBe(100)
  expect(answer.users.map((row) => [row.username, row.parentUser, row.isChild])).toEqual([
    ['deep', 'below_1', false],
    ['Ram%Thapa', 'sagar', true],
    ['below_1', 'sagar', true],
  ])
})

test('a row says what is known of an account', async () => {
  const { cli } = await newLine(app, { holders: [user] })
  const { users } = await list(reseller, `${reseller.userId}?search=thapa`)
  expect(users).toEqual([
    {
      userId: user.userId,
      username: 'Ram%Thapa',
      name: 'Name of Ram%Thapa',
      emailid: 'Ram%Thapa@example.com',
      mail: 'confirmed',
      number: expect.stringMatching(/^98/),
      company: 'Company of Ram%Thapa',
      address: '',
      pincode: '44600',
      userType: 'user',
      accountType: 0,
      credits: 20,
      reserved: 0,
      planId: null,
      planName: null,
      parentId: reseller.userId,
      parentUser: 'sagar',
      isChild: true,
      expiryDate: '2030-01-01 05:45:00',
      channels: 30,
      usercli: cli,
      usercliCount: 1,
      disabled: null,
      stoppedBy: null,
      frozen: null,
      frozenBy: null,
    },
  ])
})

test('a row of an account below a disabled one names that one, beside what was said of itself', async () => {
  const top = await newReseller(app, { parent: boss })
  const middle = await newReseller(app, { parent: top })
  const below = await newUser(app, { parent: middle })
  const disable = ({ userId }: Viewer) =>
    app.db
      .updateTable('users')
      .set({ disabled_at: new Date(), disabled_reason: 'unpaid' })
      .where('id', '=', userId)
      .execute()
  const states = async () =>
    (await list(boss, `${boss.userId}?search=${encodeURIComponent('name of')}&pageSize=100`)).users
      .filter(({ userId }) => [top, middle, below].some((one) => one.userId === userId))
      .toSorted((a, b) => a.userId - b.userId)
      .map(({ disabled, stoppedBy }) => [disabled?.reason, stoppedBy])
  await disable(top)
  expect(await states()).toEqual([
    ['unpaid', null],
    [undefined, top.username],
    [undefined, top.username],
  ])
  await disable(below)
  await disable(middle)
  expect(await states(), 'the nearest').toEqual([
    ['unpaid', null],
    ['unpaid', top.username],
    ['unpaid', middle.username],
  ])
  for (const { userId } of [below, middle, top])
    await app.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', userId).execute()
})

test('the super admin sees everybody but super admins, and has no credits', async () => {
  const answer = await list(boss, boss.userId)
  expect(answer.adminCredits).toBeNull()
  expect(names(answer).toSorted()).toEqual(['Ram%Thapa', 'below_1', 'deep', 'sagar', 'stranger'])
  const other = await newSuperAdmin(app)
  const of = async (viewer: Viewer) =>
    (await list(viewer, viewer.userId)).users.filter(({ isChild }) => isChild).map(({ username }) => username)
  expect(await of(other), 'the children of one super admin are those of each').toEqual(await of(boss))
})

test('the id of one below shows those right below that one; a stranger’s looks as if it were not there', async () => {
  expect(await list(boss, reseller.userId)).toMatchObject({ adminCredits: 100 })
  expect(names(await list(boss, reseller.userId))).toEqual(['Ram%Thapa', 'below_1'])
  expect(names(await list(reseller, below.userId))).toEqual(['deep'])
  expect((await list(reseller, user.userId)).users).toEqual([])
  const missing = await ask(reseller, '999999')
  expect(missing.statusCode).toBe(404)
  const stranger = await newReseller(app)
  const foreign = await ask(reseller, String(stranger.userId))
  expect([foreign.statusCode, foreign.body]).toEqual([404, missing.body])
  expect((await ask(user, String(user.userId))).statusCode, 'users have nobody below them').toBe(403)
})

test.each([
  ['part of a name, whatever its case', 'ram%t', ['Ram%Thapa']],
  ['a company', 'company of deep', ['deep']],
  ['an address for mail', 'below_1@', ['below_1']],
  ['signs that a pattern would understand', '%', ['Ram%Thapa']],
  ['an underline is an underline', 'below_', ['below_1']],
  ['nobody', 'nobody at all', []],
])('a search finds %s', async (_, search, found) => {
  expect(names(await list(reseller, `${reseller.userId}?search=${encodeURIComponent(search)}`))).toEqual(found)
})

test.each(['userId', 'username', 'name', 'company', 'userType', 'expiryDate', 'credits'])(
  'pages by %s, by number and by cursor, hold everybody once in either order',
  async (sort) => {
    for (const order of ['asc', 'desc']) {
      const sorted = `${reseller.userId}?sort=${sort}&order=${order}&pageSize=2`
      const first = await ask(reseller, sorted)
      const second = await ask(reseller, `${sorted}&after=${String(first.headers['x-next-after'])}`)
      expect(first.headers['x-total-count']).toBe('3')
      const byCursor = [...names(first.json()), ...names(second.json())]
      expect(names(await list(reseller, `${sorted}&page=2`))).toEqual(names(second.json()))
      expect(byCursor.toSorted()).toEqual(['Ram%Thapa', 'below_1', 'deep'])
    }
  },
)

test('an export holds every row that matches, harmless for a spreadsheet, and is in the audit log', async () => {
  await app.db.updateTable('users').set({ company: '=1+1' }).where('id', '=', deep.userId).execute()
  const csv = await ask(reseller, `${reseller.userId}/users.csv?search=deep&columns=all`)
  const [header, line, rest] = csv.body.split('\r\n')
  expect(csv.headers['content-disposition']).toContain('users-all-columns.csv')
  expect(header).toBe(
    '\ufeffUsername,Name,Company,Type,Credits(Rs),Plan,Parent,Expiry Date,Channels,Reserved(Rs),CLIs,State,E-mail,Number,Address,Pincode',
  )
  expect(line).toMatch(/^deep,Name of deep,'=1\+1,User,0\.00,,below_1,,30,0\.00,,,deep@example\.com,98/)
  expect(rest).toBe('')
  const logged = await app.db.selectFrom('audit_log').select(['target']).where('action', '=', 'user.export').execute()
  expect(logged).toEqual([{ target: `user ${reseller.userId}` }])
  expect((await ask(user, `${user.userId}/users.csv`)).statusCode).toBe(403)
})

test('credits of the export and their order are what can be spent; the reply has both parts of a balance', async () => {
  const reserve = (paisa: number) =>
    app.db.updateTable('account').set({ reserved_paisa: paisa }).where('id', '=', user.userId).execute()
  await reserve(1_999)
  const [row] = (await list(reseller, `${reseller.userId}?search=thapa`)).users
  expect(row).toMatchObject({ credits: 20, reserved: 19.99 })
  const csv = await ask(reseller, `${reseller.userId}/users.csv?search=thapa`)
  expect(csv.body.split('\r\n')[1]).toContain(',User,0.01,')
  await app.db.updateTable('account').set({ balance_paisa: 100 }).where('id', '=', deep.userId).execute()
  expect(names(await list(reseller, `${reseller.userId}?sort=credits&order=desc`))[0]).toBe('deep')
  await app.db.updateTable('account').set({ balance_paisa: 0 }).where('id', '=', deep.userId).execute()
  await reserve(0)
})

test('users.csv has the columns of the screen; all that is known of a person is asked for separately', async () => {
  const csv = await ask(reseller, `${reseller.userId}/users.csv?search=deep`)
  expect(csv.headers['content-disposition']).toContain('"users.csv"')
  expect(csv.body.split('\r\n').slice(0, 2)).toEqual([
    '\ufeffUsername,Name,Company,Type,Credits(Rs),Plan,Parent,Expiry Date,Channels',
    expect.stringMatching(/^deep,Name of deep,[^,]+,User,0\.00,,below_1,,30$/),
  ])
  const wrong = await ask(reseller, `${reseller.userId}/users.csv?columns=some`)
  expect([wrong.statusCode, wrong.json().errors]).toMatchObject([400, [{ field: 'columns' }]])
})

test('of an account with hundreds of caller IDs the list names twenty and says how many; the CSV has all', async () => {
  const above = await newReseller(app, { parent: boss })
  const holder = await newUser(app, { parent: above, username: 'holds_many' })
  const numbers = Array.from({ length: 300 }, (_, n) => `1469${String(n).padStart(4, '0')}`)
  const clis = await app.db
    .insertInto('cli')
    .values(numbers.map((number) => ({ number })))
    .returning('id')
    .execute()
  await app.db
    .insertInto('cli_holder')
    .values(clis.map(({ id }) => ({ cli_id: id, account_id: holder.userId, given_by: boss.userId })))
    .execute()
  const { users } = await list(above, `${above.userId}?search=holds_many`)
  expect(users).toMatchObject([{ usercli: numbers.slice(0, 20).join(', '), usercliCount: 300 }])
  const csv = await ask(above, `${above.userId}/users.csv?columns=all&search=holds_many`)
  expect(csv.body).toContain(numbers.join(', '))
})
