import type { Logger } from 'pino'
import type { Pool } from 'pg'
import type { Clock } from '../clock.ts'
import { hoursAt, type CallingHours } from '../modules/platform/rules-hours.ts'
import type { FilesDriver } from '../drivers/files/driver.ts'
import type { DialerConnection, DialerEvent, TelephonyDriver } from '../drivers/telephony/driver.ts'
import { reconcile, type Reconciled } from './adopt.ts'
import { Call, type Attempt, type CallEnd, type CallPorts } from './call.ts'
import { DialQueue } from './dial-queue.ts'
import type { Ending, TrunkSign } from './disposition.ts'
import { openAttempts, type OpenAttempt } from './dispatch-lease.sql.ts'
import { extend, releaseAgent, takeAgent } from './dispatch-money.sql.ts'
import type { LeaseHolder } from './lease-holder.ts'
import { Lines, type HealthChange } from './lines.ts'
import { bookingOf, causeOf, endingOfCall } from './outcome.ts'
import { planOf, type Plan } from './plan.ts'
import { storeRecording } from './recordings.ts'
import { SavedCall } from './saved-call.ts'
import type { Lease } from './statement.ts'
import { Switchboard } from './switchboard.ts'
import { Watch } from './watch.ts'
import { liftHold, raiseAlert, saveHold, tellLost, type DialerRow, type TrunkRow } from './world.sql.ts'
import { words } from './words.ts'
import { Writer } from './writer.ts'

export type SessionDeps = {
  pool: Pool
  files: FilesDriver
  clock: Clock
  log: Logger
  driver: TelephonyDriver
  /** Null: as fast as the dialer's own calls pass. */
  timeScale: number | null
  channelPrefix: string
}

const reconnectMs = 2000
/** What may have rung is asked for when the request's own deadline has passed. */
const doubtMs = 2000

/**
 * One dialer as long as its lease is ours: its connection, its lines, its calls.
 * - down: nothing is heard of the dialer; calls may go on there, none begins      - up     - closed
 */
export class Session {
  readonly holder: LeaseHolder
  readonly deps: SessionDeps
  readonly switchboard = new Switchboard()
  readonly lines: Lines
  readonly writer: Writer
  readonly log: Logger
  readonly watch: Watch
  /** Campaigns whose sums have changed since they were last written. */
  readonly changed = new Set<number>()
  /** When campaigns may dial, as the last tick found it. */
  readonly hours = new Map<number, CallingHours>()
  down: { since: number; reason: string } | null = { since: performance.now(), reason: 'it is being connected' }
  readonly #plans = new Map<number, Promise<Plan>>()
  readonly #recordings = new Map<string, { attemptId: number; campaignId: number }>()
  readonly #dialQueue: DialQueue
  /** The same for all calls. */
  readonly #ports: CallPorts
  #connection: DialerConnection | null = null
  /** The newest connection, though it may be gone: what calls tell it then is lost, as while it lasts. */
  #line: DialerConnection | null = null
  #connecting: Promise<void> | null = null
  #triedAt = -Infinity
  #closed = false

  constructor(deps: SessionDeps, holder: LeaseHolder, dialer: DialerRow, trunks: readonly TrunkRow[]) {
    this.deps = deps
    this.holder = holder
    this.log = deps.log.child({ dialerId: dialer.id, epoch: holder.lease.epoch })
    this.lines = new Lines(dialer, trunks, this.switchboard)
    this.watch = new Watch(deps.pool, this.log, this.hours)
    this.#dialQueue = new DialQueue({
      beginsNow: (trunkId) => this.lines.beginsNow(trunkId),
      obstacle: (call) => this.#obstacle(call),
      began: (call) => this.watch.began(call, deps.clock.now()),
    })
    this.#ports = this.#makePorts()
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
  }

  get lease(): Lease {
    return this.holder.lease
  }

  /** Which rows of counters and income are ours: the dialer's number, since one engine at a time has it. */
  get slot(): number {
    return this.holder.lease.dialerId % 32_768
  }

  get timeScale(): number {
    return this.deps.timeScale ?? 1 / (this.#connection?.speed ?? 1)
  }

  /** Loaded once; `forgetPlan` when it is another one. */
  plan(campaignId: number): Promise<Plan> {
    const known = this.#plans.get(campaignId)
    if (known) return known
    const plan = planOf(this.deps.pool, this.deps.files, campaignId)
    this.#plans.set(campaignId, plan)
    plan.catch(() => this.#plans.delete(campaignId))
    return plan
  }

  forgetPlan(campaignId: number): void {
    this.#plans.delete(campaignId)
  }

  /** Connects when it is not, and adopts what lives there. Resolves when it is, or could not be. */
  async ensureConnected(): Promise<void> {
    if (this.#connecting) return this.#connecting
    if (this.#connection || this.#closed || performance.now() - this.#triedAt < reconnectMs) return
    this.#triedAt = performance.now()
    this.#connecting = this.#connect()
      .catch(async (error: unknown) => {
        const failed = this.#connection
        this.#connection = null
        this.#wentDown(error instanceof Error ? error.message : String(error))
        this.log.warn({ error }, 'the dialer cannot be connected')
        await failed?.close() // else the next one would be told to have taken the dialer from it
      })
      .finally(() => (this.#connecting = null))
    await this.#connecting
  }

  /** What was claimed rings as soon as the calls per second allow, at the latest when the tick's time is over. */
  begin(attempt: Attempt, plan: Plan, probe: boolean): void {
    const call = new Call(attempt, plan, this.#ports, probe)
    this.switchboard.add(call)
    this.#dialQueue.push(call)
  }

  /** Claimed and not rung yet, by trunk. */
  get queued(): Map<number, number> {
    return this.#dialQueue.byTrunk
  }

  #obstacle({ plan }: Call): string | null {
    if (!this.holder.safe || this.#closed) return 'the lease is about to end'
    const hours = this.hours.get(plan.campaignId)
    return hours && hoursAt(hours, this.deps.clock.now()).open ? null : 'calling hours are over'
  }

  async setTrunks(): Promise<void> {
    // Address and credentials of an operator's trunk come with the administration of lines; the simulated network knows trunks by their names.
    const unset = { host: '', port: 5060, transport: 'udp' as const, user: '', secret: '', codecs: ['alaw', 'ulaw'] }
    await this.#connection?.setTrunks(this.lines.trunkNames.map((name) => ({ name, ...unset })))
  }

  /** Calls that must have ended and whose end nobody told. */
  checkOverdue(): void {
    const now = performance.now()
    const overdue = this.switchboard.calls.filter((call) => call.overdueAt < now)
    if (overdue.length > 0 && !this.down) this.#reconcile(overdue, 'overdue calls')
  }

  /** The dialer may forget what is settled. */
  async trimRecord(): Promise<void> {
    const oldest = Math.min(Date.now(), ...this.switchboard.calls.map((call) => call.attempt.claimedAt))
    if (this.writer.waiting === 0 && !this.down) await this.#connection?.trimRecord(oldest - 60_000)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.writer.close()
    this.#dialQueue.close()
    for (const call of this.switchboard.calls) call.drop()
    await this.#connecting
    await this.#connection?.close()
  }

  async #connect(): Promise<void> {
    const { host, port } = this.lines.dialer
    const connection = await this.deps.driver.connect({ host, port, user: '', secret: '' })
    if (this.#closed) {
      await connection.close()
      return
    }
    this.#connection = connection
    this.#line = connection
    const open = await openAttempts(this.deps.pool, this.lease.dialerId)
    for (const attempt of open)
      if (!this.switchboard.has(attempt.channel_id)) this.switchboard.add(await this.#adopted(attempt))
    connection.onEvents((events) => this.#onEvents(events))
    await this.setTrunks()
    const done = await reconcile(this.switchboard.calls, connection, (id) => this.#isOrphan(id))
    this.#reconciled(done, `dialer connected, ${open.length} calls were open`)
    this.down = null
  }

  #isOrphan(channelId: string): boolean {
    return channelId.startsWith(this.deps.channelPrefix) && !this.switchboard.has(channelId)
  }

  async #adopted(open: OpenAttempt): Promise<Call> {
    const attempt: Attempt = {
      id: open.id,
      channelId: open.channel_id,
      no: open.no,
      number: `+${open.phone}`,
      attemptNo: open.attempt_no,
      congestions: open.congestions,
      failures: open.failures,
      reservedPaisa: open.reserved_paisa,
      claimedAt: open.started_at.getTime(),
    }
    const call = new Call(attempt, await this.plan(open.campaign_id), this.#ports)
    call.adopted()
    if (open.answered_at) call.restore(open.answered_at.getTime(), open.keys ?? '', SavedCall.parse(open.state))
    return call
  }

  #wentDown(reason: string): void {
    this.down = { since: this.down?.since ?? performance.now(), reason }
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
        this.#wentDown(event.reason)
        break
      case 'restored':
        void this.#restored()
        break
      case 'replaced':
        this.holder.lose('another client took the dialer over')
        break
      case 'recordingEnded':
        void this.#recorded(event.recordingId, event.durationMs)
        break
      default:
        this.switchboard.deliver(event)
    }
  }

  async #restored(): Promise<void> {
    const connection = this.#connection
    if (!connection || this.#closed) return
    try {
      await this.setTrunks()
      const done = await reconcile(this.switchboard.calls, connection, (id) => this.#isOrphan(id))
      this.#reconciled(done, 'dialer connected again')
      this.down = null
    } catch (error) {
      this.log.error({ error }, 'after a gap the dialer could not be asked, connecting anew')
      await connection.close()
      this.#connection = null
      void this.ensureConnected()
    }
  }

  #reconcile(calls: readonly Call[], what: string): void {
    const connection = this.#connection
    if (!connection || this.#closed) return
    for (const call of calls) call.overdueAt = performance.now() + 60_000
    reconcile(calls, connection, null).then(
      (done) => this.#reconciled(done, `${calls.length} ${what}`),
      (error: unknown) => this.log.error({ error }, `${what} could not be asked for`),
    )
  }

  #reconciled({ lost, ...done }: Reconciled, what: string): void {
    const calls = [...lost.values()].reduce((sum, n) => sum + n, 0)
    this.log.info({ ...done, lost: calls }, what)
    const texts = new Map([...lost].map(([campaignId, n]) => [campaignId, words.lost(n)]))
    tellLost(this.deps.pool, this.lease, texts).catch((error: unknown) =>
      this.log.error({ error, lost: [...lost] }, 'lost calls could not be told'),
    )
  }

  async #recorded(recordingId: string, durationMs: number): Promise<void> {
    const recorded = this.#recordings.get(recordingId)
    const connection = this.#connection
    if (!recorded || !connection) return
    this.#recordings.delete(recordingId)
    try {
      await storeRecording(this.deps.pool, this.deps.files, connection, { recordingId, durationMs, ...recorded })
    } catch (error) {
      this.log.error({ error, ...recorded }, 'a recording could not be stored')
      await raiseAlert(this.deps.pool, 'recording', `attempt ${recorded.attemptId}`, String(error))
    }
  }

  #makePorts(): CallPorts {
    const { pool } = this.deps
    const lineNow = (): DialerConnection => {
      if (!this.#line) throw new Error('the dialer was never connected')
      return this.#line
    }
    return {
      get line() {
        return lineNow()
      },
      epoch: this.lease.epoch,
      save: (step) => this.writer.save(step),
      carried: (call) => this.#observed(call, 'good', ''),
      ended: (call, end) => this.#ended(call, end),
      doubtful: (call) => {
        setTimeout(() => this.#reconcile([call], 'a call that may have rung'), doubtMs)
      },
      failed: (call, what, error) => this.log.error({ error, attemptId: call.attempt.id }, what),
      takeLeg: (call, channelId) => {
        if (!this.lines.legFree(call.plan.line.trunkId)) return false
        this.switchboard.addLeg(call, channelId)
        this.lines.legBegins(call.plan.line.trunkId)
        this.watch.leg('legBegan', call)
        return true
      },
      freeLeg: (call, channelId) => {
        this.switchboard.removeLeg(call, channelId)
        this.watch.leg('legEnded', call)
      },
      takeAgent: (call, number) => takeAgent(pool, this.lease, Number(number.slice(1)), call.attempt.id),
      freeAgent: (call, number) =>
        releaseAgent(pool, this.lease, Number(number.slice(1)), call.attempt.id).catch((error: unknown) =>
          this.log.error({ error }, 'an agent stays busy until the call is settled'),
        ),
      extend: (call, paisa) => extend(pool, this.lease, call.attempt.id, paisa),
      recording: ({ attempt, plan }, recordingId) =>
        this.#recordings.set(recordingId, { attemptId: attempt.id, campaignId: plan.campaignId }),
    }
  }

  /** Both legs are over: what it is called, when its row may be dialled again, and what it says about the trunk. */
  #ended(call: Call, end: CallEnd): void {
    this.switchboard.remove(call)
    const ending = endingOfCall(end, this.lines.rulesOf(call.plan.line.trunkId))
    const isFault = ending ? this.#observe(call, end, ending) : false
    const booking = bookingOf(call, end, ending, isFault, this.timeScale)
    this.writer.settle(booking)
    this.watch.ended(call, booking, end.reservedPaisa)
  }

  #observe(call: Call, end: CallEnd, ending: Ending): boolean {
    const { trunkId } = call.plan.line
    if (call.probe) this.lines.probing(trunkId, false)
    if (ending.disposition === 'CANCEL' || end.fromRecord) return false
    if (call.carried && ending.sign === 'good') return false // said when it rang
    return this.#observed(call, ending.sign, causeOf(end))
  }

  /** Is it a fault of the trunk's? */
  #observed(call: Call, sign: TrunkSign, cause: string): boolean {
    const { attempt, plan } = call
    const { trunkId } = plan.line
    const { isFault, change } = this.lines.observe(trunkId, sign, {
      redial: attempt.congestions + attempt.failures > 0,
      probe: call.probe,
      cause,
      now: this.deps.clock.now().getTime(),
      timeScale: this.timeScale,
    })
    if (change?.held) this.#dialQueue.recall(trunkId)
    if (change) void this.#keepHealth(change)
    return isFault
  }

  async #keepHealth({ trunkId, held }: HealthChange): Promise<void> {
    const { pool } = this.deps
    this.log.warn({ trunkId, held }, held ? 'trunk on hold' : 'trunk carries calls again')
    try {
      if (!held) await liftHold(pool, this.lease, trunkId)
      else {
        const { since, reason, refusing, probes, nextProbeAt } = held
        await saveHold(pool, this.lease, {
          trunkId,
          reason,
          refusing,
          probes,
          since: new Date(since),
          nextProbeAt: new Date(nextProbeAt),
        })
      }
    } catch (error) {
      this.log.error({ error, trunkId }, 'the state of a trunk could not be kept')
    }
  }
}
