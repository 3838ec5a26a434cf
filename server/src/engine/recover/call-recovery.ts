import type { Logger } from 'pino'
import type { DialerConnection } from '../../drivers/telephony/driver.ts'
import { adoptedCall, hangUpOrphans, isUnknown, reconcile, type Reconciled } from './adopt.ts'
import type { CallPorts } from '../call/call-ports.ts'
import type { Call } from '../call/call.ts'
import type { OpenAttempt } from '../lease/lease.sql.ts'
import { UnresolvedAttempts } from './unresolved-attempts.ts'
import type { Plans } from '../call/plans.ts'
import type { SpokenSource } from '../audio/speech.sql.ts'
import type { Polls } from '../tick/polls.ts'
import type { Lease } from '../statement.ts'
import type { Switchboard } from '../dial/switchboard.ts'
import { words } from '../schedule/decide/words.ts'
import { reportLost } from './lost-calls.sql.ts'
import type { Writer } from '../settle/writer.ts'

/** After how long a question that got no answer is repeated. */
const askAgainMs = 60_000

export type CallRecoveryOptions = {
  deps: SpokenSource & { polls: Pick<Polls, 'openAttempts'>; channelPrefix: string }
  log: Logger
  lease: Lease
  switchboard: Switchboard
  plans: Plans
  writer: Writer
  /** Attempts whose end is known here and not passed to the writer yet. */
  ending(): readonly number[]
  ports(): CallPorts
  /** Null: the dialer cannot be asked, or nobody wants to know any more. */
  connection(): DialerConnection | null
  /** Monotonic: another engine may have dialled before this time. */
  quietSince(): number
  claiming(): Promise<unknown>
  timeScale(): number
}

/** Compares what lives on the dialer, what is open in the database and what is known here, and repairs the differences. */
export class CallRecovery {
  readonly #options: CallRecoveryOptions
  readonly #unresolved = new UnresolvedAttempts((calls) => this.#ask(calls, 'calls that may have rung'))

  constructor(options: CallRecoveryOptions) {
    this.#options = options
  }

  /** Takes over calls that were made without us. Returns how many there were. */
  async adoptAll(): Promise<number> {
    return (await this.#adopt(await this.#unknownAttempts())).length
  }

  /** After a connect or a gap: compares all calls with what lives on the dialer. */
  async compare(connection: DialerConnection, what: string): Promise<Reconciled> {
    const done = await reconcile(
      this.#options.switchboard.calls,
      connection,
      (id) => this.#isOrphan(id),
      this.#options.quietSince(),
    )
    this.#report(done, what)
    return done
  }

  unresolved(call: Call): void {
    this.#unresolved.add(call)
  }

  /** Calls that must be over although nobody reported their end. */
  checkOverdue(): void {
    const now = performance.now()
    const overdue = this.#options.switchboard.calls.filter((call) => call.overdueAt < now)
    if (overdue.length > 0) this.#ask(overdue, 'overdue calls')
  }

  /** Channels of ours that belong to no call, and open attempts that nobody here knows. Now and then one is left over. */
  async findUnknownCalls(connection: DialerConnection): Promise<void> {
    const { log, timeScale } = this.#options
    const orphans = await hangUpOrphans(await connection.live(), connection, (id) => this.#isOrphan(id))
    if (orphans > 0) log.warn({ orphans }, 'channels that belong to no call were hung up')
    const begun = Date.now()
    const unknown = (await this.#unknownAttempts()).filter((open) => isUnknown(open, begun, timeScale()))
    if (unknown.length > 0) this.#ask(await this.#adopt(unknown), 'calls of which nobody here knew')
  }

  close(): void {
    this.#unresolved.close()
  }

  /**
   * Open attempts that were never ours, or whose claim's answer was lost. What ended here and is not written yet is still open in the
   * database, so the known ends are collected before the database is asked.
   */
  async #unknownAttempts(): Promise<OpenAttempt[]> {
    const { deps, lease, switchboard, writer, ending, claiming } = this.#options
    await claiming()
    const ours = new Set([...switchboard.calls.map((call) => call.attempt.id), ...writer.unwritten, ...ending()])
    const open = await deps.polls.openAttempts.ask(lease.dialerId)
    await claiming()
    return open.filter(({ id, channel_id }) => !ours.has(id) && !switchboard.has(channel_id))
  }

  async #adopt(attempts: readonly OpenAttempt[]): Promise<Call[]> {
    const { deps, plans, ports, switchboard } = this.#options
    const adopt = async (open: OpenAttempt) => adoptedCall(open, deps, await plans.of(open.campaign_id), ports())
    const calls = await Promise.all(attempts.map(adopt))
    for (const call of calls) switchboard.add(call)
    return calls
  }

  #isOrphan(channelId: string): boolean {
    const { deps, switchboard } = this.#options
    return channelId.startsWith(deps.channelPrefix) && !switchboard.has(channelId)
  }

  #ask(calls: readonly Call[], what: string): void {
    const connection = this.#options.connection()
    if (!connection) return
    for (const call of calls) call.overdueAt = performance.now() + askAgainMs
    reconcile(calls, connection, null).then(
      (done) => this.#report(done, `${calls.length} ${what}`),
      (error: unknown) => this.#options.log.error({ error }, `${what} could not be asked for`),
    )
  }

  #report({ lost, ...done }: Reconciled, what: string): void {
    const { deps, log, lease } = this.#options
    const calls = [...lost.values()].reduce((sum, n) => sum + n, 0)
    log.info({ ...done, lost: calls }, what)
    const texts = new Map([...lost].map(([campaignId, n]) => [campaignId, words.lost(n)]))
    reportLost(deps.pool, lease, texts).catch((error: unknown) =>
      log.error({ error, lost: [...lost] }, 'lost calls could not be reported'),
    )
  }
}
