/**
 * Single messages of programs beside a campaign: `npm run bench:sends -- [seconds]` (600). Four keys of one account send 100 messages a second by
 * POST /api/v1/messages, while a campaign of 100,000 goes out through the same simulated gateway. The API is a separate process; the engine is this
 * one. Says how long answers take, how long after its answer a message is handed to the gateway, and how many bytes of tables and indexes each takes.
 * Asserts that each accepted message left once, and that the books are right.
 *
 * Aims: answers within 50 ms and the gateway within 2 s, both at the 95th percentile; 600 bytes.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@ghanti/server/clock.ts'
import { simulatedGateways } from '@ghanti/server/drivers/sms/simulator/simulator.ts'
import { hashOf } from '@ghanti/server/lib/secrets.ts'
import { newKey } from '@ghanti/server/modules/keys/actions-secret.ts'
import { load, runBench, sizeOf, smallest, type Ending } from './bench.ts'
import { p95 } from './dispatch/people.ts'
import { deliveredNumber } from './sms/messages.ts'
import { startSmsFixtures } from './sms/fixtures.ts'

const seconds = sizeOf(600, 2)
const perSecond = smallest ? 20 : 100
const keys = 4
const campaignRows = smallest ? 100 : 100_000
const aims = { answerMs: 50, gatewayMs: 2000, bytes: 600 }
const text = 'Your code for Himal Bank is 471108. It is valid for ten minutes.'
/** Beyond those of the campaign. */
const firstNumber = 1_000_000

const fixtures = await startSmsFixtures('sends')
const ending: Ending[] = [() => fixtures.end()]
await runBench(run, ending)

async function run(): Promise<void> {
  console.log(`load before ${load()}`)
  await fixtures.gateway('simulator', { window: 1000, tps: 400, fault: null })
  const handedAt = new Map<string, number>()
  let twice = 0
  const open = simulatedGateways(1)
  fixtures.engine({
    simulator(_row, events) {
      const gateway = open({ driver: 'simulator', window: 1000, tps: 400, fault: null }, events, systemClock)
      return {
        get state() {
          return gateway.state
        },
        close: () => gateway.close(),
        submit(message, late) {
          if (handedAt.has(message.to)) twice += 1
          handedAt.set(message.to, performance.now())
          return gateway.submit(message, late)
        },
      }
    },
  })
  const numbers = Array.from({ length: campaignRows }, (_, index) => deliveredNumber(index)).join('\n')
  await fixtures.compose(`mobile\n${numbers}\n`, 'Namaste')
  while (handedAt.size === 0) await sleep(50)
  const before = await bytes()
  const authorizations = await Promise.all(Array.from({ length: keys }, newAuthorization))

  const sends: Promise<Sent>[] = []
  const began = performance.now()
  for (let n = 0; n < seconds * perSecond; n += 1) {
    await sleep(Math.max(0, began + (n * 1000) / perSecond - performance.now()))
    sends.push(send(authorizations[n % keys] ?? '', deliveredNumber(firstNumber + n)))
  }
  const sent = await Promise.all(sends)
  const rate = sent.length / ((performance.now() - began) / 1000)
  const refused = sent.filter(({ status }) => status !== 200)
  assert.deepEqual(refused.slice(0, 3), [], `${refused.length} were refused`)
  const all = () => sent.every(({ to }) => handedAt.has(to))
  for (const until = performance.now() + 60_000; !all() && performance.now() < until;) await sleep(50)
  const waits = sent.map(({ to, answeredAt }) => (handedAt.get(to) ?? Infinity) - answeredAt)
  const after = await bytes()
  const figures = {
    answerMs: p95(sent.map(({ ms }) => ms)),
    gatewayMs: Math.max(0, p95(waits)),
    bytes: (after - before) / sent.length,
  }
  assert.equal(twice, 0, 'a message left twice')
  assert(all(), 'a message that was accepted did not leave')
  console.log(
    `${sent.length} messages, ${rate.toFixed(0)}/s with ${keys} keys: answers ${figures.answerMs.toFixed(0)} ms at the 95th percentile (aim ${aims.answerMs}), ` +
      `at the gateway ${figures.gatewayMs.toFixed(0)} ms after that (aim ${aims.gatewayMs}), ${figures.bytes.toFixed(0)} bytes each while the campaign was sent too (aim ${aims.bytes})`,
  )
  console.log(`load after ${load()}`)
  while ((await openMessages()) > 0) await sleep(100)
  const faults = await fixtures.faults()
  assert.deepEqual(faults, [])
  console.log('the books are right')
}

type Sent = { to: string; status: number; ms: number; answeredAt: number }

async function send(authorization: string, to: string): Promise<Sent> {
  const began = performance.now()
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': `to ${to}` }
  const body = JSON.stringify({ to, from: 'GHANTI', text, reference: `invoice ${to}` })
  const reply = await fetch(`${fixtures.api.address}/api/v1/messages`, { method: 'POST', headers, body })
  const said = await reply.text()
  if (!reply.ok) console.log(`${reply.status} ${said}`)
  const answeredAt = performance.now()
  return { to: `977${to}`, status: reply.status, ms: answeredAt - began, answeredAt }
}

async function newAuthorization(_: unknown, index: number): Promise<string> {
  const key = newKey()
  await fixtures.app.db
    .insertInto('api_key')
    .values({
      user_id: fixtures.user.userId,
      name: `Bench ${index}`,
      secret_hash: hashOf(key),
      last4: key.slice(-4),
      scopes: ['messages:write'],
      created_at: new Date(),
      expires_at: new Date(Date.now() + 24 * 3600_000),
    })
    .execute()
  return `Bearer ${key}`
}

/** Of what is kept of a message of a program, apart from its submission, which any message has. */
async function bytes(): Promise<number> {
  const { rows } = await fixtures.owner.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(t::regclass))::float8 as bytes from unnest('{sms_message,api_send}'::text[]) t`,
  )
  return rows[0]?.bytes ?? 0
}

async function openMessages(): Promise<number> {
  const { rows } = await fixtures.owner.query<{ n: number }>(
    `select count(*)::int as n from sms_open o join sms_campaign c on c.id = o.campaign_id where c.feed is not null`,
  )
  return rows[0]?.n ?? 0
}
