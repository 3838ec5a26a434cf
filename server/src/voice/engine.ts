import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { FilesDriver } from '../drivers/files/driver.ts'
import { earners, sweep } from '../dispatch/reservation.sql.ts'
import { checkInvariantsSince } from './invariants/invariants.sql.ts'
import type { SpeechDeps } from '../modules/speech/actions.ts'
import { runEvery } from '../dispatch/rounds/run-every.ts'
import { LagMeter } from '../dispatch/rounds/lag-meter.ts'
import { Liveness } from '../dispatch/lease/liveness.ts'
import type { DialerSettings } from './model/calls/trunk-data.ts'
import type { TickReport } from './scheduler/tick-report.ts'
import { forgetDays, freeNumbers } from './model/campaigns/numbers.sql.ts'
import { turnsToPrepare } from '../dispatch/turns/account-turns.ts'
import { Polls } from './polls.ts'
import { Writer } from './settle/writer.ts'
import { Dialers } from './dialers.ts'
import { Engines, type SharingEngine } from './placement/engines.ts'
import { forgetEngines } from './placement/placement.sql.ts'
import { raiseAlert } from '../dispatch/alerts.sql.ts'

export type EngineOptions = SharingEngine & {
  files: FilesDriver
  speech: SpeechDeps
  dialerSettings: DialerSettings
  clock: Clock
  log: Logger
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
   * Begins no new attempts. Where other engines live, hands each dialer over to one of them, which adopts its calls. Otherwise waits `drainMs` at most
   * for calls that are up. Calls that last longer go on at the dialer, as far as their reservation, and the next engine adopts or settles them.
   */
  stop(options: { drainMs: number }): Promise<void>
}

const leaseMsDefault = 10_000
/** How often to ask which idle dialers have something to do. */
const pollMs = 500
const sweepMs = 10_000
const checkEveryMs = 60_000
const numbersMs = 60_000
const dayMs = 24 * 3600_000

export function startEngine(options: EngineOptions): Engine {
  const reports = new EventEmitter<{ tick: [TickReport] }>()
  const lag = new LagMeter()
  const shutdown = new AbortController()
  const leaseMs = options.leaseMs ?? leaseMsDefault
  const polls = new Polls(options.pool, leaseMs)
  const liveness = new Liveness(options.pool, options.log)
  const writer = new Writer(options.pool, options.log)
  const context = { ...options, leaseMs, liveness, reports, lag, turns: turnsToPrepare(), polls, writer }
  const dialers = new Dialers(context, new Engines(options, liveness, leaseMs), shutdown.signal)

  const failed = (what: string) => (error: unknown) => {
    if (!shutdown.signal.aborted) options.log.error({ error }, what)
  }
  const sweepAll = async (): Promise<void> => {
    for (const accountId of await earners(options.pool)) await sweep(options.pool, accountId)
  }
  const rounds = runEvery(
    () => dialers.lookMs,
    shutdown.signal,
    () => dialers.look().catch(failed('dialers could not be looked after')),
  )
  const polled = runEvery(pollMs, shutdown.signal, async () => {
    if (liveness.held) await polls.read().catch(failed('what dialers have to do could not be read'))
  })
  let checkedTo: number | null = null
  const checkAll = async (): Promise<void> => {
    const { lastId, faults } = await checkInvariantsSince(options.pool, checkedTo)
    checkedTo = lastId
    if (faults.length === 0) return
    options.log.error({ faults }, 'the books are wrong')
    for (const fault of faults) await raiseAlert(options.pool, 'judge: books', fault.split(':')[0] ?? fault, fault)
  }
  const checks = runEvery(checkEveryMs, shutdown.signal, () =>
    checkAll().catch(failed('the books could not be checked')),
  )
  const sweeps = runEvery(sweepMs, shutdown.signal, () => sweepAll().catch(failed('earnings could not be swept')))

  const tidyNumbers = async (): Promise<void> => {
    const phones = await freeNumbers(options.pool)
    if (phones.length > 0)
      options.log.warn({ numbers: phones.length }, 'numbers that nobody called any more were freed')
  }
  const numbers = runEvery(numbersMs, shutdown.signal, () => tidyNumbers().catch(failed('numbers could not be freed')))
  const others = runEvery(numbersMs, shutdown.signal, () =>
    forgetEngines(options.pool, null).catch(failed('dead engines could not be forgotten')),
  )
  const days = runEvery(dayMs, shutdown.signal, () =>
    forgetDays(options.pool).catch(failed('old days could not be forgotten')),
  )

  return {
    reports,
    async stop({ drainMs }) {
      shutdown.abort()
      if (!liveness.held) await liveness.end()
      await Promise.all([rounds, polled])
      await dialers.stop(drainMs)
      await Promise.all([sweeps, checks, numbers, others, days]) // last: no call waits for a check of the books
      await liveness.end()
      lag.end()
    },
  }
}
