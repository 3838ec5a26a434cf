/**
 * Segments per second through the SMPP driver with receipts, compared with npm `smpp` alone on the same peer in the same run: `npm run
 * bench:sms -- [segments]` (20,000, a window of 50). The peer is Net::SMPP in a separate process, and mostly the bottleneck. Asserts that
 * each segment was accepted once and has its receipt. Leaves out what the engine adds (claims, money, rows).
 */
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { systemClock } from '@ghanti/server/clock.ts'
import type { Receipt } from '@ghanti/server/drivers/sms/driver.ts'
import { smppGateways } from '@ghanti/server/drivers/sms/smpp/smpp.ts'
import { settingsFor } from '@ghanti/server/drivers/sms/smpp/testing.ts'
import { startLocalSmsc, type LocalSmsc } from '@ghanti/server/demo/local-smsc.ts'
import smpp from 'smpp'
import { sizeOf } from './bench.ts'
import { deliveredNumber, nepaliText } from './sms/messages.ts'

const segments = sizeOf(20_000, 200)
const window = 50
const rounds = 2

/** Runs `window` at once until all are done. */
async function all(work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < segments) await work(next++)
  }
  await Promise.all(Array.from({ length: window }, lane))
}

type Client = { submit(index: number): Promise<string>; receipts(): number; close(): Promise<void> }

async function bare({ host, port }: LocalSmsc, wantsReceipts: boolean): Promise<Client> {
  const session = smpp.connect({ host, port })
  let receipts = 0
  session.on('deliver_sm', (pdu) => {
    receipts += 1
    session.send(pdu.response())
  })
  await new Promise<void>((resolve) => session.on('connect', () => resolve()))
  const bind = { system_id: 'bench', password: 'secret', interface_version: 0x34 }
  await new Promise<void>((resolve) => session.bind_transceiver(bind, () => resolve()))
  const short_message = Buffer.from(nepaliText, 'utf16le').swap16()
  const common = {
    source_addr: 'GHANTI',
    source_addr_ton: 5,
    data_coding: 8,
    registered_delivery: wantsReceipts ? 1 : 0,
  }
  return {
    submit: (index) =>
      new Promise((resolve) =>
        session.submit_sm({ ...common, destination_addr: `977${deliveredNumber(index)}`, short_message }, (pdu) =>
          resolve(String(pdu['message_id'])),
        ),
      ),
    receipts: () => receipts,
    async close() {
      await new Promise<void>((resolve) => session.destroy(resolve))
    },
  }
}

async function driver(smsc: LocalSmsc): Promise<Client> {
  const stored: Receipt[] = []
  const events = {
    receipts: async (these: Receipt[]) => void stored.push(...these),
    unmarked: async () => undefined,
    notUnderstood: async () => undefined,
    incoming: async () => undefined,
    state: () => undefined,
  }
  const settings = settingsFor(smsc, { window, tps: 100_000 })
  const gateway = smppGateways()(settings, events, systemClock)
  while (!gateway.state.bound) await new Promise((resolve) => setTimeout(resolve, 5))
  return {
    async submit(index) {
      const submitted = await gateway.submit({
        token: `b${index}`,
        from: 'GHANTI',
        to: `977${deliveredNumber(index)}`,
        text: nepaliText,
      })
      assert(submitted.kind === 'accepted', `not accepted: ${JSON.stringify(submitted)}`)
      return submitted.ids[0] ?? ''
    },
    receipts: () => stored.length,
    close: () => gateway.close(),
  }
}

/** Segments per second, until the last receipt. */
async function rateOf(name: string, open: (smsc: LocalSmsc) => Promise<Client>, wantsReceipts = true): Promise<number> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-bench-sms-'))
  const smsc = await startLocalSmsc({ home, options: ['--receipt', '50'] })
  const client = await open(smsc)
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  const ids = new Set<string>()
  await all(async (index) => void ids.add(await client.submit(index)))
  const expected = wantsReceipts ? segments : 0
  while (client.receipts() < expected) await new Promise((resolve) => setTimeout(resolve, 2))
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpu)
  assert.equal(ids.size, segments, `${name}: an id a segment`)
  await client.close()
  await smsc.stop()
  fs.rmSync(home, { recursive: true, force: true })
  const rate = segments / seconds
  console.log(`${name}: ${rate.toFixed(0)} segments/s, ${((user + system) / segments).toFixed(0)} µs of our CPU each`)
  return rate
}

const best = { bare: 0, driver: 0 }
await rateOf('bare library, no receipts', (smsc) => bare(smsc, false), false)
for (let round = 0; round < rounds; round += 1) {
  best.bare = Math.max(best.bare, await rateOf('bare library, with receipts', (smsc) => bare(smsc, true)))
  best.driver = Math.max(best.driver, await rateOf('driver, with receipts', driver))
}
const share = (100 * best.driver) / best.bare
console.log(
  `the driver's rate is ${share.toFixed(0)} % of the bare library's with receipts, the aim is 50 % and 1,500/s`,
)
