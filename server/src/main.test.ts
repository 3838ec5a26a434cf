import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-main-'))
fs.chmodSync(folder, 0o755)
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

type Run = { out: () => string; exit: Promise<number | null>; stop(): void; address: Promise<string> }

function run(script: string, args: string[] = [], settings: Record<string, string> = {}, input = ''): Run {
  const env = { PATH: path.dirname(process.execPath), DATA_FOLDER: folder, PORT: '0', LOG_LEVEL: 'error', ...settings }
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

test('a first start, a second one beside it, a backup while it runs, the demo’s end, a stop, a restore', async () => {
  const server = run('main.ts')
  const address = await server.address
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  for (const username of ['superadmin', 'reseller', 'user', 'user2', 'agency', 'client'])
    expect(await login(address, username, 'ghanti-demo')).toBe(200)
  expect(server.out()).toContain('superadmin, reseller, user, user2, agency, client; the password of each: ghanti-demo')
  expect(await (await fetch(`${address}/`)).text()).toContain('<div id="root">')
  expect((await fetch(`${address}/api/nothing`)).status).toBe(404)

  const second = run('main.ts')
  expect(await second.exit).toBe(1)
  expect(second.out()).toContain('runs already on')

  const file = path.join(folder, 'ghanti.zip')
  expect(await run('admin.ts', ['backup', file]).exit).toBe(0)
  const none = run('admin.ts', ['alerts'])
  expect([await none.exit, none.out()]).toEqual([0, 'no alert is open\n'])
  const unknown = run('admin.ts', ['clear-alert', '999999'])
  expect([await unknown.exit, unknown.out()]).toEqual([1, 'there is no alert 999999\n'])
  const about = ['--name', 'Boss', '--email', 'boss@example.com', '--number', '9841000000']
  const cyrillic = run('admin.ts', ['create-super-admin', 'supеradmin', ...about], {}, 'marigold tunnel 58\n')
  expect([await cyrillic.exit, cyrillic.out()]).toEqual([
    1,
    'the username must be of Latin letters and digits or of Devanagari ones, not of both, with blanks and the signs of a keyboard\n',
  ])
  const short = run('admin.ts', ['create-super-admin', 'boss', ...about], {}, 'short\n')
  expect([await short.exit, short.out()]).toEqual([1, 'the password must have at least 8 characters\n'])
  const created = run('admin.ts', ['create-super-admin', 'boss', ...about], {}, 'long enough\n')
  expect([await created.exit, created.out()]).toEqual([
    0,
    'boss may sign in. Demo accounts gone: client, user, user2, agency, reseller, superadmin.\n',
  ])
  expect(await login(address, 'superadmin', 'ghanti-demo')).toBe(401)
  expect(await login(address, 'boss', 'long enough')).toBe(200)

  server.stop()
  expect(await server.exit, server.out()).toBe(0)

  const other = { DATA_FOLDER: path.join(folder, 'other') }
  const restored = run('admin.ts', ['restore', file], other)
  expect(await restored.exit, restored.out()).toBe(0)
  const outside = run('main.ts', [], { ...other, HOST: '0.0.0.0' })
  expect([await outside.exit, outside.out()]).toMatchObject([1, expect.stringContaining('create-super-admin')])
})

test('bad settings are all named, and nothing starts', async () => {
  const wrong = run('main.ts', [], { PORT: 'x', ROLES: 'cook' })
  expect(await wrong.exit).toBe(1)
  expect(wrong.out()).toMatch(/PORT: [^]*ROLES: /)
})
