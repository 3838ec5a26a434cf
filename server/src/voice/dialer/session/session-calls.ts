import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import { hoursAt } from '../../../modules/platform/rules-hours.ts'
import type { DialerSounds } from '../audio/dialer-sounds.ts'
import type { CallPorts } from '../call/call-ports.ts'
import type { Call } from '../call/call.ts'
import type { Plan } from '../../model/calls/plan.ts'
import { Plans } from '../../model/calls/plans.ts'
import { DialQueue } from '../dial/dial-queue.ts'
import { YieldedRows } from '../dial/yielded-rows.ts'
import type { Reconciled } from '../recover/adopt.ts'
import { CallRecovery } from './call-recovery.ts'
import { nothingClaimed, type Claim, type Claimed, type ClaimOf } from '../../model/campaigns/claim.sql.ts'
import type { WriterOfDialer } from '../../settle/writer-of-dialer.ts'
import { CallEnds } from './call-ends.ts'
import { newCalls } from './claimed-calls.ts'
import { callPortsOf } from './session-call-ports.ts'
import type { SessionContext } from '../connection/session-context.ts'
import type { SessionTrunks } from './session-trunks.ts'

/** A session's calls: claimed rows become calls, ring at the dialer's rate, are found again after a gap, and are settled. */
export class SessionCalls {
  readonly plans: Plans
  /** Claimed and not ringing yet. */
  readonly queue: DialQueue
  readonly writer: WriterOfDialer
  readonly yieldedRows = new YieldedRows()
  readonly ends: CallEnds
  /** Campaigns whose sums have changed since they were last written. */
  readonly changed = new Set<number>()
  readonly #context: SessionContext
  readonly #trunks: SessionTrunks
  readonly #sounds: DialerSounds
  readonly recovery: CallRecovery
  /** The same object for all calls. */
  readonly ports: CallPorts
  /** The claim under way. Never rejects. */
  claiming: Promise<unknown> = Promise.resolve()

  /** `slot`: which rows of counters and income are ours. */
  constructor(context: SessionContext, trunks: SessionTrunks, sounds: DialerSounds, slot: number) {
    this.#context = context
    this.#trunks = trunks
    this.#sounds = sounds
    this.plans = new Plans(context.deps.pool, context.deps.files)
    this.queue = this.#newQueue()
    this.writer = this.#newWriter(slot)
    this.ends = new CallEnds(context, trunks, this)
    this.recovery = new CallRecovery(context, this)
    this.ports = callPortsOf(context, trunks, sounds, this)
  }

  #newQueue(): DialQueue {
    const { deps, link, monitor } = this.#context
    return new DialQueue({
      dialsAtOnce: () => link.newest?.dialsAtOnce ?? 0,
      beginsNow: (trunkId) => this.#trunks.trunks.beginsNow(trunkId),
      reasonNotToDial: (call) => this.#reasonNotToDial(call),
      began: (call) => monitor.began(call, deps.clock.now()),
    })
  }

  #newWriter(slot: number): WriterOfDialer {
    const { deps, log, holder } = this.#context
    return deps.writer.dialer({
      lease: holder.lease,
      slot,
      isValid: () => holder.isValid,
      onSettled: (ended, parked) => {
        for (const one of ended) this.changed.add(one.campaignId)
        if (parked.length > 0) log.error({ parked }, 'outcomes that no table accepts are parked')
      },
    })
  }

  #reasonNotToDial({ attempt, plan, probe }: Call): string | null {
    const { deps, holder, link, hours } = this.#context
    if (!holder.safe || link.isClosed) return 'the lease is about to end'
    if (!probe && this.#trunks.trunks.trunk(attempt.cli.trunkId)?.health.opened) return 'the trunk is on hold'
    const ofCampaign = hours.get(plan.campaignId)
    return ofCampaign && hoursAt(ofCampaign, deps.clock.now()).open ? null : 'calling hours are over'
  }

  /** Claimed calls ring as soon as the calls per second allow. A reader of open attempts waits for a claim under way. */
  async claim(plan: Plan, claim: () => Promise<Claim>, of: ClaimOf): Promise<Claim> {
    const { holder, link } = this.#context
    if (link.down || !holder.safe || holder.isLeaving) return nothingClaimed
    const claimSentMono = performance.now()
    const claiming = claim().then(async (claimed) => {
      await this.#begin(claimed.calls, plan, { ...of, claimSentMono })
      return claimed
    })
    this.claiming = claiming.catch(() => undefined)
    return claiming
  }

  async #begin(rows: readonly Claimed[], plan: Plan, of: ClaimOf & { claimSentMono: number }): Promise<void> {
    const { deps, switchboard } = this.#context
    const from = { deps, plans: this.plans, speech: this.#sounds.speech }
    for (const { call, silent } of await newCalls(from, rows, plan, this.ports, of)) {
      switchboard.add(call)
      if (silent === null) this.queue.push(call)
      else call.giveBack(silent)
    }
  }

  adoptAll(): Promise<number> {
    return this.recovery.adoptAll()
  }

  compare(connection: DialerConnection, what: string): Promise<Reconciled> {
    return this.recovery.compare(connection, what)
  }

  checkOverdue(): void {
    if (!this.#context.link.down) this.recovery.checkOverdue()
  }

  async findUnknownCalls(): Promise<void> {
    const { up } = this.#context.link
    if (up && !this.#context.holder.isAway) await this.recovery.findUnknownCalls(up)
  }

  close(): void {
    this.writer.close()
    this.queue.close()
    this.recovery.close()
  }
}
