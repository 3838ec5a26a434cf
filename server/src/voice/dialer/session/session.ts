import type { Logger } from 'pino'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import type { DialerAddress, DialerConnection } from '../../../drivers/telephony/driver.ts'
import { DialerSounds } from '../audio/dialer-sounds.ts'
import { Switchboard } from '../call/switchboard.ts'
import { InvariantMonitor } from '../../invariants/monitor.ts'
import { RecordCheck } from '../../invariants/record-check.ts'
import type { Reconciled } from '../recover/adopt.ts'
import { takeDialerBack } from './lost-dialer.ts'
import type { DialerRow, TrunkRow } from '../../model/campaigns/snapshot.sql.ts'
import type { Lease } from '../../../dispatch/statement.ts'
import { SymptomCounter } from '../symptoms/symptom-counter.ts'
import { addressOf } from '../../model/calls/trunk-data.ts'
import { DialerEvents } from './dialer-events.ts'
import { DialerLink, type LinkedDialer } from '../connection/dialer-link.ts'
import type { LeaseHolder } from '../../../dispatch/lease/lease-holder.ts'
import type { SessionContext, SessionDeps } from '../connection/session-context.ts'
import { SessionCalls } from './session-calls.ts'
import { SessionTrunks } from './session-trunks.ts'

/**
 * One dialer as long as we hold its lease, in four parts: the link to the dialer, its trunks and caller IDs, the sounds that it plays and records,
 * and its calls. Each part gets of the others what it needs; DialerEvents delivers to them what the dialer reports.
 */
export class Session {
  readonly holder: LeaseHolder<Lease>
  readonly deps: SessionDeps
  readonly log: Logger
  readonly hours = new Map<number, CallingHours>()
  readonly monitor: InvariantMonitor
  readonly switchboard = new Switchboard()
  readonly symptoms: SymptomCounter
  readonly #link: DialerLink
  readonly #trunks: SessionTrunks
  readonly #sounds: DialerSounds
  readonly #calls: SessionCalls
  readonly #recordCheck: RecordCheck
  readonly #events: DialerEvents
  /** Since when the dialer has been running, as far as we know. */
  #upSince: number | null = null

  constructor(deps: SessionDeps, holder: LeaseHolder<Lease>, dialer: DialerRow, rows: readonly TrunkRow[]) {
    this.deps = deps
    this.holder = holder
    this.log = deps.log.child({ dialerId: dialer.id, epoch: holder.lease.epoch })
    this.monitor = new InvariantMonitor(deps.pool, this.log, this.hours, holder.lease.dialerId)
    this.symptoms = new SymptomCounter({ pool: deps.pool, lease: holder.lease })
    this.#link = this.#newLink()
    const context: SessionContext = {
      deps,
      log: this.log,
      holder,
      link: this.#link,
      switchboard: this.switchboard,
      monitor: this.monitor,
      symptoms: this.symptoms,
      hours: this.hours,
      timeScale: () => this.timeScale,
    }
    this.#trunks = new SessionTrunks(context, dialer, rows)
    this.#sounds = this.#newSounds()
    this.#calls = new SessionCalls(context, this.#trunks, this.#sounds, this.slot)
    this.#recordCheck = new RecordCheck(deps.pool, this.log, deps.channelPrefix, holder.lease)
    this.#events = new DialerEvents(context, this.recordings, this.tests, () => this.#ends())
  }

  #newLink(): DialerLink {
    const { deps, holder, log } = this
    const { lostSince } = deps
    const silentMs = lostSince ? Math.max(0, deps.clock.now().getTime() - lostSince.getTime()) : 0
    const dialer: LinkedDialer = {
      open: () => deps.driver.connect(this.#address()),
      connected: (connection) => this.#connected(connection),
      reconnected: (connection) => this.#reconnected(connection),
      failed: (reason) => this.#trunks.dialerFailed(reason),
    }
    return new DialerLink(dialer, holder, log, silentMs)
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
      recordingsDue: () => deps.polls.recordings.has(lease.dialerId),
    })
  }

  get trunks(): SessionTrunks['trunks'] {
    return this.#trunks.trunks
  }

  get health(): SessionTrunks['health'] {
    return this.#trunks.health
  }

  get tests(): SessionTrunks['tests'] {
    return this.#trunks.tests
  }

  get recordings(): DialerSounds['recordings'] {
    return this.#sounds.recordings
  }

  get farewell(): DialerSounds['farewell'] {
    return this.#sounds.farewell
  }

  get speech(): DialerSounds['speech'] {
    return this.#sounds.speech
  }

  get plans(): SessionCalls['plans'] {
    return this.#calls.plans
  }

  get queue(): SessionCalls['queue'] {
    return this.#calls.queue
  }

  get yieldedRows(): SessionCalls['yieldedRows'] {
    return this.#calls.yieldedRows
  }

  get writer(): SessionCalls['writer'] {
    return this.#calls.writer
  }

  get ends(): SessionCalls['ends'] {
    return this.#calls.ends
  }

  get changed(): Set<number> {
    return this.#calls.changed
  }

  get lease(): Lease {
    return this.holder.lease
  }

  /** Which rows of counters and income are ours: those of the dialer's number, since one engine at a time leads a dialer. */
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

  /** It is silent and not about to come back, so an outcome that is settled now contradicts nothing that it reported. */
  get gone(): boolean {
    return this.#link.isGone
  }

  #address(): DialerAddress {
    return addressOf(this.trunks.dialer, this.deps.dialerSettings, this.deps.channelPrefix)
  }

  /** Tells the dialer that its calls are taken over soon. */
  announce(): void {
    const { driver } = this.deps
    driver.announce?.(this.#address()).catch((error: unknown) => this.log.info({ error }, 'the dialer was not told'))
  }

  /** Connects the dialer if needed, and adopts the calls that live there. Resolves when it is connected, or could not be. */
  ensureConnected(): Promise<void> {
    return this.#link.ensureConnected()
  }

  async #connected(connection: DialerConnection): Promise<void> {
    const open = await this.#calls.adoptAll()
    this.#events.listenTo(connection)
    await this.#trunks.push(connection)
    const done = await this.#calls.compare(connection, `dialer connected, ${open} calls were open`)
    this.#sounds.cache.forget()
    await this.#answers(connection, done)
  }

  async #reconnected(connection: DialerConnection): Promise<void> {
    await this.#trunks.push(connection)
    await this.#answers(connection, await this.#calls.compare(connection, 'dialer connected again'))
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

  /** Makes calls over the trunk of what `claim` answers, unless none may begin. */
  readonly claim: SessionCalls['claim'] = (plan, claim, of) => this.#calls.claim(plan, claim, of)

  /** The dialer has the settings of its trunks; otherwise they are pushed in a tick. */
  get hasTrunks(): boolean {
    return this.#trunks.arePushed
  }

  pushTrunks(): void {
    this.#trunks.pushChanges()
  }

  keepState(): Promise<void> {
    return this.#trunks.keepState()
  }

  checkOverdue(): void {
    this.#calls.checkOverdue()
  }

  findUnknownCalls(): Promise<void> {
    return this.#calls.findUnknownCalls()
  }

  async tidySounds(): Promise<void> {
    const { up } = this.#link
    if (up) await this.#sounds.tidy(up)
  }

  /** Calls have ended whose SIP messages may be kept, or it is time to read the dialer's log of them. */
  get hasTraces(): boolean {
    return this.#events.hasTraces
  }

  keepTraces(): Promise<void> {
    return this.#events.keepTraces()
  }

  /** Lets the dialer forget records of settled calls. */
  async trimRecord(): Promise<void> {
    const { up } = this.#link
    const oldest = Math.min(Date.now(), ...this.switchboard.calls.map((call) => call.attempt.claimedAt))
    if (this.writer.waiting > 0 || !up) return
    await this.#recordCheck.trim(up, oldest - 60_000)
  }

  /** A comparison of its calls or a trunk's test is under way, which the next engine would have to start over. */
  get isBusy(): boolean {
    return this.#link.isReturning || this.tests.busy
  }

  /** No call is about to begin, and none began in the last second, so that the next engine may begin as many as the rate allows. */
  get isCalm(): boolean {
    return !this.queue.busy && this.trunks.begunLately(null) === 0
  }

  /** At once, so that no command of ours meets the next engine's, and no connection of ours takes the dialer from it. */
  #ends(): void {
    this.dropCalls()
    this.#link
      .close()
      .catch((error: unknown) => this.log.warn({ error }, 'the connection to the dialer could not be closed'))
  }

  /** Whatever the dialer still reports of calls is for the next engine. */
  dropCalls(): void {
    for (const call of this.switchboard.calls) call.drop()
  }

  async close(): Promise<void> {
    const closed = this.#link.close()
    this.#calls.close()
    this.#events.close()
    this.#trunks.close()
    this.speech.close()
    this.dropCalls()
    await closed
  }
}
