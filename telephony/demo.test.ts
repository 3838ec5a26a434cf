// @module-tag exhaustive
/** `npm start -- --asterisk`, as a newcomer has it: a campaign over the API rings numbers over real SIP and RTP, and all records agree. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { demoPassword } from '@ghanti/contract/auth.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInOver, type Caller } from '../server/src/testing/wire.ts'

const main = path.resolve(import.meta.dirname, '../server/src/main.ts')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-demo-'))
const polling = { timeout: 120_000, interval: 500 }
let server: ChildProcess
let user: Caller

/** The first run may have to download Asterisk. */
const startMs = 240_000

async function start(): Promise<void> {
  const settings = { DATA_FOLDER: folder, PORT: '0', WAIT_SCALE: '0.001', LOST_SECONDS: '60' } // a killed server is started again later than in 5 s
  server = spawn(process.execPath, [main, '--asterisk'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  user = await signInOver(await addressOf(server), 'user', demoPassword)
}

beforeAll(start, startMs)
afterAll(async () => {
  await end('SIGTERM')
  fs.rmSync(folder, { recursive: true, force: true })
})

async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (server.exitCode !== null) return
  const ended = once(server, 'exit')
  server.kill(signal)
  await ended
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('no standard output')
  for await (const line of createInterface({ input: stdout })) {
    const address = /^Ghanti is at (\S+)/.exec(line)?.[1]
    if (address) {
      stdout.resume()
      return address
    }
  }
  throw new Error('the server ended before it said where it is')
}

const pidOf = (instance: string): number => {
  const run = fs.readFileSync(path.join(folder, 'asterisk-demo', instance, 'run-folder'), 'utf8').trim()
  return Number(fs.readFileSync(path.join(run, 'asterisk.pid'), 'utf8'))
}

function livesNow(instance: string): boolean {
  try {
    process.kill(pidOf(instance), 0)
    return true
  } catch {
    return false
  }
}

/** By a number's last two digits: how it ends, and after how many calls. */
const fates = new Map([
  ['01', { disposition: 'BUSY', calls: 2, key: null }],
  ['03', { disposition: 'REJECTED', calls: 2, key: null }],
  ['04', { disposition: 'INVALID', calls: 1, key: null }],
  ['05', { disposition: 'NO ANSWER', calls: 2, key: null }],
  ['09', { disposition: 'ANSWER', calls: 1, key: null }],
  ['13', { disposition: 'ANSWER', calls: 1, key: '3' }],
  ['99', { disposition: 'ANSWER', calls: 1, key: null }],
])
const numberOf = (suffix: string): string => `98410001${suffix}`

async function compose(name: string, numbers: readonly string[]): Promise<number> {
  const prompts = await user.ask(promptRoutes.list, { userId: user.userId, promptStatus: '1' })
  const promptOf = (category: string): number => {
    const found = prompts.find(({ promptCategory }) => promptCategory === category)
    if (!found) throw new Error(`the demo has no approved ${category} prompt`)
    return found.promptId
  }
  const [cli] = await user.ask(lineRoutes.clisOfUser, { userId: user.userId })
  const baseFile = new File([['mobile', ...numbers].join('\n')], 'numbers.csv', { type: 'text/csv' })
  const { baseId } = await user.ask(contactRoutes.baseUpload, { baseName: name, baseFile })
  const campaign = {
    campaignName: name,
    templateId: 1,
    cli: cli?.cli,
    baseId,
    dtmf: '3',
    menuPId: promptOf('menu'),
    thanksPId: promptOf('thanks'),
    menuWaitTime: 1,
    rePrompt: 0,
    retries: 1,
  }
  return (await user.ask(composeRoutes.compose, campaign)).campaignId
}

async function completed(campaignId: number): Promise<void> {
  const status = async () => (await user.ask(campaignDetailRoutes.detail, { campaignId })).campaignStatus
  await expect.poll(status, polling).toBe(2)
}

/** The called numbers, national, from the last column of the operator's own log. */
function operatorsRecord(): string[] {
  const file = path.join(folder, 'asterisk-demo/operator/var/log/cdr-csv/Master.csv')
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) =>
    line
      .slice(line.lastIndexOf(',') + 1)
      .replaceAll('"', '')
      .replace(/^\+?977/, ''),
  )
}

test('a campaign finishes by itself: outcomes and keys match the numbers, and the operator had exactly these calls', async () => {
  const campaignId = await compose('Real calls', [...fates.keys()].map(numberOf))
  await completed(campaignId)
  const attempts = await user.ask(campaignDetailRoutes.attempts, { campaignId, pageSize: 100 })
  const dialled: string[] = []
  for (const [suffix, { disposition, calls, key }] of fates) {
    const made = attempts.filter(({ mobile }) => mobile === numberOf(suffix))
    // Before any call of its trunk has rung, an unknown number is called again, four times at most.
    const early = disposition === 'INVALID' ? made.filter((attempt) => attempt.disposition === 'CONGESTION').length : 0
    expect(early, suffix).toBeLessThanOrEqual(4)
    expect(
      made.map((attempt) => attempt.disposition),
      suffix,
    ).toEqual([
      ...Array.from({ length: calls }, () => disposition),
      ...Array.from({ length: early }, () => 'CONGESTION'),
    ])
    if (key !== null) expect(made[0]?.keys, suffix).toBe(key)
    dialled.push(...made.map(() => numberOf(suffix)))
  }
  expect(operatorsRecord().toSorted()).toEqual(dialled.toSorted())
}, 180_000)

test('killed while calls are up and started again, it finds Asterisk where it was and nobody is rung twice', async () => {
  const numbers = Array.from({ length: 20 }, (_, n) => `98420${String(n).padStart(3, '0')}99`)
  const campaignId = await compose('Killed', numbers)
  const inCall = async () => (await user.ask(campaignDetailRoutes.detail, { campaignId })).pending?.inCall
  await expect.poll(inCall, { ...polling, interval: 100 }).toBeGreaterThan(2)
  await end('SIGKILL')
  await start()
  await completed(campaignId)
  const attempts = await user.ask(campaignDetailRoutes.attempts, { campaignId, pageSize: 100 })
  const rung = attempts.filter(({ disposition }) => disposition !== 'CANCEL') // claimed when it was killed, and given back
  expect(rung.map(({ disposition }) => disposition)).toEqual(numbers.map(() => 'ANSWER'))
  expect(
    operatorsRecord()
      .filter((number) => number.startsWith('98420'))
      .toSorted(),
  ).toEqual(numbers)
}, 180_000)

test('a killed Asterisk comes back by itself at the same address, and calls continue', async () => {
  const before = pidOf('dialer')
  process.kill(before, 'SIGKILL')
  await expect.poll(() => livesNow('dialer') && pidOf('dialer'), polling).not.toBe(before)
  const campaignId = await compose('Again', [numberOf('47').replace('9841', '9843')])
  await completed(campaignId)
}, 180_000)

test('a server whose database went away starts it again and goes on, and leaves no Asterisk behind when it stops', async () => {
  const postgres = () => fs.readFileSync(path.join(folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]
  const before = postgres()
  process.kill(Number(before), 'SIGKILL')
  await expect.poll(postgres, polling).not.toBe(before)
  const clis = () => user.ask(lineRoutes.clisOfUser, { userId: user.userId }).catch(() => [])
  await expect.poll(clis, polling).not.toEqual([])
  expect([livesNow('dialer'), livesNow('operator')]).toEqual([true, true])
  await end('SIGTERM')
  expect([livesNow('dialer'), livesNow('operator')]).toEqual([false, false])
}, 180_000)
