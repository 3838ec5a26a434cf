import type { Logger } from 'pino'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { hoursAt } from '../../modules/platform/rules-hours.ts'
import type { DialerConnection, DialerEvent } from '../../drivers/telephony/driver.ts'
import type { Reconciled } from '../recover/adopt.ts'
import type { CallPorts } from '../call/call-ports.ts'
import type { Call } from '../call/call.ts'
import { DialQueue } from '../dial/dial-queue.ts'
import { DownLog } from './down-log.ts'
import type { Claim, Claimed } from '../schedule/claim.sql.ts'
import { lostConnection } from '../dial/lost-connection.ts'
import type { LeaseHolder } from './lease-holder.ts'
import { addressOf } from '../trunks/trunk-data.ts'
import { LineHealth } from '../trunks/trunk-health.ts'
import { Lines } from '../trunks/trunks.ts'
import { takeDialerBack } from '../recover/lost-dialer.ts'
import { LiveState } from '../trunks/live-state.ts'
import type { Plan } from '../call/plan.ts'
import { Plans } from '../call/plans.ts'
import { Recordings } from '../audio/recordings.ts'
import { callEnded, callPortsOf, newCalls } from './session-calls.ts'
import { lostMs, type SessionDeps } from './session-deps.ts'
import { SpeechCache } from '../audio/speech-cache.ts'
import type { Lease } from '../statement.ts'
import { RecordCheck } from '../invariants/record-check.ts'
import { CallRecovery } from '../recover/call-recovery.ts'
import { Switchboard } from '../dial/switchboard.ts'
import { TrunkTests } from '../trunks/trunk-tests.ts'
import { unusedSounds } from '../audio/unused-sounds.sql.ts'
import { SoundCache } from '../audio/sound-cache.ts'
import { InvariantMonitor } from '../invariants/monitor.ts'
import { promptNames } from '../call/plan.sql.ts'
import type { DialerRow, TrunkRow } from '../schedule/snapshot.sql.ts'
import { Writer } from '../settle/writer.ts'
import { messageOf } from '../../lib/error-code.ts'

const reconnectMs = 2000

/**
 * One dialer as long as we hold its lease: its connection, its lines, its calls. It is up, closed, or down: the dialer is silent, calls may go on
 * there, and none begins.
 */
export class Session {
  readonly holder: LeaseHolder<Lease>
  readonly deps: SessionDeps
  readonly switchboard = new Switchboard()
  /** Claimed and not ringing yet. */
  readonly queue: DialQueue
  readonly lines: Lines
  readonly writer: Writer
  readonly log: Logger
  readonly monitor: InvariantMonitor
  readonly tests: TrunkTests
  readonly recordings: Recordings
  readonly plans: Plans
  /** Campaigns whose sums have changed since they were last written. */
  readonly changed = new Set<number>()
  /** When campaigns may dial, as the last tick found it. */
  readonly hours = new Map<number, CallingHours>()
  down: { since: number; reason: string } | null // monotonic, from before we had the dialer where it was lost then
  readonly #recordCheck: RecordCheck
  readonly health: LineHealth
  readonly #state: LiveState
  readonly #soundCache: SoundCache
  readonly speech: SpeechCache
  readonly #recovery: CallRecovery
  /** The same object for all calls. */
  readonly #ports: CallPorts
  #connection: DialerConnection | null = null
  /** The newest connection, even when it is gone: commands of calls are then lost, as they are while a connection breaks. */
  #line: DialerConnection | null = null
  /** Since when the dialer has been running, as far as we know. */
  #upSince: number | null = null
  /** The claim under way. */
  #claiming: Promise<unknown> = Promise.resolve()
  #connecting: Promise<void> | null = null
  #triedAt = -Infinity
  /** The dialer answers, and its calls are being compared with what lives there. */
  #returning = false
  readonly #downLog: DownLog
  #closed = false

  constructor(deps: SessionDeps, holder: LeaseHolder<Lease>, dialer: DialerRow, trunks: readonly TrunkRow[]) {
    this.deps = deps
    this.holder = holder
    this.down = { since: performance.now() - lostMs(deps), reason: 'it is being connected' }
    this.log = deps.log.child({ dialerId: dialer.id, epoch: holder.lease.epoch })
    this.#downLog = new DownLog(this.log)
    this.plans = new Plans(deps.pool, deps.files)
    this.lines = new Lines(dialer, trunks, this.switchboard)
    this.#recordCheck = new RecordCheck(deps.pool, this.log, deps.channelPrefix, holder.lease)
    this.monitor = new InvariantMonitor(deps.pool, this.log, this.hours)
    this.queue = new DialQueue({
      dialsAtOnce: () => this.#line?.dialsAtOnce ?? 0,
      beginsNow: (trunkId) => this.lines.beginsNow(trunkId),
      obstacle: (call) => this.#obstacle(call),
      began: (call) => this.monitor.began(call, deps.clock.now()),
    })
    const { lines, log, switchboard, lease } = this
    const { pool, clock, files, polls } = deps
    this.health = new LineHealth({
      pool,
      log,
      lease,
      lines,
      now: () => clock.now().getTime(),
      timeScale: () => this.timeScale,
      recall: (trunkId) => this.queue.recall(trunkId),
      callTestNumber: (trunkId, cli) => this.tests.callNumberOf(trunkId, cli),
    })
    this.#state = new LiveState({
      pool,
      log,
      lease,
      lines,
      switchboard,
      settings: deps.lines,
      seen: () => polls.seen.ask(lease),
      now: () => clock.now(),
      down: () => this.down,
      returning: () => this.down !== null && this.#returning,
      changed: (trunkId) => this.health.changed(trunkId),
    })
    this.tests = this.#newTests()
    const dialerNow = { line: () => (this.down ? null : this.#connection), timeScale: () => this.timeScale }
    this.recordings = new Recordings({ pool, log, files, polls, dialerId: lease.dialerId, ...dialerNow })
    this.#soundCache = new SoundCache({
      log,
      now: () => clock.now(),
      promptName: (id) => promptNames(pool, [id]),
      ...dialerNow,
    })
    const itself = { dialerName: () => lines.dialer.name, timeScale: () => this.timeScale }
    this.speech = new SpeechCache({ ...deps, ...itself, log, soundCache: this.#soundCache })
    this.writer = new Writer({
      db: deps.pool,
      lease: holder.lease,
      slot: this.slot,
      log: this.log,
      onSettled: (ended, parked) => {
        for (const one of ended) this.changed.add(one.campaignId)
        if (parked.length > 0) this.log.error({ parked }, 'outcomes that no table takes are parked')
      },
    })
    this.#recovery = this.#makeRecovery()
    this.#ports = this.#makePorts()
  }

  #newTests(): TrunkTests {
    const { deps, log, lease, lines, switchboard, holder, monitor, health } = this
    return new TrunkTests({
      ...deps,
      log,
      lease,
      lines,
      switchboard,
      monitor,
      health,
      line: () => (this.down || !holder.safe ? null : this.#connection),
      down: () => this.down?.reason ?? null,
    })
  }

  get lease(): Lease {
    return this.holder.lease
  }

  /** Which rows of counters and income are ours. It is the dialer's number, since one engine at a time has a dialer. */
  get slot(): number {
    return this.holder.lease.dialerId % 32_768
  }

  get timeScale(): number {
    return this.deps.timeScale ?? 1 / (this.#connection?.speed ?? 1)
  }

  /** The dialer is silent, a connection was tried, and it is not about to come back. Outcomes that are settled now contradict no word of the dialer. */
  get gone(): boolean {
    return this.down !== null && this.#triedAt > -Infinity && !this.#returning
  }

  /** Connects the dialer if needed, and adopts the calls that live there. Resolves when it is connected, or could not be. */
  async ensureConnected(): Promise<void> {
    if (this.#connecting) return this.#connecting
    if (
      this.#connection ||
      this.#closed ||
      performance.now() < this.holder.quietUntil ||
      performance.now() - this.#triedAt < reconnectMs
    )
      return
    this.#triedAt = performance.now()
    this.#connecting = this.#connect()
      .catch(async (error: unknown) => {
        const failed = this.#connection
        this.#connection = null
        this.#wentDown(messageOf(error), error)
        await failed?.close() // otherwise the next connection would seem to have taken the dialer from it
      })
      .finally(() => {
        this.#connecting = null
        this.#returning = false
      })
    await this.#connecting
  }

  /** Claimed calls ring as soon as the calls per second allow. A reader of open attempts waits for a claim under way. */
  async claim(plan: Plan, claim: () => Promise<Claim>, probe: boolean): Promise<Claim> {
    if (this.down || !this.holder.safe) return { calls: [], putOff: null }
    const askedMono = performance.now()
    const claiming = claim().then(async (claimed) => {
      await this.#begin(claimed.calls, plan, { probe, askedMono })
      return claimed
    })
    this.#claiming = claiming.catch(() => undefined)
    return claiming
  }

  async #begin(rows: readonly Claimed[], plan: Plan, of: { probe: boolean; askedMono: number }): Promise<void> {
    for (const { call, silent } of await newCalls(this, rows, plan, this.#ports, of)) {
      this.switchboard.add(call)
      if (silent === null) this.queue.push(call)
      else call.giveBack(silent)
    }
  }

  #obstacle({ plan }: Call): string | null {
    if (!this.holder.safe || this.#closed) return 'the lease is about to end'
    const hours = this.hours.get(plan.campaignId)
    return hours && hoursAt(hours, this.deps.clock.now()).open ? null : 'calling hours are over'
  }

  /** Reports changed trunks to the dialer, as soon as it can be reached. */
  tellTrunks(): void {
    if (this.#connection && !this.down) this.#state.tellChanges(this.#connection)
  }

  /** Stores the state of dialer and trunks, for the screens. */
  async keepState(): Promise<void> {
    await this.#state.keep(this.#connection)
  }

  /** Ends calls that must be over although nobody reported their end. */
  checkOverdue(): void {
    if (!this.down) this.#recovery.checkOverdue()
  }

  /** Finds channels and open attempts that belong to no call here. */
  async findUnknownCalls(): Promise<void> {
    if (this.#connection && !this.down) await this.#recovery.findUnknownCalls(this.#connection)
  }

  /** Removes sounds from the dialer that nothing uses any more. They would be proven again. */
  async tidySounds(): Promise<void> {
    if (!this.#connection || this.down) return
    const removed = await this.#connection.tidySounds((hashes) => unusedSounds(this.deps.pool, hashes))
    this.#soundCache.doubt(removed.map((hash) => ({ hash })))
    if (removed.length > 0) this.log.info({ removed: removed.length }, 'sounds that nobody uses were removed')
  }

  /** Lets the dialer forget records of settled calls. */
  async trimRecord(): Promise<void> {
    const oldest = Math.min(Date.now(), ...this.switchboard.calls.map((call) => call.attempt.claimedAt))
    if (this.writer.waiting > 0 || this.down || !this.#connection) return
    await this.#recordCheck.trim(this.#connection, oldest - 60_000)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.writer.close()
    this.queue.close()
    this.health.unproven.drop()
    this.tests.close()
    this.speech.close()
    this.#recovery.close()
    for (const call of this.switchboard.calls) call.drop()
    await this.#connecting
    await this.#connection?.close()
  }

  async #connect(): Promise<void> {
    const { driver, lines, channelPrefix } = this.deps
    const connection = await driver.connect(addressOf(this.lines.dialer, lines, channelPrefix))
    if (this.#closed) return await connection.close()
    this.#connection = connection
    this.#line = connection
    this.#returning = true
    const open = await this.#recovery.adoptAll()
    connection.onEvents((events) => this.#onEvents(events))
    await this.#state.tell(connection)
    const done = await this.#recovery.compare(connection, `dialer connected, ${open} calls were open`)
    this.#soundCache.forget()
    await this.#isUp(connection, done)
  }

  /** Calls may begin. A restarted dialer has no sounds any more. */
  async #isUp(connection: DialerConnection, done: Reconciled): Promise<void> {
    const upSince = done.upSince ?? (await connection.readRecord(Date.now())).upSince
    if (upSince !== this.#upSince) this.#soundCache.forget()
    this.#upSince = upSince
    this.recordings.missedSome()
    await this.keepState() // from now on nobody can give it up, even once it is taken back
    await takeDialerBack(this) // before any call begins
    this.down = null
    this.#downLog.answers()
    void this.#recordCheck.prove(connection)
  }

  #wentDown(reason: string, error?: unknown): void {
    this.down = { since: this.down?.since ?? performance.now(), reason }
    this.#state.dialerFailed(reason)
    this.#downLog.failed(reason, error)
  }

  #onEvents(events: readonly DialerEvent[]): void {
    for (const event of events) {
      try {
        this.#onEvent(event)
      } catch (error) {
        this.log.error({ error, event }, 'an event of the dialer could not be carried out')
      }
    }
  }

  #onEvent(event: DialerEvent): void {
    switch (event.type) {
      case 'lost':
        return this.#wentDown(event.reason)
      case 'restored':
        void this.#restored()
        break
      case 'replaced':
        this.holder.lose('another client took the dialer over')
        break
      case 'recordingEnded':
        this.recordings.ended(event.recordingId).catch((error: unknown) => {
          this.log.error({ error, event }, 'the end of a recording could not be written down, the next sweep does it')
        })
        break
      default:
        if (!this.tests.deliver(event)) this.switchboard.deliver(event)
    }
  }

  async #restored(): Promise<void> {
    const connection = this.#connection
    if (!connection || this.#closed || this.holder.lost !== null) return
    this.#returning = true
    try {
      await this.#state.tell(connection)
      await this.#isUp(connection, await this.#recovery.compare(connection, 'dialer connected again'))
    } catch (error) {
      this.log.error({ error }, 'after a gap the dialer could not be asked, connecting anew')
      await connection.close()
      this.#connection = null
      void this.ensureConnected()
    } finally {
      this.#returning = this.#connecting !== null && this.#connection !== null
    }
  }

  #makeRecovery(): CallRecovery {
    const { deps, log, lease, switchboard, plans, writer } = this
    return new CallRecovery({
      deps,
      log,
      lease,
      switchboard,
      plans,
      writer,
      unproven: () => this.health.unproven.attemptIds,
      ports: () => this.#ports,
      line: () => (this.#closed || this.holder.lost !== null ? null : this.#connection),
      quietSince: () => this.holder.quietSince,
      claiming: () => this.#claiming,
      timeScale: () => this.timeScale,
    })
  }

  #makePorts(): CallPorts {
    const { lines, switchboard, monitor, recordings, writer, log } = this
    return callPortsOf({
      pool: this.deps.pool,
      lease: this.lease,
      soundCache: this.#soundCache,
      speech: this.speech,
      log,
      lines,
      switchboard,
      monitor,
      recordings,
      writer,
      line: () => (this.#line && this.holder.lost !== null ? lostConnection(this.#line.speed) : this.#line),
      carried: (call) => this.health.carried(call),
      ended: (call, end) => callEnded(this, call, end),
      doubtful: (call) => this.#recovery.doubtful(call),
    })
  }
}
