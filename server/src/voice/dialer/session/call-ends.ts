import type { CallEnd } from '../call/call-ports.ts'
import { Call } from '../call/call.ts'
import { accountOf, cliOfTrunk } from '../../model/calls/plan.ts'
import { detourChannel } from '../../../dispatch/channel-names.ts'
import { recordDetour } from '../dial/detours.sql.ts'
import { nextTrunkOf } from '../dial/next-trunk.ts'
import { isFaultBeforeRinging, whatNext, type TrunkAtEnd } from '../dial/what-next.ts'
import { classifyCall, endedBy } from '../dial/outcome.ts'
import type { Ended } from '../../settle/writer-of-dialer.ts'
import type { SessionCalls } from './session-calls.ts'
import type { SessionContext } from '../connection/session-context.ts'
import type { SessionTrunks } from './session-trunks.ts'

/** While more outcomes than this wait to be written, the database cannot keep up, and calls are settled rather than begun again. */
const waitingMax = 1000

/** The ends of a session's calls: each goes on elsewhere, or is settled, as `whatNext` decides. */
export class CallEnds {
  readonly #context: SessionContext
  readonly #trunks: SessionTrunks
  readonly #calls: SessionCalls
  /** Ends in hand, by attempt. */
  readonly #inHand = new Map<number, Promise<void>>()

  constructor(context: SessionContext, trunks: SessionTrunks, calls: SessionCalls) {
    this.#context = context
    this.#trunks = trunks
    this.#calls = calls
  }

  /** Attempts whose end is known here and not passed to the writer yet. */
  get attemptIds(): number[] {
    return [...this.#inHand.keys()]
  }

  /** The legs of a call are over. */
  ended(call: Call, end: CallEnd): void {
    const { log, monitor, switchboard, symptoms } = this.#context
    const { id } = call.attempt
    switchboard.remove(call)
    monitor.hungUp(call)
    symptoms.ended(call, end)
    const done = this.#finish(call, end).catch((error: unknown) =>
      log.error({ error, attemptId: id }, 'the end of a call could not be carried out'),
    )
    this.#inHand.set(id, done)
    void done.then(() => {
      if (this.#inHand.get(id) === done) this.#inHand.delete(id) // otherwise it went on, and has ended again
    })
  }

  /** Settles whatever waits for a proof without one, so that none is lost. */
  async settleAll(): Promise<void> {
    this.#trunks.health.unproven.all()
    await Promise.all(this.#inHand.values())
  }

  async #finish(call: Call, end: CallEnd): Promise<void> {
    const { health } = this.#trunks
    const trunk = this.#trunkOf(call, end)
    for (;;) {
      const next = whatNext(call, end, trunk)
      switch (next.is) {
        case 'nextHost': {
          const { notHosts } = next
          if (await this.#goesOn(call, { trunkId: call.attempt.cli.trunkId, notHosts, probe: call.probe })) return
          trunk.mayCallAgain = false
          break
        }
        case 'awaitProof': {
          const isFault = health.ended(call, end, next.classified)
          this.#trunks.testSuspect()
          trunk.isFault = typeof isFault === 'boolean' ? isFault : await isFault
          if (isFaultBeforeRinging(call, end, next.classified)) trunk.nextTrunkId = this.#nextTrunkOf(call)
          break
        }
        case 'nextTrunk':
          if (await this.#goesOn(call, { trunkId: next.trunkId, notHosts: [], probe: false })) return
          trunk.nextTrunkId = null
          break
        case 'yieldToOthers':
          this.#calls.yieldedRows.yieldRow(call)
          return this.#settle(call, end, next.outcome)
        case 'settle':
          return this.#settle(call, end, next.outcome)
      }
    }
  }

  #trunkOf(call: Call, end: CallEnd): TrunkAtEnd {
    const { trunks, health } = this.#trunks
    const { trunkId } = call.attempt.cli
    const rules = trunks.rulesOf(trunkId)
    const classified = classifyCall(end, rules, health.refusals.isProven(trunkId))
    const isTrunksFault = isFaultBeforeRinging(call, end, classified) // otherwise it goes nowhere else
    const isOpen = (trunks.trunk(trunkId)?.health.opened ?? null) !== null
    return {
      classified,
      rules,
      mayCallAgain: isTrunksFault && this.#mayDial && trunks.legFree(trunkId) && (!isOpen || call.probe),
      isFault: null,
      nextTrunkId: null,
      others: isTrunksFault ? this.#calls.yieldedRows.othersFor(call) : 0,
      timeScale: this.#context.timeScale(),
    }
  }

  #nextTrunkOf(call: Call): number | null {
    const { queue, yieldedRows } = this.#calls
    return this.#mayDial ? nextTrunkOf(call, yieldedRows.routeOf(call), this.#trunks.trunks, queue) : null
  }

  /** Whether calls may begin on the dialer now. */
  get #mayDial(): boolean {
    const { holder, link } = this.#context
    return !link.down && holder.safe && !holder.isLeaving && this.#calls.writer.waiting <= waitingMax
  }

  /**
   * The attempt goes on as another call: over another trunk, or another host of its trunk. It is dialled only after the database has it; nobody knows
   * what a statement without an answer did, so the attempt is then given back. Where the trunk's calls per second are taken it waits in the dial queue,
   * and fewer rows are claimed. False: the database refused it, and the call has ended as it did.
   */
  async #goesOn(
    { attempt, plan }: Call,
    { trunkId, notHosts, probe }: { trunkId: number; notHosts: readonly string[]; probe: boolean },
  ): Promise<boolean> {
    const { deps, holder, log, switchboard } = this.#context
    const { payerIds, blacklistOwnerIds } = plan
    const from = attempt.cli.trunkId
    const tried = [...attempt.tried, from]
    const channelId = detourChannel(attempt.channelId, tried.length)
    const cli = cliOfTrunk(attempt.cli.id, attempt.cli.number, trunkId)
    const next = new Call({ ...attempt, tried, notHosts, channelId, cli }, plan, this.#calls.ports, { probe })
    switchboard.add(next) // from here on its channel is taken
    try {
      const detour = { attemptId: attempt.id, from, to: trunkId, payerIds, blacklistOwnerIds }
      const isRecorded = await recordDetour(deps.pool, holder.lease, detour)
      if (next.over) return true // stopped meanwhile
      if (isRecorded) {
        this.#calls.queue.push(next)
        return true
      }
      switchboard.remove(next)
      next.drop()
      return false
    } catch (error) {
      log.error({ error, attemptId: attempt.id }, 'a call could not go on over another trunk')
      next.giveBack('it could not go on over another trunk')
      return true
    }
  }

  #settle(call: Call, end: CallEnd, outcome: Ended): void {
    const { deps, monitor } = this.#context
    const { yieldedRows, writer } = this.#calls
    if (call.carried) yieldedRows.rang(call)
    writer.settle(deps.driver.runsAhead ? endedBy(outcome, deps.clock.now()) : outcome, accountOf(call.plan))
    monitor.ended(call, outcome, end.reservedPaisa)
  }
}
