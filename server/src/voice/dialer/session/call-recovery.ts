import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import { adoptedCall, hangUpOrphans, isUnknown, reconcile, type Reconciled } from '../recover/adopt.ts'
import type { Call } from '../call/call.ts'
import type { OpenAttempt } from '../../../dispatch/lease/lease.sql.ts'
import { UnresolvedAttempts } from '../recover/unresolved-attempts.ts'
import type { SessionCalls } from './session-calls.ts'
import type { SessionContext } from '../connection/session-context.ts'
import { words } from '../../model/campaigns/words.ts'
import { reportLost } from '../recover/lost-calls.sql.ts'

/** After how long a question that got no answer is repeated. */
const askAgainMs = 60_000

/** Compares what lives on the dialer, what is open in the database and what is known here, and repairs the differences. */
export class CallRecovery {
  readonly #context: SessionContext
  readonly #calls: SessionCalls
  readonly #unresolved = new UnresolvedAttempts((calls) => this.#ask(calls, 'calls that may have rung'))

  constructor(context: SessionContext, calls: SessionCalls) {
    this.#context = context
    this.#calls = calls
  }

  /** Takes over calls that were made without us. Returns how many there were. */
  async adoptAll(): Promise<number> {
    return (await this.#adopt(await this.#unknownAttempts())).length
  }

  /** After a connect or a gap: compares all calls with what lives on the dialer. */
  async compare(connection: DialerConnection, what: string): Promise<Reconciled> {
    const { switchboard, holder } = this.#context
    const done = await reconcile(switchboard.calls, connection, (id) => this.#isOrphan(id), holder.quietSince)
    this.#report(done, what)
    return done
  }

  unresolved(call: Call): void {
    this.#unresolved.add(call)
  }

  /** Calls that must be over although nobody reported their end. */
  checkOverdue(): void {
    const now = performance.now()
    const overdue = this.#context.switchboard.calls.filter((call) => call.overdueAt < now)
    if (overdue.length > 0) this.#ask(overdue, 'overdue calls')
  }

  /** Channels of ours that belong to no call, and open attempts that nobody here knows. Now and then one is left over. */
  async findUnknownCalls(connection: DialerConnection): Promise<void> {
    const { log, timeScale } = this.#context
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
    const { deps, holder, switchboard } = this.#context
    const { writer, ends } = this.#calls
    await this.#calls.claiming
    const ours = new Set([...switchboard.calls.map((call) => call.attempt.id), ...writer.unwritten, ...ends.attemptIds])
    const open = await deps.polls.openAttempts.ask(holder.lease.dialerId)
    await this.#calls.claiming
    return open.filter(({ id, channel_id }) => !ours.has(id) && !switchboard.has(channel_id))
  }

  async #adopt(attempts: readonly OpenAttempt[]): Promise<Call[]> {
    const { deps, switchboard } = this.#context
    const { plans, ports } = this.#calls
    const adopt = async (open: OpenAttempt) => adoptedCall(open, deps, await plans.of(open.campaign_id), ports)
    const calls = await Promise.all(attempts.map(adopt))
    for (const call of calls) switchboard.add(call)
    return calls
  }

  #isOrphan(channelId: string): boolean {
    const { deps, switchboard } = this.#context
    return channelId.startsWith(deps.channelPrefix) && !switchboard.has(channelId)
  }

  #ask(calls: readonly Call[], what: string): void {
    const { link, holder, log } = this.#context
    const { connection } = link
    if (!connection || link.isClosed || holder.lost !== null) return // it cannot be asked, or nobody wants to know any more
    for (const call of calls) call.overdueAt = performance.now() + askAgainMs
    reconcile(calls, connection, null).then(
      (done) => this.#report(done, `${calls.length} ${what}`),
      (error: unknown) => log.error({ error }, `${what} could not be asked for`),
    )
  }

  #report({ lost, ...done }: Reconciled, what: string): void {
    const { deps, log, holder } = this.#context
    const calls = [...lost.values()].reduce((sum, n) => sum + n, 0)
    log.info({ ...done, lost: calls }, what)
    const texts = new Map([...lost].map(([campaignId, n]) => [campaignId, words.lost(n)]))
    reportLost(deps.pool, holder.lease, texts).catch((error: unknown) =>
      log.error({ error, lost: [...lost] }, 'lost calls could not be reported'),
    )
  }
}
