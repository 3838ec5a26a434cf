/**
 * How many distinct values per second are spoken and stored, compared with the speech engine alone: `npm run bench:speech -- [values]`
 * (10,000 amounts in Nepali). Values go through words, cache, engine, file and row as in preparation; then all are requested again. Asserts
 * that each value is spoken.
 */
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { SpokenValue } from '@ghanti/callflow/speech/read.ts'
import { textOf, wordsOf } from '@ghanti/callflow/speech/words.ts'
import { clusterFolder, startMigrated } from '@ghanti/server/testing/cluster.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { testFiles } from '@ghanti/server/testing/files/test-files.ts'
import { espeakTts } from '@ghanti/server/drivers/tts/espeak.ts'
import { speak, speakAtOnceMax } from '@ghanti/server/modules/speech/actions.ts'
import { sizeOf } from './bench.ts'

const wanted = sizeOf(10_000, 4)
const manner = { language: 'ne', calendar: 'bs' } as const
const lanes = 2
const alone = Math.min(500, wanted)

const folder = clusterFolder('bench-speech')
const postgres = await startMigrated({ folder: path.join(folder, 'postgres') })
const pool = openPool({ connectionString: postgres.url(), max: 8, name: 'bench' }, () => {})
const tts = espeakTts()
let peakMb = 0
const watching = setInterval(() => (peakMb = Math.max(peakMb, process.memoryUsage().rss / 1e6)), 200)

/** Distinct amounts like those of premiums. */
const amounts: SpokenValue[] = Array.from({ length: wanted }, (_, n) => ({
  kind: 'amount',
  value: `${1000 + n * 137}.${String(n % 100).padStart(2, '0')}`,
}))

async function timed(what: string, values: number, work: () => Promise<unknown>): Promise<void> {
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  await work()
  const seconds = (performance.now() - began) / 1000
  const used = process.cpuUsage(cpu)
  const cpuMs = (used.user + used.system) / 1000 / values
  console.log(
    `${what}: ${values.toLocaleString('en')} in ${seconds.toFixed(1)} s, ${(values / seconds).toFixed(0)} a second, ${cpuMs.toFixed(1)} ms of CPU each`,
  )
}

async function inLanes<T>(items: readonly T[], size: number, work: (some: T[]) => Promise<unknown>): Promise<void> {
  const left = [...items]
  const lane = async (): Promise<void> => {
    for (let some = left.splice(0, size); some.length > 0; some = left.splice(0, size)) await work(some)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

try {
  const deps = { db: kyselyOver(pool), files: testFiles(path.join(folder, 'files')), tts }
  const say = ([one]: SpokenValue[]) =>
    one ? tts.synthesise(textOf(wordsOf(one.kind, one.value, 'ne', 'bs')), 'ne') : Promise.resolve()
  await timed('the engine alone', alone, () => inLanes(amounts.slice(0, alone), 1, say))
  let soundMs = 0
  const keep = async (some: SpokenValue[]): Promise<void> => {
    for (const sound of await speak(deps, 0, manner, some)) {
      assert('durationMs' in sound, 'a value was not spoken')
      soundMs += sound.durationMs
    }
  }
  await timed('spoken and kept', wanted, () => inLanes(amounts, speakAtOnceMax, keep))
  console.log(`${(soundMs / 60_000).toFixed(0)} minutes of sound, peak memory of the process ${peakMb.toFixed(0)} MB`)
  await timed('asked for again', wanted, () => inLanes(amounts, speakAtOnceMax, keep))
} finally {
  clearInterval(watching)
  await tts.close()
  await pool.end()
  await postgres.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}
