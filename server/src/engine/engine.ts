import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Pool } from 'pg'
import type { Clock } from '../clock.ts'
import type { FilesDriver } from '../drivers/files/driver.ts'
import type { TelephonyDriver } from '../drivers/telephony/driver.ts'
import { channelPrefix, releaseLease, renew, takeover } from './session/lease.sql.ts'
import { earners, sweep } from './settle/reservation.sql.ts'
import { checkInvariantsSince } from './invariants/invariants.sql.ts'
import type { SpeechDeps } from '../modules/speech/actions.ts'
import { every } from './session/every.ts'
import { LagMeter } from './session/lag-meter.ts'
import { LeaseHolder } from './session/lease-holder.ts'
import { Liveness } from './session/liveness.ts'
import type { DialerSettings } from './trunks/trunk-data.ts'
import { LostDialer } from './recover/lost-dialer.ts'
import { Loop, tickMs, type TickReport } from './session/loop.ts'
import { forgetDays, freeNumbers, rebuildNumbers } from './schedule/numbers.sql.ts'
import { prepareCampaign, type PrepareDeps } from './prepare/prepare.ts'
import { turnsToPrepare, type PrepareTurns } from './prepare/account-turns.ts'
import { Preparing, type Prepare } from './prepare/preparing.ts'
import { Polls } from './session/polls.ts'
import { writeProgress } from './settle/progress.sql.ts'
import { Session } from './session/session.ts'
import type { Lease } from './statement.ts'
import { lostSince } from './trunks/state.sql.ts'
import { loadDialers, loadTrunks, type DialerRow } from './schedule/snapshot.sql.ts'
import { raiseAlert } from './alerts.sql.ts'

export type EngineOptions = {
  /** A pool of the engine's own, with `enginePoolOptions` and at least 7 connections, one of which only shows that the engine lives. */
  pool: Pool
  /** By the name in a dialer's row. A dialer of any other driver is left alone. */
  telephony: readonly TelephonyDriver[]
  files: FilesDriver
  speech: SpeechDeps
  dialerSettings: DialerSettings
  clock: Clock
  log: Logger
  engineId: string
  /** One factor for every wait: retries, congestion, probes. Left out: the inverse of the dialer's speed. */
  timeScale?: number
  /**
   * One factor for the times after which a silent dialer counts as gone and its calls as over. These compare times of the database. 1 when
   * left out; tests do not wait for minutes.
   */
  goneScale?: number
  leaseMs?: number
}

export type Engine = {
  /** Gets one report for each tick and dialer. */
  readonly reports: EventEmitter<{ tick: [TickReport] }>
  /**
   * Begins no new attempts and waits `drainMs` at most for calls that are up. Calls that last longer go on at the dialer, as far as their
   * reservation, and the next engine adopts or settles them.
   */
  stop(options: { drainMs: number }): Promise<void>
}

const progressMs = 500
const leaseMsDefault = 10_000
const dialersMs = 500
const sweepMs = 10_000
const checkEveryMs = 60_000
const trimMs = 60_000
const unknownCallsMs = 60_000
const unknownCallsMsMin = 2000
const stateMs = 1000
const idleTickMs = 1000
const testsMs = 500
const recordingsMs = 1000
const soundsMs = 3600_000
const tracesMs = 2000
const numbersMs = 60_000
const dayMs = 24 * 3600_000

export function startEngine(options: EngineOptions): Engine {
  const reports = new EventEmitter<{ tick: [TickReport] }>()
  const lag = new LagMeter()
  const shutdown = new AbortController()
  const runners = new Map<number, DialerRunner>()
  const polls = new Polls(options.pool, options.leaseMs ?? leaseMsDefault)
  const liveness = new Liveness(options.pool, options.log)
  const context = { ...options, liveness, reports, lag, turns: turnsToPrepare(), polls }

  const failed = (what: string) => (error: unknown) => {
    if (!shutdown.signal.aborted) options.log.error({ error }, what)
  }
  const round = async (): Promise<void> => {
    await liveness.begun
    if (!liveness.held) return
    if (await rebuildNumbers(options.pool)) options.log.warn('who is called, and how often today, was counted again')
    for (const dialer of await loadDialers(options.pool, [...runners.keys()])) {
      if (runners.has(dialer.id) || shutdown.signal.aborted) continue
      const runner = await DialerRunner.open(context, dialer)
      if (!runner) continue
      runners.set(dialer.id, runner)
      const over = runner.run().catch(failed('a dialer could not be left in peace'))
      void over.finally(() => runners.delete(dialer.id))
    }
  }
  const sweepAll = async (): Promise<void> => {
    for (const accountId of await earners(options.pool)) await sweep(options.pool, accountId)
  }
  const rounds = every(dialersMs, shutdown.signal, () => round().catch(failed('dialers could not be looked after')))
  const read = (ms: number, what: { read(): Promise<void> }) =>
    every(ms, shutdown.signal, () => what.read().catch(failed('what dialers have to do could not be read')))
  const polled = [read(tickMs, polls.active), read(testsMs, polls.tests), read(recordingsMs, polls.recordings)]
  let checkedTo = 0
  const checkAll = async (): Promise<void> => {
    const { lastId, faults } = await checkInvariantsSince(options.pool, checkedTo)
    checkedTo = lastId
    if (faults.length === 0) return
    options.log.error({ faults }, 'the books are wrong')
    for (const fault of faults) await raiseAlert(options.pool, 'judge: books', fault.split(':')[0] ?? fault, fault)
  }
  const checks = every(checkEveryMs, shutdown.signal, () => checkAll().catch(failed('the books could not be checked')))
  const sweeps = every(sweepMs, shutdown.signal, () => sweepAll().catch(failed('earnings could not be swept')))

  const tidyNumbers = async (): Promise<void> => {
    const phones = await freeNumbers(options.pool)
    if (phones.length > 0)
      options.log.warn({ numbers: phones.length }, 'numbers that nobody called any more were freed')
  }
  const numbers = every(numbersMs, shutdown.signal, () => tidyNumbers().catch(failed('numbers could not be freed')))
  const days = every(dayMs, shutdown.signal, () =>
    forgetDays(options.pool).catch(failed('old days could not be forgotten')),
  )

  return {
    reports,
    async stop({ drainMs }) {
      shutdown.abort()
      if (!liveness.held) await liveness.end()
      await Promise.all([rounds, sweeps, checks, numbers, days, ...polled])
      await Promise.all([...runners.values()].map((runner) => runner.stop(drainMs)))
      await liveness.end()
      lag.end()
    },
  }
}

type Context = EngineOptions & {
  reports: Engine['reports']
  lag: LagMeter
  turns: PrepareTurns
  polls: Polls
  liveness: Liveness
}

/** A dialer, and all the work for it while we hold its lease. */
class DialerRunner {
  readonly #context: Context
  readonly #holder: LeaseHolder<Lease>
  readonly #session: Session
  readonly #loop: Loop
  readonly #lag: ReturnType<LagMeter['reader']>
  readonly #shutdown = new AbortController()
  #running: Promise<unknown> | null = null
  /** The last tick found nothing to do. */
  #isIdle = false
  #tickedIn = -1

  private constructor(context: Context, holder: LeaseHolder<Lease>, session: Session) {
    this.#context = context
    this.#holder = holder
    this.#session = session
    const prepare: Prepare = (campaignId, failures, signal) => {
      const bring: PrepareDeps['bring'] = (sounds, still) => session.speech.bring(sounds, still)
      const deps = { ...context, timeScale: session.timeScale, bring, failures }
      return prepareCampaign(deps, session.lease, campaignId, signal, context.turns)
    }
    this.#lag = context.lag.reader()
    this.#loop = new Loop(session, new Preparing(session, prepare), this.#lag.read)
  }

  /** Null: another engine has the lease, or the dialer's driver is none of ours. */
  static async open(context: Context, dialer: DialerRow): Promise<DialerRunner | null> {
    const { pool, log, engineId, files, speech, clock, dialerSettings, polls, liveness } = context
    const driver = context.telephony.find((one) => one.name === dialer.driver)
    if (!driver) return null
    const leaseMs = context.leaseMs ?? leaseMsDefault
    const holder = await LeaseHolder.take({
      log,
      of: { dialerId: dialer.id },
      leaseMs,
      liveness,
      take: async () => {
        const taken = await takeover(pool, dialer.id, engineId, leaseMs, liveness.key)
        return taken && { lease: taken, quietMs: taken.quietMs }
      },
      renew: async (lease) => (await polls.renewals.ask(lease)) || (await renew(pool, lease, leaseMs)),
      release: (lease) => releaseLease(pool, lease),
    })
    if (!holder) return null
    const deps = {
      pool,
      log,
      files,
      speech,
      clock,
      driver,
      dialerSettings,
      timeScale: context.timeScale ?? null,
      channelPrefix: await channelPrefix(pool),
      lostSince: await lostSince(pool, dialer.id),
      polls,
    }
    return new DialerRunner(context, holder, new Session(deps, holder, dialer, await loadTrunks(pool, [dialer.id])))
  }

  /** Until the lease is lost, or `stop`. */
  async run(): Promise<void> {
    const { signal } = this.#shutdown
    const { log, changed, deps } = this.#session
    log.info('this engine dials here')
    const quietMs = this.#holder.quietUntil - performance.now()
    if (quietMs > 0) await sleep(quietMs, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await this.#session.ensureConnected()
    const round = (ms: number, what: string, work: () => Promise<unknown>) =>
      every(ms, signal, async () => {
        if (this.#holder.lost !== null) this.#shutdown.abort()
        else await work().catch((error: unknown) => log.error({ error }, what))
      })
    const progress = async (): Promise<void> => {
      if (changed.size === 0) return
      const ids = [...changed]
      changed.clear()
      await writeProgress(deps.pool, this.#holder.lease, ids).catch((error: unknown) => {
        for (const id of ids) changed.add(id)
        throw error
      })
    }
    const { tests, recordings } = this.#session
    const lost = new LostDialer(this.#session, this.#context.goneScale ?? 1)
    const unknownMs = Math.max(unknownCallsMsMin, unknownCallsMs * this.#session.timeScale)
    const work = [
      round(stateMs, 'lost dialer', () => lost.round()),
      round(tickMs, 'tick', () => this.#tick()),
      round(progressMs, 'progress', progress),
      round(trimMs, 'record', () => this.#session.trimRecord()),
      round(unknownMs, 'unknown calls', () => this.#session.findUnknownCalls()),
      round(stateMs, 'state', () => this.#session.keepState()),
      round(testsMs, 'tests', () => tests.round()),
      round(recordingsMs, 'recordings', () => recordings.round(signal)),
      round(tracesMs, 'SIP messages', () => this.#session.keepTraces()),
      round(soundsMs, 'sounds', () => this.#session.tidySounds()),
    ]
    this.#running = Promise.all(work)
    await this.#running
    if (this.#holder.lost !== null) await this.#close()
  }

  async #tick(): Promise<void> {
    if (this.#rests()) return
    const report = await this.#loop.tick()
    this.#isIdle = report.campaigns.length + report.up === 0
    this.#context.reports.emit('tick', report)
  }

  /** Idle dialers tick once a second, all at the same moment, so that they query together. */
  #rests(): boolean {
    const second = Math.floor(performance.now() / idleTickMs)
    if (this.#isIdle && second === this.#tickedIn && !this.#context.polls.active.has(this.#holder.lease.dialerId))
      return true
    this.#tickedIn = second
    return false
  }

  async stop(drainMs: number): Promise<void> {
    this.#loop.draining = true
    const { switchboard, writer, log, changed, deps } = this.#session
    for (const until = performance.now() + drainMs; switchboard.calls.length > 0 && performance.now() < until;)
      await sleep(Math.min(50, drainMs))
    this.#shutdown.abort()
    await this.#running
    this.#session.health.unproven.all()
    try {
      await writer.flush()
      await writeProgress(deps.pool, this.#holder.lease, [...changed])
    } catch (error) {
      log.error({ error }, 'the last calls could not be written, they are settled from the record')
    }
    await this.#close()
    await this.#holder.giveUp()
  }

  async #close(): Promise<void> {
    this.#session.log.warn({ lost: this.#holder.lost }, 'this engine dials here no more')
    this.#context.polls.snapshots.forget(this.#holder.lease.dialerId)
    await this.#loop.end()
    this.#lag.end()
    await this.#session.close()
  }
}
