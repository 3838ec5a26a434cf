import { noticeRoutes } from '@ghanti/contract/notices.ts'
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { Client } from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { testDb } from './testing/db.ts'
import { bareEnvironment } from './testing/processes/own-process.ts'
import { testSmtp } from './testing/smtp.ts'
import { signInOver } from './testing/wire.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-main-'))
fs.chmodSync(folder, 0o755)
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

type Run = { out: () => string; exit: Promise<number | null>; stop(): void; address: Promise<string> }

function run(script: string, args: string[] = [], settings: Record<string, string> = {}, input = ''): Run {
  const env = { ...bareEnvironment, DATA_FOLDER: folder, PORT: '0', LOG_LEVEL: 'error', ...settings }
  const child = spawn(process.execPath, [path.join(import.meta.dirname, script), ...args], { env, stdio: 'pipe' })
  child.stdin.end(input)
  let out = ''
  const exit = new Promise<number | null>((ended) => child.once('close', ended))
  const address = new Promise<string>((ok, fail) => {
    child.stdout.on('data', (chunk) => {
      out += String(chunk)
      const found = /Ghanti is at (\S+)/.exec(out)?.[1]
      if (found) ok(found)
    })
    child.stderr.on('data', (chunk) => (out += String(chunk)))
    void exit.then((code) => fail(new Error(`exit ${code}: ${out}`)))
  })
  address.catch(() => {})
  return { out: () => out, exit, stop: () => child.kill('SIGTERM'), address }
}

async function login(address: string, username: string, password: string): Promise<number> {
  const reply = await fetch(`${address}/api/obd/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return reply.status
}

const exhaustive = { tags: ['exhaustive'], timeout: 600_000 }

test('a first start from nothing serves the console and its demo’s accounts, and ends when it is asked to', async () => {
  const server = run('main.ts', ['--empty'], { DATA_FOLDER: path.join(folder, 'first') })
  const address = await server.address
  expect(await login(address, 'superadmin', 'ghanti-demo')).toBe(200)
  expect(await (await fetch(`${address}/`)).text()).toContain('<div id="root">')
  server.stop()
  expect(await server.exit, server.out()).toBe(0)
})

// Backups and restores are in db/backup/backup.test.ts and admin-backup.test.ts.
test(
  'a first start, a second one beside it, a backup while it runs, the demo’s end, a stop, a restore',
  exhaustive,
  async () => {
    const server = run('main.ts', ['--empty'])
    const address = await server.address
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    for (const username of ['superadmin', 'reseller', 'user', 'user2', 'agency', 'client'])
      expect(await login(address, username, 'ghanti-demo')).toBe(200)
    expect(server.out()).toContain(
      'superadmin, reseller, user, user2, agency, client; the password of each: ghanti-demo',
    )
    const user = await signInOver(address, 'user', 'ghanti-demo')
    expect(await user.ask(noticeRoutes.list, { state: 'read' })).not.toEqual([])
    expect(await user.ask(noticeRoutes.list, { state: 'unread' })).toEqual([])
    expect(await (await fetch(`${address}/`)).text()).toContain('<div id="root">')
    expect((await fetch(`${address}/api/nothing`)).status).toBe(404)

    const second = run('main.ts', ['--empty'])
    expect(await second.exit).toBe(1)
    expect(second.out()).toContain('runs already on')

    const file = path.join(folder, 'ghanti.zip')
    expect(await run('admin.ts', ['backup', file]).exit).toBe(0)
    const about = ['--name', 'Boss', '--email', 'boss@example.com', '--number', '9841000000']
    const cyrillic = run('admin.ts', ['create-super-admin', 'supеradmin', ...about], {}, 'marigold tunnel 58\n')
    expect([await cyrillic.exit, cyrillic.out()]).toEqual([
      1,
      'the username must be of Latin letters and digits or of Devanagari ones, not of both, with blanks and the signs of a keyboard\n',
    ])
    const named = run('admin.ts', ['create-super-admin', 'boss', ...about], {}, 'boss-ghanti-1\n')
    expect([await named.exit, named.out()]).toEqual([
      1,
      'the password is made of names that others know: of the account, its owner or the company\n',
    ])
    const created = run('admin.ts', ['create-super-admin', 'boss', ...about], {}, 'long enough\n')
    expect([await created.exit, created.out()]).toEqual([
      0,
      'boss may sign in. The first login asks for a second factor. Demo accounts gone: client, user, user2, agency, reseller, superadmin.\n',
    ])
    expect(await login(address, 'superadmin', 'ghanti-demo')).toBe(401)
    expect(await login(address, 'boss', 'long enough')).toBe(200)
    const last = run('admin.ts', ['disable', 'boss'])
    expect([await last.exit, last.out()]).toEqual([1, 'boss is the last super admin who can sign in\n'])

    server.stop()
    expect(await server.exit, server.out()).toBe(0)

    const other = { DATA_FOLDER: path.join(folder, 'other') }
    const restored = run('admin.ts', ['restore', file], other)
    expect(await restored.exit, restored.out()).toBe(0)
    const outside = run('main.ts', [], { ...other, HOST: '0.0.0.0' })
    expect([await outside.exit, outside.out()]).toMatchObject([1, expect.stringContaining('create-super-admin')])
  },
)

// In process: `modules/alerts/alerts.test.ts`, `modules/users/super-admins.test.ts`; that `admin.ts` answers a refusal
// with one line and exit 1, and asks the rules of names and passwords, is proven by the process above.

test('what a command refuses is one line and exit 1, and what it lists is written', exhaustive, async () => {
  const { url } = await testDb()
  const settings = {
    DATA_FOLDER: path.join(folder, 'commands'),
    DATABASE_URL: url,
    SECRET: 'x'.repeat(43),
    PUBLIC_URL: 'http://127.0.0.1',
  }
  const command = async (args: string[], input = '') => {
    const ran = run('admin.ts', args, settings, input)
    return [await ran.exit, ran.out()]
  }
  const about = ['--name', 'Boss', '--email', 'boss@example.com', '--number', '9841000000']
  expect(await command(['alerts'])).toEqual([0, 'no alert is open\n'])
  expect(await command(['clear-alert', '999999'])).toEqual([1, 'there is no alert 999999\n'])
  expect(await command(['create-super-admin', 'boss', ...about], 'short\n')).toEqual([
    1,
    'the password must have at least 8 characters\n',
  ])
  expect((await command(['create-super-admin', 'boss', ...about], 'long enough\n'))[0]).toBe(0)
  expect(await command(['sign-out', 'nobody'])).toEqual([1, "there is no account 'nobody'\n"])
  expect(await command(['list-super-admins'])).toEqual([0, 'boss  Boss  boss@example.com  live  0 sessions\n'])
})

test('bad settings are all named, and nothing starts', async () => {
  const wrong = run('main.ts', [], { PORT: 'x', ROLES: 'cook' })
  expect(await wrong.exit).toBe(1)
  expect(wrong.out()).toMatch(/PORT: [^]*ROLES: /)
})

/** A login is dropped after its database, because its privileges there must go first. */
async function dropLogin(url: string, name: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`drop role if exists ${client.escapeIdentifier(name)}`)
  await client.end()
}

// The login of all tests is such a one (testing/db.ts); db/schema/login.test.ts has what it may.
test(
  'in production API, engine and worker work with a login that is neither owner nor superuser',
  { tags: ['exhaustive'] },
  async () => {
    const { url, db } = await testDb()
    const mailbox = await testSmtp()
    const settings = {
      DATA_FOLDER: path.join(folder, 'production'),
      SECRET: 'x'.repeat(43),
      PUBLIC_URL: 'http://127.0.0.1',
      LOG_LEVEL: 'warn',
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'calls@example.com',
    }
    const asOwner = { ...settings, DATABASE_URL: url }
    const name = `ghanti_main_${process.pid}`
    onTestFinished(() => dropLogin(url, name))
    const made = run('admin.ts', ['database-login', name], asOwner, 'Long-enough_1\n')
    expect([await made.exit, made.out()]).toEqual([0, `${name} may log in: give it to the processes in DATABASE_URL\n`])

    const loginUrl = Object.assign(new URL(url), { username: name, password: 'Long-enough_1' }).href
    const asLogin = { ...settings, DATABASE_URL: loginUrl }
    const refused = run('admin.ts', ['migrate'], asLogin)
    expect([await refused.exit, refused.out()]).toEqual([
      1,
      `the login ${name} may not change the database’s tables: give DATABASE_URL of the database’s owner for this command\n`,
    ])
    const about = ['--name', 'Boss', '--email', 'boss@example.com', '--number', '9841000000']
    const created = run('admin.ts', ['create-super-admin', 'boss', ...about], asLogin, 'Kathmandu-2083!\n')
    expect(await created.exit, created.out()).toBe(0)
    const nobody = { name: 'nobody', driver: 'asterisk', host: '127.0.0.1', port: 9 }
    await db.insertInto('dialer').values(nobody).execute()

    const server = run('main.ts', [], asLogin)
    expect(await login(await server.address, 'boss', 'Kathmandu-2083!')).toBe(200)
    await expect.poll(() => db.selectFrom('dialer_lease').select('dialer_id').execute()).toHaveLength(1) // the engine
    await expect.poll(() => mailbox.taken.flatMap(({ to }) => to)).toContain('boss@example.com') // the worker
    const saved = run('admin.ts', ['backup', path.join(folder, 'production.zip')], asLogin)
    expect(await saved.exit, saved.out()).toBe(0)
    server.stop()
    expect(await server.exit, server.out()).toBe(0)
    expect(server.out()).not.toMatch(/permission|database login/)

    const owner = run('main.ts', [], { ...asOwner, ROLES: 'api' })
    await owner.address
    expect(owner.out()).toContain('the database login can change settled money and history')
    owner.stop()
    expect(await owner.exit, owner.out()).toBe(0)
  },
)
