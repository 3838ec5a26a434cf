/**
 * Messages per second from a durable store to their receipts, compared with Kannel: `npm run bench:sms-kannel -- [messages]` (20,000).
 * Ours: one prepared campaign; claim, reservation, submission over SMPP, settlement of three levels' money, receipt, all durable in
 * PostgreSQL. Kannel's: its bearerbox with a spool on disk, fed over HTTP, which forwards receipts over HTTP; it keeps the state of
 * receipts in memory, and no money. Same peer (Net::SMPP), text and window, alternating in one run. Asserts that each message was accepted
 * and delivered once, and the books.
 */
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@ghanti/server/clock.ts'
import { smppGateways } from '@ghanti/server/drivers/sms/smpp/smpp.ts'
import { settingsFor } from '@ghanti/server/drivers/sms/smpp/testing.ts'
import { startLocalSmsc, type LocalSmsc } from '@ghanti/server/demo/local-smsc.ts'
import { load, sizeOf, smallest, within } from './bench.ts'
import { startKannel } from './sms/kannel.ts'
import { cpuSeconds, type Watched } from './processes.ts'
import { deliveredNumber, nepaliText } from './sms/messages.ts'
import { startSmsFixtures, type SmsFixtures } from './sms/fixtures.ts'

const messages = sizeOf(20_000, 200)
const window = 50
const rounds = smallest ? 1 : 2
const withinMs = 300_000

const numbers = Array.from({ length: messages }, (_, index) => deliveredNumber(index))

const fixtures = await startSmsFixtures('sms-kannel')
const best = { ghanti: 0, kannel: 0 }
try {
  console.log(`${messages} messages, load before ${load()}`)
  for (let round = 0; round < rounds; round += 1) {
    best.kannel = Math.max(best.kannel, await withSmsc(`kannel-${round}`, byKannel))
    best.ghanti = Math.max(best.ghanti, await withSmsc(`ghanti-${round}`, (smsc) => byUs(fixtures, smsc)))
  }
  const times = (best.ghanti / best.kannel).toFixed(2)
  console.log(`ours is ${times} times Kannel's rate (aim: above 1); load after ${load()}`)
  const faults = await fixtures.faults()
  console.log(faults.length === 0 ? 'the books are right' : `THE BOOKS ARE WRONG: ${faults.join(', ')}`)
  if (faults.length > 0) process.exitCode = 1
} finally {
  await fixtures.end()
}

/** With its own message centre; asserts what that accepted. */
async function withSmsc(name: string, send: (smsc: LocalSmsc) => Promise<number>): Promise<number> {
  const home = path.join(fixtures.folder, name)
  const smsc = await startLocalSmsc({ home, options: ['--receipt', '50'] })
  try {
    const rate = await send(smsc)
    const accepted = smsc.log().accepted.map(({ to }) => to.slice(-10))
    assert.deepEqual(accepted.toSorted(), numbers.toSorted(), `${name}: each number once`)
    return rate
  } finally {
    await smsc.stop()
    fs.rmSync(path.join(home, 'arrived.log'), { force: true })
  }
}

async function byUs(of: SmsFixtures, smsc: LocalSmsc): Promise<number> {
  const open = smppGateways()
  await of.gateway('smpp', { window, tps: 100_000 })
  const settings = settingsFor(smsc, { window, tps: 100_000 })
  const engine = of.engine({ smpp: (_, events) => open(settings, events, systemClock) })
  const id = await of.compose(`mobile\n${numbers.join('\n')}\n`, nepaliText)
  const until = async (isReached: () => Promise<boolean>): Promise<void> => {
    while (!(await isReached())) await sleep(20)
  }
  await within(
    withinMs,
    'the preparation',
    until(async () => (await of.counted(id)).status === 'running'),
  )
  const watched = [
    { name: 'ours', pid: process.pid },
    { name: 'postgres', pid: of.postgres.pid, family: true },
  ]
  const rate = await measured('ghanti', watched, () =>
    within(
      withinMs,
      'the last receipt',
      until(async () => (await of.counted(id)).delivered === messages),
    ),
  )
  await engine.stop()
  return rate
}

async function byKannel(smsc: LocalSmsc): Promise<number> {
  const kannel = await startKannel(path.join(fixtures.folder, 'kannel'), { port: smsc.port, window })
  const lane = async (left: string[]): Promise<void> => {
    for (let to = left.pop(); to !== undefined; to = left.pop()) await kannel.submit(to, nepaliText)
  }
  const watched = kannel.pids.map((pid, n) => ({ name: n === 0 ? 'bearerbox' : 'smsbox', pid }))
  try {
    return await measured('kannel', watched, async () => {
      const left = [...numbers]
      await within(withinMs, 'the last message', Promise.all(Array.from({ length: 64 }, () => lane(left))))
      const all = async (): Promise<void> => {
        while (kannel.receipts() < messages) await sleep(20)
      }
      await within(withinMs, 'the last receipt', all())
      assert.equal(kannel.receipts(), messages, 'a receipt each')
    })
  } finally {
    await kannel.stop()
  }
}

/** Messages per second. */
async function measured(name: string, watched: readonly Watched[], work: () => Promise<void>): Promise<number> {
  const [began, before] = [performance.now(), cpuSeconds(watched)]
  await work()
  const rate = messages / ((performance.now() - began) / 1000)
  const spent = [...cpuSeconds(watched)].map(([who, seconds]) => {
    const each = ((seconds - (before.get(who) ?? 0)) / messages) * 1e6
    return `${who} ${each.toFixed(0)} µs`
  })
  console.log(`${name}: ${rate.toFixed(0)} messages/s with receipts; CPU of each message: ${spent.join(', ')}`)
  return rate
}
