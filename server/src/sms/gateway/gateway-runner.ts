import type { Logger } from 'pino'
import type {
  GatewayEvents,
  IncomingMessage,
  LateAnswer,
  Receipt,
  SmsGateway,
  Submitted,
  UnmarkedReceipt,
} from '../../drivers/sms/driver.ts'
import { idKey } from '../../drivers/sms/driver.ts'
import type { LeaseHolder } from '../../dispatch/lease/lease-holder.ts'
import { takeIn } from '../inbox/inbox.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import type { ClaimedMessage } from '../model/claim.sql.ts'
import type { SmsContext } from './context.ts'
import { GatewayTests } from './gateway-tests.ts'
import type { SmsLease } from '../model/lease.sql.ts'
import { giveUpLease, runRounds, takeLease } from './leased.ts'
import { cutOff, lateOf, neverSent, outcomeOf } from '../settle/outcome.ts'
import { noteNotUnderstood } from '../settle/not-understood.sql.ts'
import { forgetReceipts, matchEarlyReceipts, matchInOtherBase, type FinalReceipt } from '../settle/receipts.sql.ts'
import { Sending, type Taken } from './sending.ts'
import { openMessages } from '../settle/unknown.sql.ts'
import { sortUnmarked } from '../settle/unmarked.ts'
import { words } from '../model/words.ts'
import { keepGatewayState, loadGatewayState, type GatewayNews, type GatewayRow } from '../model/snapshot.sql.ts'
import { MessageWriter } from '../settle/writer.ts'

const tickMs = 250
const stateMs = 1000
const testsMs = 500
const earlyMs = 1000
const unresolvedMs = 10_000
const oldReceiptsMs = 60_000
const unknownTogetherMs = 1000
/** How long a gateway may be without a connection before a person must look. */
const unboundMs = 60_000

/** A gateway, and all the work for it while we hold its lease. */
export class GatewayRunner {
  readonly row: GatewayRow
  readonly #context: SmsContext
  readonly #holder: LeaseHolder<SmsLease>
  readonly #writer: MessageWriter
  readonly #circuitBreaker: CircuitBreaker
  readonly #log: Logger
  readonly #shutdown = new AbortController()
  /** What was sent to the gateway and is not answered, in segments. */
  readonly #pending = new Map<number, ClaimedMessage>()
  #pendingSegments = 0
  #gateway: SmsGateway | null = null
  #unknownAt = -Infinity
  #running: Promise<void> | null = null
  /** Our open messages that nobody here knows, as one round found them. */
  #suspects = new Set<number>()

  private constructor(context: SmsContext, row: GatewayRow, holder: LeaseHolder<SmsLease>) {
    this.row = row
    this.#context = context
    this.#holder = holder
    this.#log = context.log.child({ gatewayId: row.id })
    this.#circuitBreaker = new CircuitBreaker(context.timeScale)
    const { pool, changed } = context
    this.#writer = new MessageWriter({ db: pool, lease: holder.lease, slot: row.id, log: this.#log, changed })
  }

  /** Null: another engine has the lease. */
  static async open(context: SmsContext, row: GatewayRow): Promise<GatewayRunner | null> {
    const holder = await takeLease(context, row.id)
    return holder && new GatewayRunner(context, row, holder)
  }

  /** Until the lease is lost, or `end`. */
  run(): Promise<void> {
    this.#running ??= this.#run()
    return this.#running
  }

  /** Claims nothing more. Resolves when everything in flight is answered or unknown. */
  async end(): Promise<void> {
    this.#shutdown.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      await this.#settleLeft()
      if (this.row.enabled && !this.#shutdown.signal.aborted) await this.#send()
    } finally {
      await this.#close()
    }
  }

  /** Messages that an earlier holder left in flight: settled by their outcome if this process knows it, otherwise unknown. */
  async #settleLeft(): Promise<void> {
    const { pool, unwritten, changed } = this.#context
    const left = await openMessages(pool, this.row.id)
    for (const { id, campaign_id } of left) {
      this.#writer.settle(unwritten.get(id) ?? cutOff(id), campaign_id)
      unwritten.delete(id)
      changed.add(campaign_id)
    }
    if (left.length > 0)
      this.#log.warn({ messages: left.length }, 'messages were in flight when the last engine left this gateway')
    await this.#writer.flush()
    const { opened, downSince } = await loadGatewayState(pool, this.row.id)
    if (downSince) this.#unboundSince = Math.min(downSince.getTime(), this.#now() - this.#unboundMs)
    if (opened) this.#circuitBreaker.wasOpen(opened.reason, opened.since.getTime(), this.#now())
  }

  async #send(): Promise<void> {
    const open = this.#context.drivers[this.row.driver]
    if (!open) return
    const gateway = open(this.row, this.#events())
    this.#gateway = gateway
    this.#log.info('this engine sends here')
    const lag = this.#context.lag.reader()
    const sending = new Sending({
      context: this.#context,
      row: this.row,
      gateway,
      lease: this.#holder.lease,
      circuitBreaker: this.#circuitBreaker,
      pendingSegments: () => this.#pendingSegments,
      isCalm: () =>
        this.#holder.safe && this.#writer.waiting <= 1000 && lag.read() <= 200 && !this.#shutdown.signal.aborted,
      send: (taken) => void this.#submit(gateway, taken),
    })
    const tests = new GatewayTests(this.#context, this.#holder.lease, gateway)
    await runRounds(this.#leased, [
      { name: 'tick', everyMs: tickMs, work: () => sending.tick() },
      { name: 'state', everyMs: stateMs, work: () => this.#keepState(gateway) },
      { name: 'tests', everyMs: testsMs, work: () => tests.round() },
      { name: 'receipts', everyMs: earlyMs, work: () => this.#matchEarly() },
      { name: 'unresolved messages', everyMs: unresolvedMs, work: () => this.#findUnresolved() },
      {
        name: 'old receipts',
        everyMs: Math.max(earlyMs, oldReceiptsMs * this.#context.timeScale),
        work: () => this.#oldReceipts(),
      },
    ])
    lag.end()
  }

  get #leased() {
    return { holder: this.#holder, shutdown: this.#shutdown, log: this.#log }
  }

  async #submit(gateway: SmsGateway, taken: Taken): Promise<void> {
    const { message, campaignId, probe } = taken
    this.#pending.set(message.id, message)
    this.#pendingSegments += message.segments
    const end = await this.#answered(gateway, taken)
    this.#writer.settle(outcomeOf(message, end, { timeScale: this.#context.timeScale, probe }), campaignId)
    this.#pending.delete(message.id)
    this.#pendingSegments -= message.segments
    this.#noteEnd(taken, end)
  }

  async #answered(gateway: SmsGateway, { message, campaignId, from, text, mayLeave }: Taken): Promise<Submitted> {
    if (!this.#holder.safe) return { kind: 'unsent', reason: 'the gateway is not ours for certain' }
    const token = `${this.#context.installation}${message.id.toString(36)}`
    try {
      const late = (answer: LateAnswer): void => this.#writer.late(lateOf(message.id, answer), campaignId)
      return await gateway.submit({ token, from, to: String(message.phone), text, mayLeave }, late)
    } catch (error) {
      this.#log.error({ error, smsId: message.id }, 'a gateway failed unexpectedly')
      return { kind: 'unknown', reason: String(error), answered: false, ids: [] }
    }
  }

  /**
   * What an answer says of the gateway. A row for which gateways were at fault before may itself be the cause, so it does not count against a
   * gateway that works. A gateway whose breaker is open is asked less and less often, whichever row it refuses. A broken connection is one fault, however many
   * messages were in flight.
   */
  #noteEnd({ message: { faults }, probe }: Taken, end: Submitted): void {
    const now = this.#now()
    if (end.kind === 'unsent') this.#circuitBreaker.notProbed()
    else if (end.kind === 'unknown') {
      if (now - this.#unknownAt >= unknownTogetherMs) this.#circuitBreaker.fault(end.reason, now)
      this.#unknownAt = now
    } else if (end.kind !== 'refused' || end.whose === 'message') this.#circuitBreaker.good()
    else if (faults === 0 || probe) this.#circuitBreaker.fault(end.reason, now)
    else this.#circuitBreaker.notProbed()
  }

  #events(): GatewayEvents {
    return {
      receipts: (these) => this.#receive(these),
      unmarked: (these) => this.#sort(these),
      notUnderstood: (these) => noteNotUnderstood(this.#context.pool, this.row.id, these),
      incoming: (these) => this.#takeIn(these),
      state: (state) => {
        if (this.#gateway && state.bound !== this.#wasBound) void this.#keepState(this.#gateway).catch(() => undefined)
      },
    }
  }

  async #receive(these: readonly Receipt[]): Promise<void> {
    const final = these.flatMap(finalOf)
    if (final.length > 0) await this.#writer.receive(final)
  }

  async #sort(these: readonly UnmarkedReceipt[]): Promise<void> {
    const { receipts, messages } = await sortUnmarked(these, {
      unanswered: () => [...this.#pending.values()].map(({ phone }) => phone),
      keysOfOurs: (claims) => this.#writer.keysOfOurs(claims),
    })
    await this.#receive(receipts)
    if (messages.length > 0) await this.#takeIn(messages)
  }

  async #takeIn(these: readonly IncomingMessage[]): Promise<void> {
    if (this.#holder.lost !== null) throw new Error('the gateway is another engine’s')
    await takeIn(this.#context.pool, this.row.id, these)
  }

  #wasBound = false
  /** Milliseconds by the clock. Null: it is bound. */
  #unboundSince: number | null = null

  get #unboundMs(): number {
    return unboundMs * this.#context.timeScale
  }

  /** Why it is down: its breaker is open, or it has been without a connection for too long. */
  #down(bound: boolean, why: string | null): GatewayNews['down'] {
    const { opened } = this.#circuitBreaker
    if (opened) return { since: new Date(opened.since), reason: words.faulty(opened.faults, opened.reason) }
    this.#unboundSince = bound ? null : (this.#unboundSince ?? this.#now())
    if (this.#unboundSince === null || this.#now() - this.#unboundSince < this.#unboundMs) return null
    return { since: new Date(this.#unboundSince), reason: why ?? words.gatewayAway(this.row.name) }
  }

  async #keepState(gateway: SmsGateway): Promise<void> {
    const { bound, windowUsed, perSecond, lastError, lastErrorAt } = gateway.state
    this.#wasBound = bound
    const { opened } = this.#circuitBreaker
    const waiting = Math.max(0, this.#pendingSegments - windowUsed)
    await keepGatewayState(this.#context.pool, this.#holder.lease, {
      bound,
      windowUsed,
      perSecond,
      waiting,
      opened: opened && { since: new Date(opened.since), reason: words.faulty(opened.faults, opened.reason) },
      down: this.#down(bound, lastError),
      lastError: opened?.reason ?? lastError,
      lastErrorAt: opened ? new Date(opened.since) : lastErrorAt,
    })
  }

  async #matchEarly(): Promise<void> {
    const { pool, changed } = this.#context
    for (const id of await matchEarlyReceipts(pool, this.#holder.lease, this.row.id)) changed.add(id)
  }

  async #oldReceipts(): Promise<void> {
    const { pool, changed } = this.#context
    for (const id of await matchInOtherBase(pool, this.#holder.lease, this.row.id)) changed.add(id)
    await forgetReceipts(pool, this.row.id)
  }

  /**
   * Finds claims whose answer was lost on the way from the database: they are recorded as in flight, and nobody here knows them. If two rounds
   * find a message, it was never handed to the gateway, since only this lease's holder could have done that.
   */
  async #findUnresolved(): Promise<void> {
    const unwritten = new Set(this.#writer.unwritten.map(({ smsId }) => smsId))
    const open = await openMessages(this.#context.pool, this.row.id)
    const strays = open.filter(
      ({ id, epoch }) => epoch === this.#holder.lease.epoch && !this.#pending.has(id) && !unwritten.has(id),
    )
    for (const { id, campaign_id } of strays)
      if (this.#suspects.has(id)) this.#writer.settle(neverSent(id), campaign_id)
    this.#suspects = new Set(strays.map(({ id }) => id))
  }

  async #close(): Promise<void> {
    await this.#gateway?.close()
    await new Promise((done) => setImmediate(done)) // what it answered last
    if (this.#holder.lost === null)
      await this.#writer
        .flush()
        .catch((error: unknown) => this.#log.error({ error }, 'the last messages could not be written'))
    this.#writer.close()
    for (const outcome of this.#writer.unwritten) this.#context.unwritten.set(outcome.smsId, outcome)
    this.#log.info({ lost: this.#holder.lost }, 'this engine no longer sends here')
    await giveUpLease(this.#leased)
  }

  #now(): number {
    return this.#context.clock.now().getTime()
  }
}

function finalOf({ id, state, reason, at }: Receipt): FinalReceipt[] {
  return state === 'accepted'
    ? []
    : [{ idKey: idKey(id), state, reason: reason?.replaceAll('\0', '').slice(0, 300).toWellFormed() ?? null, at }]
}
