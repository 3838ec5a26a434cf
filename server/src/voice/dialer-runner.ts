import { setTimeout as sleep } from 'node:timers/promises'
import type { EventEmitter } from 'node:events'
import type { EngineOptions } from './engine.ts'
import { periodOf } from '../lib/every-multiple.ts'
import type { PrepareTurns } from '../dispatch/turns/account-turns.ts'
import { prepareCampaign, type PrepareDeps } from './prepare/prepare.ts'
import { Preparing, type Prepare } from './prepare/preparing.ts'
import { LostDialer } from './dialer/session/lost-dialer.ts'
import { loadTrunks, type DialerRow } from './model/campaigns/snapshot.sql.ts'
import type { Writer } from './settle/writer.ts'
import type { Lease } from '../dispatch/statement.ts'
import { lostSince } from './dialer/connection/state.sql.ts'
import { Rounds, type Round } from '../dispatch/rounds/rounds.ts'
import type { LagMeter } from '../dispatch/rounds/lag-meter.ts'
import { LeaseHolder } from '../dispatch/lease/lease-holder.ts'
import { channelPrefix, releaseLease, renew, takeover } from '../dispatch/lease/lease.sql.ts'
import type { Liveness } from '../dispatch/lease/liveness.ts'
import { Loop, tickMs } from './scheduler/loop.ts'
import type { Polls } from './polls.ts'
import { Session } from './dialer/session/session.ts'
import type { TickReport } from './scheduler/tick-report.ts'

const progressMs = 500
const trimMs = 60_000
const unknownCallsMs = 60_000
const unknownCallsMsMin = 2000
const stateMs = 1000
const restingStateMs = 5000
/** A dialer that rests ticks when its settings have changed or it has campaigns, and in any case this often. */
const restingTickMs = 10_000
const testsMs = 500
const recordingsMs = 1000
const soundsMs = 3600_000
const tracesMs = 2000
const symptomsMs = 10_000
/** For how long a dialer that another engine wants may stay here to finish work that would have to start over there. */
const leavesWithinMs = 60_000
/** How long a dialer that is handed over waits at most until its claimed calls have begun and none has begun for a second. */
const calmWithinMs = 2500
const calmEveryMs = 10

export type RunnerContext = Omit<EngineOptions, 'leaseMs'> & {
  leaseMs: number
  reports: EventEmitter<{ tick: [TickReport] }>
  lag: LagMeter
  turns: PrepareTurns
  polls: Polls
  writer: Writer
  liveness: Liveness
}

/** A dialer, and all the work for it while we hold its lease. */
export class DialerRunner {
  readonly #context: RunnerContext
  readonly #holder: LeaseHolder<Lease>
  readonly #session: Session
  readonly #loop: Loop
  readonly #lag: ReturnType<LagMeter['reader']>
  readonly #shutdown = new AbortController()
  readonly #rounds: Rounds
  #running: Promise<unknown> | null = null
  /** The last tick found nothing to do. */
  #isIdle = false
  /** The period of `restingTickMs` that had the last tick. Dialers that rest tick at the same moment, so that they query together. */
  #tickedIn = -1
  readonly #preparing: Preparing
  #handingOver: Promise<void> | null = null
  /** Since when another engine has wanted it. Monotonic. */
  #wantedSince: number | null = null

  private constructor(context: RunnerContext, holder: LeaseHolder<Lease>, session: Session) {
    this.#context = context
    this.#holder = holder
    this.#session = session
    const prepare: Prepare = (campaignId, failures, signal) => {
      const bring: PrepareDeps['bring'] = (sounds, still) => session.speech.bring(sounds, still)
      const deps = { ...context, timeScale: session.timeScale, bring, failures }
      return prepareCampaign(deps, session.lease, campaignId, signal, context.turns)
    }
    this.#lag = context.lag.reader(() => this.#rests)
    this.#preparing = new Preparing(session, prepare)
    this.#loop = new Loop(session, context.polls.scheduler, this.#preparing, this.#lag.read)
    this.#rounds = new Rounds(this.#newRounds(), holder, () => this.#rests, this.#shutdown, session.log)
    context.polls.whenDue(session.lease.dialerId, () => this.#rounds.wake())
  }

  /** Null: another engine has the lease, or this engine does not have the dialer's driver. */
  static async open(context: RunnerContext, dialer: DialerRow): Promise<DialerRunner | null> {
    const { pool, log, engineId, files, speech, clock, dialerSettings, writer, liveness, leaseMs } = context
    const polls = context.polls.dialer
    const driver = context.telephony.find((one) => one.name === dialer.driver)
    if (!driver) return null
    let session: Session | null = null
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
      release: (lease, to) => releaseLease(pool, lease, to),
      hearsOfOthers: () => session?.down === null,
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
      readTrunks: () => context.polls.scheduler.snapshots.readTrunks(dialer.id),
      writer,
    }
    session = new Session(deps, holder, dialer, await loadTrunks(pool, [dialer.id]))
    return new DialerRunner(context, holder, session)
  }

  /** Works for the dialer until the lease is lost or `stop` is called. */
  async run(): Promise<void> {
    const { signal } = this.#shutdown
    this.#session.log.info('this engine dials here')
    const quietMs = this.#holder.quietUntil - performance.now()
    if (quietMs > 0) {
      this.#session.announce()
      await sleep(quietMs, undefined, { signal }).catch(() => undefined)
    }
    if (!signal.aborted) await this.#session.ensureConnected()
    this.#running = this.#rounds.run()
    await this.#running
    if (this.#handingOver) await this.#handingOver
    else if (this.#holder.lost !== null) await this.#close()
  }

  #newRounds(): Round[] {
    const session = this.#session
    const { tests, recordings, changed, symptoms } = session
    const { signal } = this.#shutdown
    const lost = new LostDialer(session, this.#context.goneScale ?? 1)
    const unknownMs = Math.max(unknownCallsMsMin, unknownCallsMs * session.timeScale)
    return [
      { what: 'lost dialer', ms: stateMs, isDue: () => lost.isDue, work: () => lost.round() },
      { what: 'tick', ms: tickMs, isDue: () => this.#isTickDue, work: () => this.#tick() },
      { what: 'progress', ms: progressMs, isDue: () => changed.size > 0, work: () => this.#writeProgress() },
      { what: 'record', ms: trimMs, work: () => session.trimRecord() },
      { what: 'unknown calls', ms: unknownMs, work: () => session.findUnknownCalls() },
      { what: 'state', ms: stateMs, restMs: restingStateMs, work: () => session.keepState() },
      { what: 'tests', ms: testsMs, isDue: () => tests.isDue, work: () => tests.round() },
      { what: 'recordings', ms: recordingsMs, isDue: () => recordings.isDue, work: () => recordings.round(signal) },
      { what: 'SIP messages', ms: tracesMs, isDue: () => session.hasTraces, work: () => session.keepTraces() },
      { what: 'symptoms of trunks', ms: symptomsMs, isDue: () => symptoms.isDue, work: () => symptoms.round() },
      { what: 'sounds', ms: soundsMs, work: () => session.tidySounds() },
    ]
  }

  async #writeProgress(): Promise<void> {
    const { changed, deps, lease } = this.#session
    const ids = [...changed]
    changed.clear()
    let isWritten = false
    try {
      await deps.polls.progress.ask({ lease, campaignIds: ids })
      isWritten = this.#holder.isValid
    } finally {
      if (!isWritten) for (const id of ids) changed.add(id)
    }
  }

  async #tick(): Promise<void> {
    this.#tickedIn = periodOf(restingTickMs)
    const report = await this.#loop.tick()
    this.#isIdle = report.campaigns.length + report.up === 0
    this.#context.reports.emit('tick', report)
    this.#session.log.debug(report, 'tick')
  }

  /** The dialer answers, and there is nothing to do: no call, and nothing in the last tick and poll. */
  get #rests(): boolean {
    const { down, switchboard, changed, lease, tests, hasTrunks } = this.#session
    const isDone = this.#isIdle && changed.size === 0 && hasTrunks && !tests.needsTicks && !this.#loop.hasContractGrants
    return isDone && down === null && switchboard.legs === 0 && !this.#context.polls.isDue(lease.dialerId)
  }

  /** Campaigns that wait for something outside are looked at in each tick, also while the dialer rests. */
  get #isTickDue(): boolean {
    const { scheduler } = this.#context.polls
    const { dialerId } = this.#session.lease
    const isLate = periodOf(restingTickMs) !== this.#tickedIn
    return !this.#rests || isLate || scheduler.waiting.has(dialerId) || scheduler.snapshots.isStale(dialerId)
  }

  get isLeaving(): boolean {
    return this.#handingOver !== null
  }

  /** Whether another engine that wants the dialer may have it now. While work is under way that would have to start over there, it may not, for a limited time. */
  mayLeave(): boolean {
    const now = performance.now()
    this.#wantedSince ??= now
    const isBusy = this.#running === null || this.#preparing.busy || this.#session.isBusy
    return !isBusy || now - this.#wantedSince > leavesWithinMs
  }

  /** No other engine wants it any more. */
  stays(): void {
    this.#wantedSince = null
  }

  /** Hands the dialer over to the engine whose lock is `to`. Calls in progress continue under that engine. */
  handOver(to: number): Promise<void> {
    this.#handingOver ??= this.#handOver(to)
    return this.#handingOver
  }

  async #handOver(to: number): Promise<void> {
    this.#session.log.info({ to }, 'this dialer is handed over to another engine')
    this.#holder.leave()
    await this.#endRounds()
    for (const until = performance.now() + calmWithinMs; !this.#session.isCalm && performance.now() < until;)
      await sleep(calmEveryMs)
    await this.#leave(to)
  }

  async stop(drainMs: number): Promise<void> {
    if (this.#handingOver) return await this.#handingOver
    this.#loop.draining = true
    const { switchboard } = this.#session
    for (const until = performance.now() + drainMs; switchboard.calls.length > 0 && performance.now() < until;)
      await sleep(Math.min(50, drainMs))
    await this.#endRounds()
    await this.#leave(null)
  }

  async #endRounds(): Promise<void> {
    this.#loop.draining = true
    this.#shutdown.abort()
    await this.#running
    await this.#loop.end() // before the calls are dropped: nobody listens to them from then on
  }

  /** Writes what calls have done so far, and releases the lease. The next engine asks the dialer for everything after that. */
  async #leave(to: number | null): Promise<void> {
    const { writer, log, changed, deps, ends } = this.#session
    try {
      await ends.settleAll()
      await writer.flush()
      this.#session.dropCalls()
      await writer.flush()
      await deps.polls.progress.ask({ lease: this.#holder.lease, campaignIds: [...changed] })
    } catch (error) {
      log.error({ error }, 'the last calls could not be written; they will be settled from the record')
    }
    await this.#close()
    await this.#holder.giveUp(to)
  }

  async #close(): Promise<void> {
    this.#session.log.warn({ lost: this.#holder.lost }, 'this engine no longer dials here')
    this.#context.polls.forget(this.#holder.lease.dialerId)
    await this.#loop.end()
    this.#lag.end()
    await this.#session.close()
  }
}
