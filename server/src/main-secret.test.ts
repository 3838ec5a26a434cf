// @module-tag exhaustive
// Cheaper: server/src/lib/secrets.test.ts has what another secret opens, server/src/sms/gateway/down.test.ts gateways that cannot be used.
/**
 * After a start with another SECRET in production, gateways report that their secrets cannot be read, nothing is sent through them, and the
 * processes live.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as http from 'node:http'
import * as net from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { settingRoutes } from '@ghanti/contract/settings.ts'
import { smsCampaignRoutes } from '@ghanti/contract/sms-campaigns.ts'
import { smsComposeRoutes } from '@ghanti/contract/sms-compose.ts'
import { smsGatewayRoutes } from '@ghanti/contract/sms-gateways.ts'
import { smsRouteRoutes } from '@ghanti/contract/sms-routes.ts'
import { afterAll, expect, test } from 'vitest'
import { words } from './drivers/sms/words.ts'
import { defaultCallingHours } from './modules/platform/rules-hours.ts'
import { testDb } from './testing/db.ts'
import { bareEnvironment } from './testing/processes/own-process.ts'
import { newPlan, newReseller, newSuperAdmin, newUser, seededPassword } from './testing/seed.ts'
import { newSender } from './testing/sms-campaigns.ts'
import { signInOver, type Caller } from './testing/wire.ts'

const polling = { timeout: 60_000, interval: 200 }
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-secret-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const taken: string[] = []
const centre = http.createServer((request, reply) => {
  taken.push(request.url ?? '')
  reply.end(JSON.stringify({ code: 200, id: String(taken.length) }))
})
/** A message centre that accepts connections and answers no login. */
let connections = 0
const smsc = net.createServer((socket) => {
  connections += 1
  socket.on('error', () => undefined)
  socket.resume()
})
const children: ChildProcess[] = []
afterAll(() => {
  centre.close()
  smsc.close()
  for (const child of children) child.kill('SIGKILL') // children that a failure left behind
})

async function portOf(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

type Started = { address: string; out: () => string; stop: () => Promise<number | null> }

async function started(databaseUrl: string, secret: string): Promise<Started> {
  const env = {
    ...bareEnvironment,
    DATA_FOLDER: folder,
    DATABASE_URL: databaseUrl,
    SECRET: secret.repeat(43),
    PUBLIC_URL: 'http://127.0.0.1',
    PRIVATE_HOSTS: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'warn',
  }
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, 'main.ts')], { env, stdio: 'pipe' })
  children.push(child)
  let out = ''
  const exit = new Promise<number | null>((ended) => child.once('close', ended))
  child.stderr.on('data', (chunk) => (out += String(chunk)))
  const address = await new Promise<string>((ok, fail) => {
    child.stdout.on('data', (chunk) => {
      out += String(chunk)
      const found = /Ghanti is at (\S+)/.exec(out)?.[1]
      if (found) ok(found)
    })
    void exit.then((code) => fail(new Error(`exit ${code}: ${out}`)))
  })
  const stop = () => {
    child.kill('SIGTERM')
    return exit
  }
  return { address, out: () => out, stop }
}

/** The state of each gateway as the engine reports it, by name. */
async function statesOf(boss: Caller) {
  const rows = await boss.ask(smsGatewayRoutes.list, { sort: 'gatewayName' })
  return rows.map(({ gatewayName, state }) => ({ gatewayName, bound: state?.bound, lastError: state?.lastError }))
}

async function tested(boss: Caller, gatewayId: number) {
  const message = { gatewayId, mobile: '9841000020', smsText: 'A test' }
  const { testId } = await boss.ask(smsGatewayRoutes.test, message)
  const result = () => boss.ask(smsGatewayRoutes.testResult, { testId })
  await expect.poll(async () => (await result()).deliveryStatus, polling).not.toBe('Waiting')
  return await result()
}

test('a start with another SECRET says so of each gateway, sends nothing through any, and goes on; the old one sends again', async () => {
  const { db, loginUrl } = await testDb()
  const app = { db }
  const superAdmin = await newSuperAdmin(app)
  const planId = await newPlan(app)
  const reseller = await newReseller(app, { parent: superAdmin, planId, rupees: 1000 })
  const owner = await newUser(app, { parent: reseller, planId, rupees: 1000 })
  const cli = await newSender(app, owner)

  const first = await started(loginUrl, 'a')
  const boss = await signInOver(first.address, superAdmin.username, seededPassword)
  await boss.ask(settingRoutes.save, { smsHours: { ...defaultCallingHours, enabled: false } })
  const { gatewayId } = await boss.ask(smsGatewayRoutes.create, {
    gatewayName: 'A over HTTP',
    driver: 'http',
    method: 'GET',
    url: `http://127.0.0.1:${await portOf(centre)}/send?token={token}&to={to}&text={text}`,
    token: 'theirs',
    success: '$.code = 200',
    messageId: '$.id',
    tps: 10,
  })
  await boss.ask(smsGatewayRoutes.create, {
    gatewayName: 'B over SMPP',
    driver: 'smpp',
    host: '127.0.0.1',
    port: await portOf(smsc),
    systemId: 'ghanti',
    password: 'theirs',
    window: 10,
    tps: 10,
  })
  await boss.ask(smsRouteRoutes.create, {
    operators: ['ntc', 'ncell', 'smart', 'other'],
    steps: [{ gatewayId, priority: 1, weight: 1 }],
  })
  await expect.poll(() => statesOf(boss), polling).toMatchObject([{ bound: true }, { bound: false }])
  expect(await tested(boss, gatewayId)).toMatchObject({ deliveryStatus: 'Submitted', reason: null })
  expect(taken).toEqual([expect.stringContaining('token=theirs')])
  await expect.poll(() => connections, polling).toBeGreaterThan(0)
  expect(await first.stop(), first.out()).toBe(0)
  taken.length = 0
  connections = 0

  const other = await started(loginUrl, 'b')
  const again = await signInOver(other.address, superAdmin.username, seededPassword)
  const unreadable = { bound: false, lastError: words.unreadable }
  await expect
    .poll(() => statesOf(again), polling)
    .toEqual([
      { gatewayName: 'A over HTTP', ...unreadable },
      { gatewayName: 'B over SMPP', ...unreadable },
    ])
  const user = await signInOver(other.address, owner.username, seededPassword)
  const { campaignId } = await user.ask(smsComposeRoutes.create, {
    campaignName: 'Waits for the secret',
    templateId: 0,
    cli,
    contactList: '9841000020\n9801000021',
    smsText: 'Hello',
  })
  const summary = (caller: Caller) => () => caller.ask(smsCampaignRoutes.summary, { campaignId })
  await expect.poll(summary(user), polling).toMatchObject({ campaignStatus: 1, numbersUploaded: 2 })
  expect(await tested(again, gatewayId)).toMatchObject({ isOver: true, reason: words.unreadable })
  expect(await summary(user)()).toMatchObject({ smsSubmitted: 0, smsFailed: 0, cost: 0 })
  expect([taken, connections], 'nothing left for either').toEqual([[], 0])
  expect(await other.stop(), other.out()).toBe(0)
  expect(other.out()).not.toMatch(/failed|Error/)

  const mended = await started(loginUrl, 'a')
  const back = await signInOver(mended.address, owner.username, seededPassword)
  await expect.poll(summary(back), polling).toMatchObject({ smsSubmitted: 2 })
  expect(taken).toHaveLength(2)
  expect(await mended.stop(), mended.out()).toBe(0)
}, 240_000)
