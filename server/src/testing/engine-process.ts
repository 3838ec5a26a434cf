/**
 * An engine as a process of its own, over the simulator's process or Asterisk, to be killed: says `ready`, reads its order (one line of JSON), dials until its standard input ends or until
 * it dies at the very moment that it was told, by SIGKILL. The moments are named by what happens:
 * - 'claim sent', 'claim done': a statement by its name, left for the database or answered by it; a claim is done when it gave something, and
 *   then also 'claim of a retry done', 'claim of a congested row done'
 * - 'dial sent', 'dial done': a request to the dialer
 * - 'answered arrives', 'answered told': an event of the dialer, before and after the engine was told
 * What concerns an agent's leg begins with 'agent '.
 */
import { espeakTts } from '../drivers/tts/espeak.ts'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Pool } from 'pg'
import { pino } from 'pino'
import * as z from 'zod/mini'
import { systemClock } from '../clock.ts'
import { kyselyOver, openPool } from '../db/pool.ts'
import { localFiles } from '../drivers/files/local.ts'
import { asteriskDriver } from '../drivers/telephony/asterisk/asterisk.ts'
import type { ChannelEvent, DialerConnection, DialerEvent, TelephonyDriver } from '../drivers/telephony/driver.ts'
import { createSimulatorClient } from '../drivers/telephony/simulator/client.ts'
import { customerOf } from '../engine/channel-names.ts'
import { startEngine } from '../engine/engine.ts'
import { enginePoolOptions } from '../engine/statement.ts'
import { ringingShorter } from './ringing-shorter.ts'

const Order = z.object({
  databaseUrl: z.string(),
  filesFolder: z.string(),
  engineId: z.string(),
  leaseMs: z.number(),
  timeScale: z.number(),
  logLevel: z.string(),
  /** Null: the simulator's dialers only. `secret` opens the credentials of lines, in hex; no telephone rings longer than `ringMs`. */
  asterisk: z.nullable(z.object({ secret: z.string(), mediaFolder: z.string(), ringMs: z.number() })),
  /** Of the clock by which a dialer is gone: `goneScale` of the engine. */
  goneScale: z.optional(z.number()),
  killAt: z.nullable(z.object({ what: z.string(), nth: z.number() })),
})
export type EngineOrder = z.output<typeof Order>

let moment: EngineOrder['killAt'] = null
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

/** `id` null: the rows that had to wait. */
type Claimed = { id?: number | null; attempt_no?: number; congestions?: number }

function watchedPool(pool: Pool): Pool {
  const query = async (statement: { name: string; text: string; values: unknown[] }) => {
    const reply = pool.query<Claimed>(statement)
    sent(statement.name)
    const { rows } = await reply
    if (statement.name !== 'claim' || rows.some((row) => row.id !== null)) happened(`${statement.name} done`)
    if (rows.some((row) => (row.attempt_no ?? 0) > 1)) happened(`${statement.name} of a retry done`)
    if (rows.some((row) => (row.congestions ?? 0) > 0)) happened(`${statement.name} of a congested row done`)
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

const isAgents = (channelId: unknown): boolean => customerOf(String(channelId)) !== null

function nameOf(event: ChannelEvent): string {
  return event.type !== 'recordingEnded' && isAgents(event.channelId) ? `agent ${event.type}` : event.type
}

function watchedLine(line: DialerConnection): DialerConnection {
  const onEvents = (listener: (events: DialerEvent[]) => void) =>
    line.onEvents((events) => {
      for (const event of events) {
        const what =
          'reason' in event || event.type === 'restored' || event.type === 'replaced' ? event.type : nameOf(event)
        happened(`${what} arrives`)
        listener([event])
        happened(`${what} told`)
      }
    })
  return new Proxy(line, {
    get(of, key) {
      const value: unknown = Reflect.get(of, key)
      if (key === 'onEvents') return onEvents
      if (typeof value !== 'function') return value
      return async (first: unknown, ...more: unknown[]): Promise<unknown> => {
        const channelId = typeof first === 'object' && first && 'channelId' in first ? first.channelId : first
        const what = isAgents(channelId) ? `agent ${String(key)}` : String(key)
        const reply: Promise<unknown> = value.call(of, first, ...more)
        sent(what)
        const said = await reply
        happened(`${what} done`)
        return said
      }
    },
  })
}

function watched(driver: TelephonyDriver): TelephonyDriver {
  return { name: driver.name, connect: async (dialer) => watchedLine(await driver.connect(dialer)) }
}

process.stdout.write('ready\n')
const [line] = await once(createInterface({ input: process.stdin }), 'line')
const order = Order.parse(JSON.parse(String(line)))
moment = order.killAt
process.stdin.on('end', () => process.exit(0))
const pool = openPool(
  { connectionString: order.databaseUrl, max: 8, name: 'ghanti-crash-test', options: enginePoolOptions },
  () => {},
)
const { engineId, leaseMs, timeScale, asterisk } = order
const drivers = [createSimulatorClient()]
if (asterisk) drivers.push(ringingShorter(asteriskDriver(), asterisk.ringMs))
const files = localFiles(order.filesFolder)
startEngine({
  pool: watchedPool(pool),
  telephony: drivers.map(watched),
  files,
  speech: { db: kyselyOver(pool), files, tts: espeakTts() },
  lines: {
    secret: asterisk ? Buffer.from(asterisk.secret, 'hex') : randomBytes(32),
    mediaFolder: asterisk?.mediaFolder ?? order.filesFolder,
  },
  clock: systemClock,
  log: pino({ level: order.logLevel, serializers: { error: pino.stdSerializers.err } }, pino.destination(2)),
  engineId,
  leaseMs,
  timeScale,
  ...(order.goneScale !== undefined && { goneScale: order.goneScale }),
})
