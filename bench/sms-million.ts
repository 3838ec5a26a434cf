/**
 * A campaign of a million recipients: `npm run bench:sms-million -- [recipients]`. Composed over HTTP from a file, prepared, and sent
 * through a simulated gateway with receipts, on embedded PostgreSQL with durable commits, while the owner and the reseller read their lists
 * over HTTP. Prints messages per second, the sending process's memory and the 95th percentile of each list (aims: memory that does not grow
 * with the recipients, lists within 100 ms). Asserts one message per recipient, and the books.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@ghanti/server/clock.ts'
import { simulatedGateways } from '@ghanti/server/drivers/sms/simulator/simulator.ts'
import { load, sizeOf, smallest, within } from './bench.ts'
import { p95, startReader, type Reads } from './dispatch/people.ts'
import { deliveredNumber } from './sms/messages.ts'
import { startSmsFixtures } from './sms/fixtures.ts'

const recipients = sizeOf(1_000_000, 1000)
const numbers = Array.from({ length: recipients }, (_, index) => deliveredNumber(index))
const withinMs = smallest ? 60_000 : 1_800_000
const gateway = { window: 5000, tps: 100_000 }
const mebibyte = 2 ** 20

const fixtures = await startSmsFixtures('sms-million')
try {
  await run()
} finally {
  await fixtures.end()
}

async function run(): Promise<void> {
  console.log(`${recipients.toLocaleString('en')} recipients, load before ${load()}`)
  await fixtures.gateway('simulator', gateway)
  const open = simulatedGateways(30)
  fixtures.engine({
    simulator: (_, events) => open({ driver: 'simulator', ...gateway, fault: null }, events, systemClock),
  })
  const began = performance.now()
  const id = await fixtures.compose(`mobile\n${numbers.join('\n')}\n`, 'Namaste, the shop opens at 7 tomorrow.')
  const composed = performance.now()
  const until = async (isReached: (counted: { status: string; delivered: number }) => boolean): Promise<number> => {
    while (!isReached(await fixtures.counted(id))) await sleep(100)
    return performance.now()
  }
  const ready = await within(
    withinMs,
    'the preparation',
    until(({ status }) => status === 'running'),
  )
  const memory = watchMemory()
  const readers = await Promise.all([read(id, 'user'), read(id, 'reseller')])
  const sent = await within(
    withinMs,
    'the last receipt',
    until(({ delivered }) => delivered === recipients),
  )
  console.log(`composed in ${seconds(composed - began)}, prepared in ${seconds(ready - composed)}`)
  console.log(`${Math.round(recipients / ((sent - ready) / 1000))} messages/s, sent and delivered`)
  console.log(`memory of the sending process, MiB at most in each tenth of that time: ${memory.end().join(', ')}`)
  for (const reader of readers)
    for (const [name, took] of Object.entries(await reader()))
      console.log(`  ${name}: p95 ${p95(took).toFixed(0)} ms of ${took.length} (aim 100)`)
  await expectOneEach(id)
  const faults = await fixtures.faults()
  console.log(faults.length === 0 ? 'the books are right' : `THE BOOKS ARE WRONG: ${faults.join(', ')}`)
  if (faults.length > 0) process.exitCode = 1
  console.log(`load after ${load()}`)
}

async function expectOneEach(campaignId: number): Promise<void> {
  const { rows } = await fixtures.owner.query<{ sent: number; numbers: number }>(
    'select count(*)::int as sent, count(distinct phone)::int as numbers from sms_sent where campaign_id = $1',
    [campaignId],
  )
  assert.deepEqual(rows, [{ sent: recipients, numbers: recipients }], 'one message each')
}

/** Reads the pages that a person has open, one after the other, until stopped. */
function read(campaignId: number, who: 'user' | 'reseller'): Promise<() => Promise<Reads>> {
  const viewer = fixtures[who]
  const page = 'page=1&pageSize=10'
  return startReader(fixtures.app, fixtures.api.address, viewer, {
    [`campaigns of a ${who}`]: `/app/sms/campaigns/${viewer.userId}?${page}`,
    [`summary of a ${who}`]: `/app/sms/campaign/summary/${campaignId}`,
    [`report of a ${who}`]: `/app/sms/campaign/report/${campaignId}?${page}`,
  })
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** Samples the memory of this process, whose engine sends, to see whether it grows. */
function watchMemory(): { end(): number[] } {
  const sampled: number[] = []
  const timer = setInterval(() => sampled.push(process.memoryUsage.rss()), 100)
  return {
    end() {
      clearInterval(timer)
      const tenth = Math.ceil(sampled.length / 10)
      return Array.from({ length: 10 }, (_, n) => sampled.slice(n * tenth, (n + 1) * tenth))
        .filter(({ length }) => length > 0)
        .map((some) => Math.round(Math.max(...some) / mebibyte))
    },
  }
}
