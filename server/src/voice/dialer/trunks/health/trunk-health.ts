import type { Disposition } from '@ghanti/contract/campaign-status.ts'
import type { HungUp } from '../../../../drivers/telephony/driver.ts'
import type { CallEnd } from '../../call/call-ports.ts'
import type { Call } from '../../call/call.ts'
import { accountOf, type CliOfTrunk } from '../../../model/calls/plan.ts'
import type { SessionContext } from '../../connection/session-context.ts'
import { classify, type Classification, type TrunkSign } from '../../../model/calls/disposition.ts'
import { equalRefusalsMax, EqualRefusals, firstProbeMs, type CampaignHold } from './equal-refusals.ts'
import { withGivenName } from '../../../model/calls/trunk-data.ts'
import type { HealthChange, DialerTrunks } from '../state/trunks.ts'
import { causeOf } from '../../dial/outcome.ts'
import type { RatedCall } from '../limits/trunk-rate.ts'
import { cursorOf, Unproven } from './unproven.ts'
import { words } from '../../../model/campaigns/words.ts'
import { saveClosed, saveOpened, saveProbe } from './breakers.sql.ts'
import type { CampaignRow } from '../../../model/campaigns/snapshot.sql.ts'
import { cursorIdOf, cursorIdsOf, cursorsOf, streamsWithRows } from '../../../model/campaigns/streams.ts'
import { stepsOf, streamsHere } from '../../../model/campaigns/route.ts'

/** How long an outcome that may not be the number's own doing waits for a call that rings. */
const unprovenMs = 30_000
/** How often a row is given back for lack of that proof. After that the operator's answer stands. */
const givenBackMax = 4
/** Endings without an answer that a number or a trunk may cause. */
const refusals: readonly Disposition[] = ['BUSY', 'NO ANSWER', 'INVALID', 'REJECTED', 'FAILED']

/** What a call that rang or ended says of its trunk. `kind`: how it ended. `isNewEvidence`: as in circuit-breaker.ts. */
type Met = { sign: TrunkSign; cause: string; kind: Disposition; isNewEvidence?: boolean }

/** Learns from the ends of calls whether trunks carry them, and opens breakers of trunks or puts campaigns on hold accordingly. */
export class TrunkHealthTracker {
  readonly refusals = new EqualRefusals()
  readonly unproven = new Unproven()
  readonly #context: SessionContext
  readonly #trunks: DialerTrunks
  #suspect: CliOfTrunk | null = null

  constructor(context: SessionContext, trunks: DialerTrunks) {
    this.#context = context
    this.#trunks = trunks
  }

  get #now(): number {
    return this.#context.deps.clock.now().getTime()
  }

  get #times(): { now: number; timeScale: number } {
    return { now: this.#now, timeScale: this.#context.timeScale() }
  }

  /** The call rang or was answered; reported as soon as it does. */
  carried(call: Call): void {
    const { trunkId } = call.attempt.cli
    this.refusals.rang(trunkId, cursorOf(call), this.#now)
    this.unproven.rang(trunkId, cursorOf(call))
    this.#trunks.tookCall(trunkId, ratedOf(call))
    this.#observed(call, { sign: 'good', cause: '', kind: 'ANSWER' })
  }

  /**
   * A call is over: was its trunk at fault, whatever the far end said? A promise where only calls that come tell; it is kept within half a minute, and
   * never once `unproven` was dropped.
   */
  ended(call: Call, end: CallEnd, classified: Classification): boolean | Promise<boolean> {
    const trunks = this.#trunks
    const { isTest } = call.plan
    const { cli } = call.attempt
    const cursorId = cursorOf(call)
    if (call.probe) {
      trunks.probing(cli.trunkId, false)
      this.refusals.probing(cursorId, false)
    }
    if (classified.disposition === 'CANCEL') return false
    if (end.fromRecord) return this.#isPremature(call, classified.disposition)
    trunks.ended(cli.trunkId, classified.disposition === 'ANSWER')
    if (!call.carried && (classified.disposition === 'ANSWER' || end.leg?.alerted)) call.rang() // another engine saw it ring
    if (call.carried && classified.sign === 'good') return false // this was reported when it rang
    const cause = causeOf(end)
    const isSlower =
      classified.sign === 'congested' && trunks.noRoom(cli.trunkId, ratedOf(call), end.leg?.retryAfterMs ?? 0)
    const isNewEvidence = isSlower || (isRedial(call) && !this.refusals.isProven(cli.trunkId))
    if (!call.carried && (classified.sign === 'good' || classified.sign === 'refusal'))
      trunks.tookCall(cli.trunkId, ratedOf(call))
    const isFault = this.#observed(call, { sign: classified.sign, cause, kind: classified.disposition, isNewEvidence })
    const isOnHold = !call.carried && this.refusals.holdOf(cursorId) !== null
    if (isOnHold && call.probe) {
      const { now, timeScale } = this.#times
      this.refusals.probeFailed(cursorId, now, timeScale)
    }
    if (isFault || isOnHold) return true
    if (call.carried || isTest || !refusals.includes(classified.disposition)) return false
    return this.#refused(call, classified.disposition, cause)
  }

  /**
   * Why a campaign that a tick found waits for a call that rings. Null: it does not, or the rows of some operator do not. When somebody has resumed
   * it, it goes on, and a campaign that does not dial any more waits for no proof.
   */
  refusalsOf(campaign: CampaignRow, now: number): CampaignHold | null {
    const { id, status, hold_cause: cause, streams } = campaign
    const ids = cursorIdsOf(campaign)
    if (status === 'resuming') for (const cursorId of ids) this.refusals.resumed(cursorId)
    if (status === 'onHold' && cause === 'refusals') this.#found(campaign, now)
    if (status !== 'running') this.unproven.ofCampaign(id, true)
    else if (standsStill(campaign, this.unproven.countOf(id))) this.unproven.makeRoom(id)
    const here = streams && streamsHere(campaign, streamsWithRows(streams))
    const left = here ? here.map(({ stream }) => cursorIdOf(id, stream)) : ids
    const holds = left.map((cursorId) => this.refusals.holdOf(cursorId))
    return holds.includes(null) ? null : (holds[0] ?? null)
  }

  /** Another engine may have put the campaign on hold, for the rows of all operators that have some left. */
  #found(campaign: CampaignRow, now: number): void {
    for (const { stream } of campaign.streams ? streamsWithRows(campaign.streams) : cursorsOf(campaign)) {
      const [step] = stepsOf(campaign, campaign.streams ? stream : null)
      if (!step) continue
      const trunkId = campaign.streams ? step.trunkId : campaign.trunk_id
      this.refusals.found(cursorIdOf(campaign.id, stream), { trunkId, reason: words.refusedBefore, now })
    }
  }

  /** The trunk and caller ID of the call that just made campaigns wait, once: the trunk's test number, if it has one, shows whose fault that is. */
  takeSuspect(): CliOfTrunk | null {
    const suspect = this.#suspect
    this.#suspect = null
    return suspect
  }

  /** Whether calls over the trunk are refused alike and nobody knows whose fault that is. */
  isSuspected(trunkId: number): boolean {
    return this.refusals.holdsOver(trunkId).length > 0
  }

  /** A test call over the trunk is over: it rang, or what it met may be what the campaigns meet. */
  tested(trunkId: number, leg: HungUp): void {
    if (leg.alerted || leg.answeredAt !== null) {
      this.refusals.rang(trunkId, null, this.#now)
      this.unproven.rang(trunkId, null)
      return
    }
    const { disposition } = classify(leg, this.#trunks.rulesOf(trunkId))
    const alike = this.refusals.holdsOver(trunkId).find(({ kind }) => kind === disposition)
    if (alike) this.#openBreaker(trunkId, words.testNumberFails(alike.reason))
  }

  /** Its settings were changed: the next probe is due at once, and nothing is proven of the trunk. */
  changed(trunkId: number): void {
    this.refusals.unproven(trunkId)
    this.#trunks.asContracted(trunkId)
    this.mended(trunkId)
  }

  /** Its settings were changed, or a test call passed: the next probe is due at once. */
  mended(trunkId: number): void {
    const { deps, holder, log } = this.#context
    this.refusals.mended(trunkId, this.#now)
    const opened = this.#trunks.mended(trunkId, this.#now)?.opened
    if (!opened) return
    log.info({ trunkId, opened }, 'a trunk whose circuit breaker is open may have been repaired: its probe is due')
    saveProbe(deps.pool, holder.lease, trunkId, new Date(opened.nextProbeAt)).catch((error: unknown) =>
      log.error({ error, trunkId }, 'the next probe of a trunk could not be stored'),
    )
  }

  #observed(call: Call, met: Met): boolean {
    const { sign, isNewEvidence = false } = met
    const cursorId = cursorOf(call)
    const { trunkId } = call.attempt.cli
    const isProven = this.refusals.isProven(trunkId)
    if (sign === 'fault' || sign === 'refusal') this.refusals.failed(cursorId)
    const { isFault, campaigns, change } = this.#trunks.observe(trunkId, sign, {
      accountId: accountOf(call.plan),
      campaignId: cursorId,
      isProven,
      redial: (isRedial(call) && (sign === 'refusal' || isProven)) || this.refusals.holdOf(cursorId) !== null,
      probe: call.probe,
      rang: call.carried,
      isNewEvidence,
      cause: this.#causeOf(trunkId, met.cause),
      ...this.#times,
    })
    this.#changed(change)
    if (campaigns) {
      const ids = campaigns.ids.filter((id) => this.refusals.mayBePutOnHold(id))
      this.#putOnHold(call, ids, { kind: met.kind, reason: campaigns.reason })
    }
    return isFault
  }

  /** Each of these campaigns, or the rows of one of its operators, tries one call now and then, and the test number shows whether the trunk is the cause. */
  #putOnHold({ attempt }: Call, ids: readonly number[], why: { kind: Disposition; reason: string }): void {
    const { now, timeScale } = this.#times
    const { trunkId } = attempt.cli
    for (const id of ids) {
      this.refusals.putOnHold(id, { trunkId, ...why, now }, firstProbeMs(timeScale))
      this.unproven.ofCursor(id, true)
    }
    if (ids.length > 0) this.#suspect = attempt.cli
  }

  /** INVALID is final, so it is settled only when a call of the trunk has rung, or when its row was given back often enough. */
  #isPremature({ attempt, plan, carried }: Call, kind: Disposition): boolean {
    const mayWait = !carried && !plan.isTest && attempt.congestions < givenBackMax
    return kind === 'INVALID' && mayWait && !this.refusals.isProven(attempt.cli.trunkId)
  }

  /**
   * The call never rang. What a row meets a second time is the number's own doing. An INVALID row is dialled again only by somebody's choice,
   * which proves nothing of the number.
   */
  #refused(call: Call, kind: Disposition, cause: string): boolean | Promise<boolean> {
    const { attempt } = call
    const { trunkId } = attempt.cli
    const proof = () => {
      const isForGood = kind === 'INVALID'
      const mayReturn = isForGood && attempt.congestions < givenBackMax
      const atLast = () => this.#isPremature(call, kind)
      return this.unproven.add(call, { isForGood, mayReturn, atLast }, unprovenMs * this.#times.timeScale)
    }
    const again = isRedial(call) || (attempt.attemptNo > 1 && kind !== 'INVALID')
    if (again) return this.#isPremature(call, kind) && proof()
    const accountId = accountOf(call.plan)
    const campaignId = cursorOf(call)
    const effect = this.refusals.refused({ trunkId, campaignId, accountId, kind, ...this.#times })
    switch (effect.is) {
      case 'final':
        return false
      case 'unproven':
        return proof()
      case 'trunk':
        this.#openBreaker(trunkId, words.trunkRefuses(equalRefusalsMax, effect.accounts, cause))
        return true
      case 'campaigns':
        this.#putOnHold(call, effect.ids, { kind, reason: words.refusedAlike(equalRefusalsMax, cause) })
        return true
    }
  }

  #openBreaker(trunkId: number, reason: string): void {
    const { now, timeScale } = this.#times
    this.#changed(this.#trunks.openBreaker(trunkId, reason, now, timeScale))
    this.unproven.ofTrunk(trunkId, true)
  }

  #causeOf(trunkId: number, cause: string): string {
    const trunk = this.#trunks.trunk(trunkId)
    return trunk ? withGivenName(cause, trunk) : cause
  }

  #changed(change: HealthChange | null): void {
    if (change?.opened) this.refusals.unproven(change.trunkId)
    if (change) void this.#keep(change)
  }

  async #keep({ trunkId, opened }: HealthChange): Promise<void> {
    const { deps, holder, log } = this.#context
    const { pool } = deps
    const { lease } = holder
    log.warn(
      { trunkId, opened },
      opened ? 'the circuit breaker of a trunk is open' : 'the circuit breaker of a trunk closed',
    )
    try {
      if (!opened) await saveClosed(pool, lease, trunkId)
      else {
        const { since, reason, refusing, probes, nextProbeAt } = opened
        await saveOpened(pool, lease, {
          trunkId,
          reason,
          refusing,
          probes,
          settings: this.#trunks.markOf(trunkId),
          since: new Date(since),
          nextProbeAt: new Date(nextProbeAt),
        })
      }
    } catch (error) {
      log.error({ error, trunkId }, 'the state of a trunk could not be stored')
    }
  }
}

/** Numbers with the same first six digits mostly belong to one network. */
const prefixLength = '+977980'.length

function ratedOf(call: Call): Omit<RatedCall, 'now'> {
  const { attempt, plan, dialledMono } = call
  const groups = [`campaign ${plan.campaignId}`, attempt.number.slice(0, prefixLength)]
  return { begunAt: dialledMono, again: isRedial(call), groups }
}

/** All calls that the campaign may have at once are over and wait for a proof, while others of its rows wait. */
function standsStill(campaign: CampaignRow, unproven: number): boolean {
  const { in_call, channels, free_channels, fresh_left, retry_due } = campaign
  const isFull = in_call >= channels || free_channels <= 0
  return in_call > 0 && unproven >= in_call && isFull && (fresh_left > 0 || retry_due)
}

/** Its row had met congestion or a failure before, or this attempt another trunk's fault. */
function isRedial({ attempt }: Call): boolean {
  return attempt.congestions + attempt.failures + attempt.tried.length > 0
}
