/**
 * The cost of exporting a million calls: `npm run bench:exports [size]`, on the rows of bench/reports (size 1: ten million calls). Each
 * format is requested over HTTP and made by a process of the role worker, while its owner reads pages from an API in a separate process.
 *
 * Aims: a million calls under 60 s, 200 MB of memory beyond the idle worker's, pages under 50 ms at the 95th percentile. At size 1 a miss
 * fails the run.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { exportFormats, exportRoutes, exportStatusCode, type ExportFormat } from '@ghanti/contract/exports.ts'
import { systemClock } from '@ghanti/server/clock.ts'
import { newSecret } from '@ghanti/server/config.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { bareEnvironment } from '@ghanti/server/testing/processes/own-process.ts'
import { tokenOf } from '@ghanti/server/testing/seed.ts'
import { fail, load, sizeOf, smallest, startApi, within } from './bench.ts'
import { p95, startReader } from './dispatch/people.ts'
import { openFixtures, type Opened } from './lists/cached-database.ts'
import { makeFixtures, type Fixtures } from './reports/fixtures.ts'

const size = sizeOf(1, 0.0005)
assert(size > 0 && size <= 1, 'the size is above 0 and at most 1')
const sizes = { accounts: Math.max(20, Math.ceil(10_000 * size)), attempts: Math.ceil(10_000_000 * size) }
const aims = { secondsOfMillion: 60, megabytes: 200, pageMs: 50 }
const withinMs = 600_000

const opened = await openFixtures({
  name: 'reports',
  sizes,
  sources: ['reports/fixtures.ts'],
  make: makeFixtures,
  keep: !smallest,
})
try {
  console.log(`load before ${load()}`)
  const missed = await measure(opened)
  console.log(
    missed === 0 ? 'every figure is within its aim' : `every export was made, ${missed} figures miss their aims`,
  )
  if (missed > 0 && size === 1) process.exitCode = 1
} finally {
  await opened.close()
}

async function measure({ postgres, folder, fixtures }: Opened<Fixtures>): Promise<number> {
  const pool = openPool({ connectionString: postgres.url(), max: 1, name: 'bench' }, fail)
  const app = { db: kyselyOver(pool), clock: systemClock }
  const secret = newSecret()
  const api = await startApi(postgres.url(), folder, secret)
  let missed = 0
  try {
    const authorization = `Bearer ${await tokenOf(app, fixtures.busy.userId)}`
    const send = (method: string, route: string, body?: object) =>
      sent(`${api.address}${route}`, { method, authorization, body })
    for (const format of exportFormats) {
      const worker = startWorker({ url: postgres.url(), folder, secret })
      const pages = { 'report of a user': `/api/obd/campaign/report/${fixtures.busy.userId}?page=1&pageSize=25` }
      try {
        await make(send, fixtures, { format, filter: { search: fixtures.mobile } }) // by now the worker has started
        const idle = worker.memoryFromNow()
        const read = await startReader(app, api.address, fixtures.busy, pages)
        const { rows, seconds, bytes } = await make(send, fixtures, { format, filter: { disposition: 'ANSWER' } })
        const figures = {
          secondsOfMillion: (seconds * 1_000_000) / rows,
          megabytes: worker.mostMemory() - idle,
          pageMs: p95(Object.values(await read()).flat()),
        }
        const { secondsOfMillion, megabytes, pageMs } = figures
        missed += (Object.keys(aims) as (keyof typeof aims)[]).filter((name) => figures[name] > aims[name]).length
        console.log(
          `${format}: ${rows} calls in ${seconds.toFixed(1)} s, ${secondsOfMillion.toFixed(1)} s a million (aim ${aims.secondsOfMillion}); ${Math.round(bytes / 1e6)} MB; ` +
            `${megabytes} MB of memory beyond the ${idle} of the idle worker (aim ${aims.megabytes}); pages ${pageMs.toFixed(0)} ms at the 95th percentile (aim ${aims.pageMs})`,
        )
      } finally {
        await worker.end()
      }
    }
  } finally {
    await api.stop()
    await pool.end()
  }
  return missed
}

type Send = (method: string, route: string, body?: object) => Promise<unknown>
type Made = { rows: number; seconds: number; bytes: number }

/** Exports the busy account's calls (a million or so answered ones at size 1) and deletes the file. */
async function make(send: Send, { busy }: Fixtures, of: { format: ExportFormat; filter: object }): Promise<Made> {
  const began = performance.now()
  const ask = { kind: 'calls', ...of }
  const { exportId } = exportRoutes.ask.reply.parse(await send('POST', exportRoutes.ask.path, ask))
  const made = async (): Promise<Made> => {
    for (;;) {
      const list = exportRoutes.list.reply.parse(
        await send('GET', exportRoutes.list.path.replace(':userId', String(busy.userId))),
      )
      const found = list.find((one) => one.exportId === exportId)
      assert(found && found.exportStatus !== exportStatusCode.failed, found?.reason ?? 'the export is gone')
      if (found.exportStatus === exportStatusCode.ready)
        return { rows: found.rows, seconds: (performance.now() - began) / 1000, bytes: found.bytes }
      await sleep(100)
    }
  }
  const file = await within(withinMs, `the ${of.format} export`, made())
  assert(file.rows > 0, 'an export without a call')
  await send('DELETE', exportRoutes.delete.path.replace(':exportId', String(exportId)))
  return file
}

async function sent(
  url: string,
  { method, authorization, body }: { method: string; authorization: string; body?: object | undefined },
): Promise<unknown> {
  const json = body && { 'content-type': 'application/json' }
  const reply = await fetch(url, {
    method,
    headers: { authorization, ...json },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  assert(reply.ok, `${method} ${url}: ${text}`)
  return JSON.parse(text)
}

/** In MB, of all threads. */
type Worker = { memoryFromNow(): number; mostMemory(): number; end(): Promise<void> }

/** `ROLES=worker npm start`, one process per file, so that its memory is that file's. */
function startWorker({ url, folder, secret }: { url: string; folder: string; secret: string }): Worker {
  const settings = {
    DATABASE_URL: url,
    SECRET: secret,
    PUBLIC_URL: 'http://localhost',
    DATA_FOLDER: folder,
    ROLES: 'worker',
    LOG_LEVEL: 'error',
  }
  const main = path.join(import.meta.dirname, '../server/src/main.ts')
  const child = spawn(process.execPath, ['--max-semi-space-size=64', main], {
    env: { ...bareEnvironment, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  const memory = (what: 'VmHWM' | 'VmRSS'): number => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    const [, kilobytes] = new RegExp(`${what}:\\s+(\\d+) kB`).exec(status) ?? []
    return Math.round(Number(kilobytes) / 1000)
  }
  return {
    memoryFromNow() {
      writeFileSync(`/proc/${child.pid}/clear_refs`, '5') // resets the peak
      return memory('VmRSS')
    },
    mostMemory: () => memory('VmHWM'),
    async end() {
      child.kill('SIGTERM')
      await within(20_000, 'the end of the worker', ended).catch(() => child.kill('SIGKILL'))
    },
  }
}
