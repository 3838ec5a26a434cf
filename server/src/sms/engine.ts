import { EventEmitter } from 'node:events'
import { runEvery } from '../dispatch/rounds/run-every.ts'
import { channelPrefix } from '../dispatch/lease/lease.sql.ts'
import { faultsOf } from '../dispatch/faults.ts'
import { LagMeter } from '../dispatch/rounds/lag-meter.ts'
import { Liveness } from '../dispatch/lease/liveness.ts'
import { turnsToPrepare } from '../dispatch/turns/account-turns.ts'
import { raiseAlert } from '../dispatch/alerts.sql.ts'
import type { SmsContext, SmsEngineOptions } from './gateway/context.ts'
import { GatewayRunner } from './gateway/gateway-runner.ts'
import { checkMessageInvariantsSince } from './invariants/invariants.sql.ts'
import { Coordinator, type SmsTickReport } from './coordinator.ts'
import { writeSmsProgress } from './settle/progress.sql.ts'
import { openMessages } from './settle/unknown.sql.ts'
import { loadGateways } from './model/snapshot.sql.ts'
import { SmsSnapshots } from './schedule/snapshots.ts'

export type SmsEngine = {
  /** The decisions of the coordinator, if this process has it. */
  readonly reports: EventEmitter<{ tick: [SmsTickReport] }>
  /** Claims nothing more. Messages in flight are answered, or unknown. */
  stop(): Promise<void>
}

const leaseMsDefault = 10_000
const roundMs = 500
const progressMs = 500
const checkEveryMs = 60_000

/** Sends messages. Any number of engines share a database; each gateway belongs to one engine at a time, and so does the coordination of campaigns. */
export function startSmsEngine(options: SmsEngineOptions): SmsEngine {
  const reports: SmsEngine['reports'] = new EventEmitter()
  const shutdown = new AbortController()
  const one = new Engine(options, shutdown.signal, (report) => reports.emit('tick', report))
  const running = one.run()
  return {
    reports,
    async stop() {
      shutdown.abort()
      await running
    },
  }
}

class Engine {
  readonly #context: Omit<SmsContext, 'installation'>
  readonly #signal: AbortSignal
  readonly #onTick: (report: SmsTickReport) => void
  readonly #runners = new Map<number, GatewayRunner>()
  #coordinator: Coordinator | null = null
  #installation: string | null = null
  #checkedTo: number | null = null

  constructor(options: SmsEngineOptions, signal: AbortSignal, onTick: (report: SmsTickReport) => void) {
    this.#signal = signal
    this.#onTick = onTick
    this.#context = {
      ...options,
      timeScale: options.timeScale ?? 1,
      leaseMs: options.leaseMs ?? leaseMsDefault,
      liveness: new Liveness(options.pool, options.log),
      lag: new LagMeter(),
      turns: turnsToPrepare(),
      snapshots: new SmsSnapshots(options.pool),
      changed: new Set(),
      unwritten: new Map(),
    }
  }

  async run(): Promise<void> {
    const { liveness, lag } = this.#context
    const checks = runEvery(checkEveryMs, this.#signal, () =>
      this.#guarded('the books of messages could not be checked', () => this.#checkInvariants()),
    )
    await Promise.all([
      runEvery(roundMs, this.#signal, () => this.#guarded('gateways could not be looked after', () => this.#round())),
      runEvery(progressMs, this.#signal, () => this.#guarded('progress could not be written', () => this.#progress())),
    ])
    await Promise.all([this.#coordinator?.end(), ...[...this.#runners.values()].map((runner) => runner.end())])
    await checks // after the gateways: no message waits for a check of the books
    await this.#guarded('the last progress could not be written', () => this.#progress())
    await liveness.end()
    lag.end()
  }

  async #guarded(what: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => this.#context.log.error({ error }, what))
  }

  async #round(): Promise<void> {
    const { liveness, pool, log } = this.#context
    if (!liveness.held) return
    this.#installation ??= (await channelPrefix(pool)).slice(0, -1)
    const context = { ...this.#context, installation: this.#installation }
    const gateways = await loadGateways(pool)
    for (const row of gateways) {
      const runner = this.#runners.get(row.id)
      const isOther = runner && (runner.row.changed_ms !== row.changed_ms || runner.row.enabled !== row.enabled)
      if (isOther) void runner.end()
      if (runner || this.#signal.aborted || !(row.driver in context.drivers)) continue
      if (!row.enabled && !(await this.#hasOpen(row.id))) continue
      const opened = await GatewayRunner.open(context, row)
      if (!opened) continue
      this.#runners.set(row.id, opened)
      const over = opened
        .run()
        .catch((error: unknown) => log.error({ error }, 'the work for a gateway could not be ended cleanly'))
      void over.finally(() => this.#runners.delete(row.id))
    }
    for (const [id, runner] of this.#runners) if (!gateways.some((row) => row.id === id)) void runner.end()
    if (!this.#coordinator && !this.#signal.aborted) await this.#coordinate(context)
  }

  async #coordinate(context: SmsContext): Promise<void> {
    const coordinator = await Coordinator.open(context, this.#onTick)
    if (!coordinator) return
    this.#coordinator = coordinator
    const over = coordinator
      .run()
      .catch((error: unknown) => context.log.error({ error }, 'the coordinator of SMS campaigns failed'))
    void over.finally(() => (this.#coordinator = null))
  }

  async #hasOpen(gatewayId: number): Promise<boolean> {
    return (await openMessages(this.#context.pool, gatewayId)).length > 0
  }

  async #progress(): Promise<void> {
    const { changed, pool } = this.#context
    const ids = [...changed]
    changed.clear()
    await writeSmsProgress(pool, ids).catch((error: unknown) => {
      for (const id of ids) changed.add(id)
      throw error
    })
  }

  async #checkInvariants(): Promise<void> {
    const { pool, log } = this.#context
    const { lastId, counts } = await checkMessageInvariantsSince(pool, this.#checkedTo)
    this.#checkedTo = lastId
    const faults = faultsOf(counts)
    if (faults.length === 0) return
    log.error({ faults }, 'the books of messages are wrong')
    for (const fault of faults) await raiseAlert(pool, 'judge: books', fault.split(':')[0] ?? fault, fault)
  }
}
