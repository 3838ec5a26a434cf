import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import type { FilesDriver } from '../../drivers/files/driver.ts'
import type { SpeechDeps } from '../../modules/speech/actions.ts'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { hoursAt } from '../../modules/platform/rules-hours.ts'
import type { DialerConnection, DialerEvent, TelephonyDriver } from '../../drivers/telephony/driver.ts'
import type { Reconciled } from '../recover/adopt.ts'
import type { CallPorts } from '../call/call-ports.ts'
import type { Call } from '../call/call.ts'
import { DialQueue } from '../dial/dial-queue.ts'
import { DialerLink } from './dialer-link.ts'
import type { Claim, Claimed } from '../schedule/claim.sql.ts'
import { lostConnection } from '../dial/lost-connection.ts'
import type { LeaseHolder } from './lease-holder.ts'
import { addressOf, type DialerSettings } from '../trunks/trunk-data.ts'
import { TrunkHealthTracker } from '../trunks/trunk-health.ts'
import { DialerTrunks } from '../trunks/trunks.ts'
import { takeDialerBack } from '../recover/lost-dialer.ts'
import { LiveState } from '../trunks/live-state.ts'
import type { Plan } from '../call/plan.ts'
import { Plans } from '../call/plans.ts'
import type { Recordings } from '../audio/recordings.ts'
import { callEnded, callPortsOf, newCalls } from './calls.ts'
import type { Polls } from './polls.ts'
import type { SpeechCache } from '../audio/speech-cache.ts'
import type { Lease } from '../statement.ts'
import { RecordCheck } from '../invariants/record-check.ts'
import { CallRecovery } from '../recover/call-recovery.ts'
import { Switchboard } from '../dial/switchboard.ts'
import { TrunkTests } from '../trunks/trunk-tests.ts'
import { DialerSounds } from '../audio/dialer-sounds.ts'
import { InvariantMonitor } from '../invariants/monitor.ts'
import type { DialerRow, TrunkRow } from '../schedule/snapshot.sql.ts'
import { Writer } from '../settle/writer.ts'

export type SessionDeps = {
  pool: Pool
  files: FilesDriver
  speech: SpeechDeps
  clock: Clock
  log: Logger
  driver: TelephonyDriver
  dialerSettings: DialerSettings
  /** Null: as fast as the dialer's own calls. */
  timeScale: number | null
  channelPrefix: string
  /** Since when the dialer has been silent, where that began before this engine had it. Null: it answered. */
  lostSince: Date | null
  polls: Polls
}

/**
 * One dialer as long as we hold its lease, in four parts: the link to the dialer, its trunks and caller IDs, the sounds that it plays and records,
 * and its calls. Each part gets of the others what it needs; what the dialer reports is delivered here.
 */
export class Session {
  readonly holder: LeaseHolder<Lease>
  readonly deps: SessionDeps
  readonly log: Logger
  /** Campaigns whose sums have changed since they were last written. */
  readonly changed = new Set<number>()
  /** When campaigns may dial, as the last tick found it. */
  readonly hours = new Map<number, CallingHours>()
  readonly #link: DialerLink
  readonly monitor: InvariantMonitor
  readonly #recordCheck: RecordCheck
  /** Since when the dialer has been running, as far as we know. */
  #upSince: number | null = null

  readonly trunks: DialerTrunks
  readonly health: TrunkHealthTracker
  readonly tests: TrunkTests
  readonly #state: LiveState

  readonly #sounds: DialerSounds
  readonly recordings: Recordings
  readonly speech: SpeechCache

  readonly switchboard = new Switchboard()
  readonly plans: Plans
  /** Claimed and not ringing yet. */
  readonly queue: DialQueue
  readonly writer: Writer
  readonly #recovery: CallRecovery
  /** The same object for all calls. */
  readonly #callPorts: CallPorts
  /** The claim under way. */
  #claiming: Promise<unknown> = Promise.resolve()

  constructor(deps: SessionDeps, holder: LeaseHolder<Lease>, dialer: DialerRow, rows: readonly TrunkRow[]) {
    this.deps = deps
    this.holder = holder
    this.log = deps.log.child({ dialerId: dialer.id, epoch: holder.lease.epoch })
    this.#link = this.#newLink()
    this.monitor = new InvariantMonitor(deps.pool, this.log, this.hours)
    this.#recordCheck = new RecordCheck(deps.pool, this.log, deps.channelPrefix, holder.lease)
    this.trunks = new DialerTrunks(dialer, rows, this.switchboard)
    this.health = this.#newHealth()
    this.tests = this.#newTests()
    this.#state = this.#newState()
    this.#sounds = this.#newSounds()
    this.recordings = this.#sounds.recordings
    this.speech = this.#sounds.speech
    this.plans = new Plans(deps.pool, deps.files)
    this.queue = this.#newQueue()
    this.writer = this.#newWriter()
    this.#recovery = this.#newRecovery()
    this.#callPorts = this.#newCallPorts()
  }

  #newLink(): DialerLink {
    const { deps, holder, log } = this
    const { lostSince } = deps
    return new DialerLink({
      log,
      quietUntil: holder.quietUntil,
      silentMs: lostSince ? Math.max(0, deps.clock.now().getTime() - lostSince.getTime()) : 0,
      open: () => deps.driver.connect(addressOf(this.trunks.dialer, deps.dialerSettings, deps.channelPrefix)),
      connected: (connection) => this.#connected(connection),
      reconnected: (connection) => this.#reconnected(connection),
      failed: (reason) => this.#state.dialerFailed(reason),
      isLeaseLost: () => holder.lost !== null,
    })
  }

  /** What most parts use of each other. */
  get #shared() {
    const { deps, log, lease, trunks, switchboard } = this
    return { pool: deps.pool, log, lease, trunks, switchboard }
  }

  #newHealth(): TrunkHealthTracker {
    const { deps } = this
    return new TrunkHealthTracker({
      ...this.#shared,
      now: () => deps.clock.now().getTime(),
      timeScale: () => this.timeScale,
      recall: (trunkId) => this.queue.recall(trunkId),
      callTestNumber: (trunkId, cli) => this.tests.callNumberOf(trunkId, cli),
    })
  }

  #newTests(): TrunkTests {
    const { deps, holder, monitor, health } = this
    return new TrunkTests({
      ...deps,
      ...this.#shared,
      monitor,
      health,
      connection: () => (holder.safe ? this.#link.up : null),
      down: () => this.down?.reason ?? null,
    })
  }

  #newState(): LiveState {
    const { deps, lease } = this
    return new LiveState({
      ...this.#shared,
      settings: deps.dialerSettings,
      seen: () => deps.polls.seen.ask(lease),
      now: () => deps.clock.now(),
      down: () => this.down,
      returning: () => this.#link.isReturning,
      changed: (trunkId) => this.health.changed(trunkId),
    })
  }

  #newSounds(): DialerSounds {
    const { deps, log, lease, trunks } = this
    return new DialerSounds({
      ...deps,
      log,
      dialerId: lease.dialerId,
      dialerName: () => trunks.dialer.name,
      connection: () => this.#link.up,
      timeScale: () => this.timeScale,
    })
  }

  #newQueue(): DialQueue {
    return new DialQueue({
      dialsAtOnce: () => this.#link.newest?.dialsAtOnce ?? 0,
      beginsNow: (trunkId) => this.trunks.beginsNow(trunkId),
      obstacle: (call) => this.#obstacle(call),
      began: (call) => this.monitor.began(call, this.deps.clock.now()),
    })
  }

  #newWriter(): Writer {
    const { lease, slot, log } = this
    return new Writer({
      db: this.deps.pool,
      lease,
      slot,
      log,
      onSettled: (ended, parked) => {
        for (const one of ended) this.changed.add(one.campaignId)
        if (parked.length > 0) log.error({ parked }, 'outcomes that no table takes are parked')
      },
    })
  }

  #newRecovery(): CallRecovery {
    const { deps, plans, writer, holder } = this
    return new CallRecovery({
      ...this.#shared,
      deps,
      plans,
      writer,
      unproven: () => this.health.unproven.attemptIds,
      ports: () => this.#callPorts,
      connection: () => (this.#link.isClosed || holder.lost !== null ? null : this.#link.connection),
      quietSince: () => holder.quietSince,
      claiming: () => this.#claiming,
      timeScale: () => this.timeScale,
    })
  }

  #newCallPorts(): CallPorts {
    const { monitor, recordings, writer, speech } = this
    return callPortsOf({
      ...this.#shared,
      monitor,
      recordings,
      writer,
      speech,
      soundCache: this.#sounds.cache,
      connection: () => this.#lineOfCalls(),
      carried: (call) => this.health.carried(call),
      ended: (call, end) => callEnded(this, call, end),
      unresolved: (call) => this.#recovery.unresolved(call),
    })
  }

  #lineOfCalls(): DialerConnection | null {
    const { newest } = this.#link
    return newest && this.holder.lost !== null ? lostConnection(newest.speed) : newest
  }

  get lease(): Lease {
    return this.holder.lease
  }

  /** Which rows of counters and income are ours. It is the dialer's number, since one engine at a time has a dialer. */
  get slot(): number {
    return this.holder.lease.dialerId % 32_768
  }

  get timeScale(): number {
    return this.deps.timeScale ?? 1 / (this.#link.connection?.speed ?? 1)
  }

  /** `since`: monotonic. Null: the dialer answers, and calls may begin. */
  get down(): { since: number; reason: string } | null {
    return this.#link.down
  }

  /** The dialer is silent and not about to come back. Outcomes that are settled now contradict no word of the dialer. */
  get gone(): boolean {
    return this.#link.isGone
  }

  /** Connects the dialer if needed, and adopts the calls that live there. Resolves when it is connected, or could not be. */
  ensureConnected(): Promise<void> {
    return this.#link.ensureConnected()
  }

  async #connected(connection: DialerConnection): Promise<void> {
    const open = await this.#recovery.adoptAll()
    connection.onEvents((events) => this.#onEvents(events))
    await this.#state.push(connection)
    const done = await this.#recovery.compare(connection, `dialer connected, ${open} calls were open`)
    this.#sounds.cache.forget()
    await this.#answers(connection, done)
  }

  async #reconnected(connection: DialerConnection): Promise<void> {
    await this.#state.push(connection)
    await this.#answers(connection, await this.#recovery.compare(connection, 'dialer connected again'))
  }

  /** Resolves when calls may begin. A restarted dialer has no sounds any more. */
  async #answers(connection: DialerConnection, done: Reconciled): Promise<void> {
    const upSince = done.upSince ?? (await connection.readRecord(Date.now())).upSince
    if (upSince !== this.#upSince) this.#sounds.cache.forget()
    this.#upSince = upSince
    this.recordings.missedSome()
    await this.keepState() // from now on nobody can give it up, even once it is taken back
    await takeDialerBack(this) // before any call begins
    void this.#recordCheck.prove(connection)
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
        return this.#link.lost(event.reason)
      case 'restored':
        void this.#link.restored()
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
        if (event.type === 'bridgePlaybackEnded' || !this.tests.deliver(event)) this.switchboard.deliver(event)
    }
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
    for (const { call, silent } of await newCalls(this, rows, plan, this.#callPorts, of)) {
      this.switchboard.add(call)
      if (silent === null) this.queue.push(call)
      else call.giveBack(silent)
    }
  }

  #obstacle({ plan }: Call): string | null {
    if (!this.holder.safe || this.#link.isClosed) return 'the lease is about to end'
    const hours = this.hours.get(plan.campaignId)
    return hours && hoursAt(hours, this.deps.clock.now()).open ? null : 'calling hours are over'
  }

  /** Reports changed trunks to the dialer, as soon as it can be reached. */
  pushTrunks(): void {
    const { up } = this.#link
    if (up) this.#state.pushChanges(up)
  }

  /** Stores the state of dialer and trunks, for the screens. */
  async keepState(): Promise<void> {
    await this.#state.keep(this.#link.connection)
  }

  /** Ends calls that must be over although nobody reported their end. */
  checkOverdue(): void {
    if (!this.down) this.#recovery.checkOverdue()
  }

  /** Finds channels and open attempts that belong to no call here. */
  async findUnknownCalls(): Promise<void> {
    const { up } = this.#link
    if (up) await this.#recovery.findUnknownCalls(up)
  }

  async tidySounds(): Promise<void> {
    const { up } = this.#link
    if (up) await this.#sounds.tidy(up)
  }

  /** Lets the dialer forget records of settled calls. */
  async trimRecord(): Promise<void> {
    const { up } = this.#link
    const oldest = Math.min(Date.now(), ...this.switchboard.calls.map((call) => call.attempt.claimedAt))
    if (this.writer.waiting > 0 || !up) return
    await this.#recordCheck.trim(up, oldest - 60_000)
  }

  async close(): Promise<void> {
    const closed = this.#link.close()
    this.writer.close()
    this.queue.close()
    this.health.unproven.drop()
    this.tests.close()
    this.speech.close()
    this.#recovery.close()
    for (const call of this.switchboard.calls) call.drop()
    await closed
  }
}
