/**
 * An engine in a process of its own, over the simulator's process or Asterisk, for tests that kill it. It prints `ready`, reads its order (one line of
 * JSON) and dials until its standard input ends, until SIGTERM, after which it hands its dialers over, or until it kills itself with SIGKILL at the ordered moment; at a
 * moment that it is told later it stands still (engine-moments.ts). The names of moments:
 * - 'claim sent', 'claim done': the statement of that name was sent, or its result has arrived. A claim is done only when it returned rows; then also
 *   'claim of a retry done', 'claim of a congested row done'
 * - 'detour to a host sent', 'detour to a host done': the same of a detour that leads to the next host of its trunk
 * - 'dial sent', 'dial done': a request to the dialer
 * - 'answered arrives', 'answered reported': an event of the dialer, before and after the engine handles it
 * Moments of an agent's leg begin with 'agent ', those of a customer's over another trunk of the route with 'detour '.
 */
import { espeakTts } from '../../drivers/tts/espeak.ts'
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import * as z from 'zod/mini'
import { systemClock } from '../../clock.ts'
import { kyselyOver, openPool } from '../../db/pool.ts'
import { localFiles } from '../../drivers/files/local.ts'
import { asteriskDriver } from '../../drivers/telephony/asterisk/asterisk.ts'
import { createSimulatorClient } from '../../drivers/telephony/simulator/client.ts'
import { startEngine } from '../../voice/engine.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'
import { crashTestName, orderFields, readOrder, watchedPool } from './engine-moments.ts'
import { watched } from './watched-driver.ts'
import { ringingShorter } from '../ringing-shorter.ts'

const Order = z.object({
  ...orderFields,
  /** Null: only the simulator's dialers. `secret` opens the credentials of lines, in hex; no telephone rings longer than `ringMs`. */
  asterisk: z.nullable(z.object({ secret: z.string(), mediaFolder: z.string(), ringMs: z.number() })),
  /** The engine's `goneScale`: scales the time after which a silent dialer counts as gone. */
  goneScale: z.optional(z.number()),
  settleMs: z.optional(z.number()),
  weight: z.optional(z.number()),
})
export type EngineOrder = z.output<typeof Order>

const order = await readOrder(Order)
const pool = openPool(
  { connectionString: order.databaseUrl, max: 8, name: crashTestName, options: enginePoolOptions },
  () => {},
)
const { engineId, leaseMs, timeScale, asterisk } = order
const drivers = [createSimulatorClient()]
if (asterisk) drivers.push(ringingShorter(asteriskDriver(), asterisk.ringMs))
const files = localFiles(order.filesFolder)
const engine = startEngine({
  pool: watchedPool(pool),
  telephony: drivers.map(watched),
  files,
  speech: { db: kyselyOver(pool), files, tts: espeakTts() },
  dialerSettings: {
    secret: asterisk ? Buffer.from(asterisk.secret, 'hex') : randomBytes(32),
    mediaFolder: asterisk?.mediaFolder ?? order.filesFolder,
  },
  clock: systemClock,
  log: pino({ level: order.logLevel, serializers: { error: pino.stdSerializers.err } }, pino.destination(2)),
  engineId,
  leaseMs,
  timeScale,
  name: engineId,
  ...(order.goneScale !== undefined && { goneScale: order.goneScale }),
  ...(order.settleMs !== undefined && { settleMs: order.settleMs }),
  ...(order.weight !== undefined && { weight: order.weight }),
})
process.once('SIGTERM', () => void engine.stop({ drainMs: 8000 }).then(() => process.exit(0)))
