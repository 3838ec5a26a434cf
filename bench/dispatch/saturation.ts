import * as os from 'node:os'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { cpuSeconds, cpuSecondsOfChildren } from '../processes.ts'

const sampleMs = 40
const mainThread = "this process's main thread"
const engineBackends = 'PostgreSQL engine'
/** The limit is what exceeds this share of a core, of the machine or of the event loop. */
const saturatedShare = 0.9

type Spent = {
  lines: string[]
  /** Per attempt, of PostgreSQL's engine connections and this process's main thread. */
  cpuMicroseconds: number
}
export type SaturationMonitor = { end(done: number): Promise<Spent> }

/** `db`: a separate connection. `postgres`, `api`: process ids. */
export type Watched = { db: Pool; engine: Pool; postgres: number; api: number }

/** `done`: attempts since the start. */
export function watchSaturation({ db, engine, postgres, api }: Watched): SaturationMonitor {
  const [ownCpu, threadCpu] = [process.cpuUsage(), process.threadCpuUsage()]
  const loop = performance.eventLoopUtilization()
  const [began, machine] = [performance.now(), machineSeconds()]
  const before = { api: apiSeconds(), backends: cpuSecondsOfChildren(postgres) }
  const sampler = sampleBackends(db)
  const reset = db.query('select pg_stat_statements_reset()')
  reset.catch(() => undefined) // reported by `end`

  function apiSeconds(): number {
    return cpuSeconds([{ name: 'API', pid: api }]).get('API') ?? 0
  }
  return {
    async end(done) {
      const seconds = (performance.now() - began) / 1000
      const [own, thread] = [process.cpuUsage(ownCpu), process.threadCpuUsage(threadCpu)]
      const busy = performance.eventLoopUtilization(loop).utilization
      const [now, after] = [machineSeconds(), cpuSecondsOfChildren(postgres)]
      const { names, waits, samples } = await sampler.end()
      await reset
      const statements = await statementSeconds(db, await namesIn(engine))
      const used = new Map([
        [mainThread, (thread.user + thread.system) / 1e6],
        ['its other threads', (own.user + own.system - thread.user - thread.system) / 1e6],
        ['API', apiSeconds() - before.api],
      ])
      for (const [pid, total] of after) {
        const name = `PostgreSQL ${names.get(pid) ?? 'other'}`
        used.set(name, (used.get(name) ?? 0) + total - (before.backends.get(pid) ?? 0))
      }
      const cores = os.availableParallelism()
      const machineBusy = (now.busy - machine.busy) / (now.all - machine.all)
      const limits = limitsOf({ machineBusy, loopBusy: busy, used, seconds })
      const lines = [
        `cores: ${figures(used, seconds, 2)}; the event loop is busy ${percent(busy)}, the machine's ${cores} cores ${percent(machineBusy)}`,
        `µs of a core an attempt: ${figures(used, done / 1e6, 0)}`,
        `µs of a statement an attempt: ${figures(statements, done / 1e6, 0)}`,
        `PostgreSQL, at once: ${figures(waits, samples, 2)}`,
        `saturated: ${limits.length > 0 ? limits.join(', ') : 'no core; what PostgreSQL waits for, or pacing, is the limit'}`,
      ]
      const dispatching = (used.get(mainThread) ?? 0) + (used.get(engineBackends) ?? 0)
      return { lines, cpuMicroseconds: (dispatching / done) * 1e6 }
    },
  }
}

function limitsOf(of: {
  machineBusy: number
  loopBusy: number
  used: ReadonlyMap<string, number>
  seconds: number
}): string[] {
  const single = [...of.used].filter(
    ([name, used]) => /writer|checkpointer/.test(name) && used / of.seconds > saturatedShare,
  )
  return [
    ...(of.machineBusy > saturatedShare ? ['the machine'] : []),
    ...(of.loopBusy > saturatedShare ? ['the event loop of this process'] : []),
    ...single.map(([name]) => name),
  ]
}

/** The largest first, without those that round to nothing. */
export function figures(of: ReadonlyMap<string, number>, per: number, digits: number): string {
  return [...of]
    .map(([name, value]) => ({ name, value: value / per }))
    .filter(({ value }) => value >= 0.5 * 10 ** -digits)
    .toSorted((one, other) => other.value - one.value)
    .map(({ name, value }) => `${name} ${value.toFixed(digits)}`)
    .join(', ')
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function machineSeconds(): { busy: number; all: number } {
  const sum = { busy: 0, all: 0 }
  for (const { times } of os.cpus()) {
    const all = times.user + times.nice + times.sys + times.idle + times.irq
    sum.all += all
    sum.busy += all - times.idle
  }
  return sum
}

/** Total time of each statement by its name in the engine; of the others together. */
export async function statementSeconds(db: Pool, names: ReadonlyMap<string, string>): Promise<Map<string, number>> {
  const { rows } = await db.query<{ query: string; seconds: number }>(
    'select query, (total_exec_time + total_plan_time) / 1000 as seconds from pg_stat_statements',
  )
  const seconds = new Map<string, number>()
  for (const { query, seconds: more } of rows) {
    const name = names.get(shapeOf(query)) ?? 'others'
    seconds.set(name, (seconds.get(name) ?? 0) + more)
  }
  return seconds
}

async function namesIn(engine: Pool): Promise<Map<string, string>> {
  const asked = Array.from({ length: engine.totalCount }, () =>
    engine.query<{ name: string; statement: string }>('select name, statement from pg_prepared_statements'),
  )
  const replies = await Promise.all(asked)
  return new Map(replies.flatMap(({ rows }) => rows.map(({ name, statement }) => [shapeOf(statement), name])))
}

/** Without comments, constants and parameters, which pg_stat_statements renumbers. */
export function shapeOf(query: string): string {
  return query
    .replaceAll(/--.*|\/\*.*?\*\//g, '')
    .replaceAll(/'[^']*'|\$?\d+(\.\d+)?|\b(true|false|null)\b/gi, '?')
    .replaceAll(/\s+/g, '')
    .replaceAll(/\?(,\?)+/g, '?')
}

/** Samples what PostgreSQL's processes do: 'bench-engine on a core', 'bench-engine IO:WalSync'. */
export function sampleBackends(db: Pool) {
  const ending = new AbortController()
  const names = new Map<number, string>()
  const waits = new Map<string, number>()
  let samples = 0
  const sampling = (async () => {
    while (!ending.signal.aborted) {
      const { rows } = await db.query<{ pid: number; name: string; works: boolean; wait: string | null }>(
        `select pid, coalesce(nullif(application_name, ''), backend_type) as name, wait_event_type || ':' || wait_event as wait,
           case backend_type when 'client backend' then state <> 'idle' else wait_event_type is distinct from 'Activity' end as works
         from pg_stat_activity where pid <> pg_backend_pid()`,
      )
      samples += 1
      for (const { pid, name, works, wait } of rows) {
        names.set(pid, name)
        if (!works) continue
        const what = `${name} ${wait ?? 'on a core or waiting for one'}`
        waits.set(what, (waits.get(what) ?? 0) + 1)
      }
      await sleep(sampleMs, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  })()
  sampling.catch(() => undefined) // reported by `end`
  return {
    async end() {
      ending.abort()
      await sampling
      return { names, waits, samples }
    },
  }
}
