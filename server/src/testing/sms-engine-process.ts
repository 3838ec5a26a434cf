/**
 * An engine of messages as a process of its own, over SMPP, to be killed: says `ready`, reads its order (one line of JSON), sends until its standard
 * input ends or until it dies at the very moment that it was told, by SIGKILL. The moments are named by what happens:
 * - 'sms_claim sent', 'sms_claim done': a statement by its name, left for the database or answered by it; a claim is done when it gave something
 * - 'submit sent', 'submit done': a message to the gateway
 * - 'receipts arrive', 'receipts told': from the gateway, before and after they were stored
 */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Pool } from 'pg'
import { pino } from 'pino'
import * as z from 'zod/mini'
import { systemClock } from '../clock.ts'
import { openPool } from '../db/pool.ts'
import { localFiles } from '../drivers/files/local.ts'
import type { GatewayEvents, SmsGateway } from '../drivers/sms/driver.ts'
import { smppGateways } from '../drivers/sms/smpp/smpp.ts'
import { settingsFor } from '../drivers/sms/smpp/testing.ts'
import { enginePoolOptions } from '../engine/statement.ts'
import { startSmsEngine } from '../sms-engine/engine.ts'
import type { GatewayRow } from '../sms-engine/world.sql.ts'

const Order = z.object({
  databaseUrl: z.string(),
  filesFolder: z.string(),
  engineId: z.string(),
  leaseMs: z.number(),
  timeScale: z.number(),
  logLevel: z.string(),
  /** Of the message centre. */
  port: z.number(),
  killAt: z.nullable(z.object({ what: z.string(), nth: z.number() })),
})
export type SmsEngineOrder = z.output<typeof Order>

let moment: SmsEngineOrder['killAt'] = null
let times = 0

function happened(what: string): void {
  if (what !== moment?.what) return
  times += 1
  if (times === moment.nth) process.kill(process.pid, 'SIGKILL')
}

/** Once what was just asked for has left the process. */
function sent(what: string): void {
  setImmediate(() => setImmediate(() => happened(`${what} sent`)))
}

function watchedPool(pool: Pool): Pool {
  const query = async (statement: { name: string; text: string; values: unknown[] }) => {
    const reply = pool.query<{ id?: number | null }>(statement)
    sent(statement.name)
    const { rows } = await reply
    if (statement.name !== 'sms_claim' || rows.some((row) => typeof row.id === 'number'))
      happened(`${statement.name} done`)
    return reply
  }
  return new Proxy(pool, {
    get(of, key) {
      const value: unknown = Reflect.get(of, key)
      if (key === 'query') return query
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
}

function watchedEvents(events: GatewayEvents): GatewayEvents {
  return {
    ...events,
    async receipts(these) {
      happened('receipts arrive')
      await events.receipts(these)
      happened('receipts told')
    },
  }
}

function watched(gateway: SmsGateway): SmsGateway {
  return {
    get state() {
      return gateway.state
    },
    close: () => gateway.close(),
    async submit(message) {
      const reply = gateway.submit(message)
      sent('submit')
      const said = await reply
      happened('submit done')
      return said
    },
  }
}

process.stdout.write('ready\n')
const [line] = await once(createInterface({ input: process.stdin }), 'line')
const order = Order.parse(JSON.parse(String(line)))
moment = order.killAt
process.stdin.on('end', () => process.exit(0))
const pool = openPool(
  { connectionString: order.databaseUrl, max: 8, name: 'ghanti-sms-crash-test', options: enginePoolOptions },
  () => {},
)
const open = smppGateways()
const smpp = ({ settings }: GatewayRow, events: GatewayEvents): SmsGateway => {
  const { tps, window } = z.parse(z.object({ tps: z.number(), window: z.number() }), settings)
  return watched(
    open(settingsFor({ host: '127.0.0.1', port: order.port }, { tps, window }), watchedEvents(events), systemClock),
  )
}
const { engineId, leaseMs, timeScale } = order
startSmsEngine({
  pool: watchedPool(pool),
  drivers: { smpp },
  files: localFiles(order.filesFolder),
  clock: systemClock,
  log: pino({ level: order.logLevel, serializers: { error: pino.stdSerializers.err } }, pino.destination(2)),
  engineId,
  leaseMs,
  timeScale,
})
