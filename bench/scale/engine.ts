/**
 * One engine for bench/scale in a process of its own, as with `ROLES=engine npm start`. Answers 'ready' and 'figures' with what it did since
 * the last time, and ends on SIGTERM or with its parent.
 */
import { randomBytes } from 'node:crypto'
import * as path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { systemClock } from '@ghanti/server/clock.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { testFiles } from '@ghanti/server/testing/files/test-files.ts'
import { createSimulatorClient } from '@ghanti/server/drivers/telephony/simulator/client.ts'
import { espeakTts } from '@ghanti/server/drivers/tts/espeak.ts'
import { startEngine } from '@ghanti/server/voice/engine.ts'
import { enginePoolOptions } from '@ghanti/server/dispatch/statement.ts'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { fail } from '../bench.ts'
import { shapeOf } from '../dispatch/saturation.ts'
import type { EngineFigures } from './processes.ts'

const resolutionMs = 10
const text = { type: 'string' } as const
const { values } = parseArgs({ options: { name: text, database: text, folder: text, settle: text } })
const folder = values.folder ?? '.'
const poolOptions = { connectionString: values.database ?? '', max: 10, name: 'engine', options: enginePoolOptions }
const pool = openPool(poolOptions, fail)
const files = testFiles(path.join(folder, 'files'))
const claimsMs: number[] = []
const ups = new Map<number, number>()
const ticksMs: number[] = []
/** Of its statements, by their shape. */
const names = new Map<string, string>()
const named = new Set<string>()
/** Wakes the process a hundred times a second, more often than all that an idle engine does: on from the first question about figures. */
const delay = monitorEventLoopDelay({ resolution: resolutionMs })
const engine = startEngine({
  pool: timed(pool),
  telephony: [createSimulatorClient()],
  files,
  speech: { db: kyselyOver(pool), files, tts: espeakTts() },
  dialerSettings: { secret: randomBytes(32), mediaFolder: path.join(folder, 'media') },
  clock: systemClock,
  log: pino({ level: 'error', serializers: { error: pino.stdSerializers.err } }),
  engineId: values.name ?? '',
  name: values.name ?? '',
  settleMs: Number(values.settle),
})
engine.reports.on('tick', ({ dialerId, up, tookMs }) => {
  ups.set(dialerId, up)
  ticksMs.push(tookMs)
})

/** The pool, noting how long each claim takes, and what its statements are called. */
function timed(of: Pool): Pool {
  const query = async (statement: { name: string; text: string; values: unknown[] }) => {
    if (!named.has(statement.name)) names.set(shapeOf(statement.text), statement.name)
    named.add(statement.name)
    const began = performance.now()
    const reply = await of.query(statement)
    if (statement.name === 'claim') claimsMs.push(performance.now() - began)
    return reply
  }
  return new Proxy(of, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (key === 'query') return query
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

process.on('message', (asked) => {
  const late = (ns: number): number => Math.max(0, ns / 1e6 - resolutionMs)
  const figures: EngineFigures = {
    claimsMs: claimsMs.splice(0),
    ticksMs: ticksMs.splice(0),
    up: [...ups.values()].reduce((sum, n) => sum + n, 0),
    lateMs: { p95: late(delay.percentile(95)), max: late(delay.max) },
    memoryMb: process.memoryUsage.rss() / 2 ** 20,
    names: [...names],
  }
  ups.clear()
  delay.reset()
  if (asked === 'figures') delay.enable()
  process.send?.(figures)
})

process.once('SIGTERM', () => void engine.stop({ drainMs: 2000 }).then(() => process.exit(0)))
process.once('disconnect', () => process.exit(0))
