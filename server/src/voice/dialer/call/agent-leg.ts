import { setTimeout as sleep } from 'node:timers/promises'
import type { CallState } from '@ghanti/callflow/call.ts'
import { ringAgainMs } from '@ghanti/callflow/flow.ts'
import type { AgentMissed } from '../../../db/tables.ts'
import type { ChannelEvent, HungUp } from '../../../drivers/telephony/driver.ts'
import { mayTryNextHost } from '../../../lib/trunk-limits.ts'
import { beginsWithinMs } from '../../../modules/platform/rules-dialling.ts'
import type { AgentCommand, BridgeAgent } from './agent-command.ts'
import { lastLegCounts } from './agent-counts.ts'
import type { CallPorts, AgentSeen } from './call-ports.ts'
import type { Call } from './call.ts'
import { agentChannel, bridgeOf } from '../../../dispatch/channel-names.ts'
import type { CustomerLeg } from './customer-leg.ts'
import type { TakenAgent } from '../../model/campaigns/numbers.sql.ts'
import { talkMsOf } from '../../model/calls/talk.ts'
import { aheadOf } from '../../model/calls/plan.ts'
import type { SavedCall } from '../../model/calls/saved-call.ts'
import { TalkRecording } from './talk-recording.ts'
import { TalkTime } from './talk-time.ts'

const minuteMs = 60_000
const dialDeadlineMs = 1000
/** How long the leg waits for its place in the contract of its trunk. */
const turnMsMax = 2000
const turnEveryMs = 20

type Leg = NonNullable<SavedCall['agent']>
/** How a leg was begun. `notHosts`: the hosts of its trunk that did not carry it before. */
type Begun = { channelId: string; command: BridgeAgent; notHosts: readonly string[] }

/**
 * The agent's side of a patched call, which lasts minute by minute while there is money.
 * The leg is none, ringing, or up (joined to the customer). Durations are the dialer's ms; `speed` of them pass in one of ours.
 */
export class AgentLeg {
  readonly #call: Call
  readonly #ports: CallPorts
  readonly time: TalkTime
  #leg: Leg | null = null
  /** Null: an earlier engine began the leg. */
  #begun: Begun | null = null
  /** Legs whose dialling is under way. */
  #beginning = 0
  #patchedTo: string | null = null
  /** Why the last agent who was rung was not talked to. */
  #missed: AgentMissed | null = null
  readonly #recording: TalkRecording
  /** Legs that have ended and are billed. */
  #ended: string[] = []
  /** How the last of them ended. */
  #last: HungUp | null = null
  /** An agent's telephone may have been rung. */
  #rings: boolean
  /** The number of the leg that ended last is free again. */
  #freed: Promise<void> = Promise.resolve()
  /** The customer hears the ringing tone, whether or not a leg rings. */
  #hearsRinging = false
  #timer: NodeJS.Timeout | null = null
  #over = false
  #isUnknown = false

  constructor(call: Call, ports: CallPorts, limitMs: number) {
    this.#call = call
    this.#ports = ports
    this.time = new TalkTime(call, ports, limitMs)
    this.#rings = call.attempt.customerCalled ?? false
    this.#recording = new TalkRecording(call, ports)
  }

  get channelId(): string | null {
    return this.#leg?.channelId ?? null
  }

  /** A leg was given up that may ring all the same. */
  get isUnknown(): boolean {
    return this.#isUnknown
  }

  carryOut(command: AgentCommand, customer: CustomerLeg): void {
    switch (command.type) {
      case 'bridgeAgent':
        void this.#callAgent(command)
        break
      case 'record':
        customer.afterwards(() => this.#recording.talks())
        break
      case 'hangUpAgent':
        this.hangUp()
        break
    }
  }

  async #callAgent(command: BridgeAgent, notHosts: readonly string[] = []): Promise<void> {
    this.#beginning += 1
    try {
      const isAgain = command.afterMs > 0 && notHosts.length === 0
      if (!isAgain || (await this.#waits(command))) await this.#dial(command, notHosts)
    } catch (error) {
      this.#release(true)
      this.#endRinging()
      this.#missed = 'notReached'
      this.#ports.failed(this.#call, 'the agent could not be called', error)
      this.#call.feed({ type: 'agentFailed', step: command.step, reason: 'an error of ours' })
    } finally {
      this.#beginning -= 1
    }
  }

  /** The customer hears an agent ring who was busy, and who is then rung once more. False: there is no money for that. */
  async #waits(command: BridgeAgent): Promise<boolean> {
    this.#hearsRinging = true
    void this.#ports.connection.ringingTone(this.#call.attempt.channelId, true)
    if (!(await this.time.prolong(ringAgainMs))) {
      this.#fail(command, 'noMoney', 'no money to ring the agent once more')
      return false
    }
    await Promise.all([this.#freed, sleep(command.afterMs / this.#ports.connection.speed)])
    return true
  }

  #endRinging(): void {
    if (!this.#hearsRinging) return
    this.#hearsRinging = false
    void this.#ports.connection.ringingTone(this.#call.attempt.channelId, false)
  }

  /** The agent is not rung. Who was busy before is still known as busy. */
  #fail({ step, afterMs }: BridgeAgent, missed: AgentMissed, reason: string): void {
    if (this.#isTooLate) return this.#call.agentGone()
    if (afterMs === 0) this.#missed = missed
    this.#endRinging()
    this.#call.feed({ type: 'agentFailed', step, reason })
  }

  /** Waits for its place in the contract of the trunk. False: there was none in time, or the call is over. */
  async #turn(): Promise<boolean> {
    for (const until = performance.now() + turnMsMax; !this.#ports.mayBeginLeg(this.#call); await sleep(turnEveryMs))
      if (this.#isTooLate || performance.now() > until) return false
    return !this.#isTooLate
  }

  /** Nobody waits for the second leg any more: the first one ended, or is being ended. */
  get #isTooLate(): boolean {
    return this.#over || this.#call.hungUp || this.#call.cancelled
  }

  async #dial(command: BridgeAgent, notHosts: readonly string[]): Promise<void> {
    const { number, step, ringMs } = command
    const channelId = agentChannel(this.#call.attempt.channelId, this.#ports.epoch, step, notHosts.length)
    const isFirst = notHosts.length === 0
    const fail = (missed: AgentMissed, reason: string): void => this.#fail(command, missed, reason)
    if (!(await this.#turn()) || !this.#ports.takeLeg(this.#call, channelId)) {
      if (!isFirst) this.#freeNumber(number)
      return fail(isFirst && this.#ports.mayRing() ? 'noChannel' : 'notReached', 'no channel is free for the agent')
    }
    this.#leg = { channelId, number, step, limitMs: minuteMs, beganMs: null }
    this.#begun = { channelId, command, notHosts }
    const taken = isFirst ? await this.#take(number) : 'taken'
    const mayCost = taken === 'taken' && !this.#isTooLate
    const isCovered = mayCost && (await this.time.cover(this.time.elapsedMs + ringMs + minuteMs, minuteMs))
    if (this.#leg?.channelId !== channelId) return // it was given up meanwhile
    if (this.#isTooLate || !isCovered || !this.#ports.mayRing()) {
      this.#release(taken === 'taken')
      if (taken !== 'taken') return fail(taken, `the agent is not rung: ${taken}`)
      return isCovered ? fail('notReached', 'the database is away') : fail('noMoney', 'no money for the second leg')
    }
    const { cli } = this.#call.attempt
    this.#rings = true
    const reply = await this.#ports.connection.dial({
      channelId,
      trunk: cli.trunk,
      cli: cli.number,
      number,
      ringMs,
      talkMsMax: minuteMs,
      notHosts,
      deadlineMs: dialDeadlineMs,
      ringBackTo: this.#call.attempt.channelId,
    })
    if (reply.outcome === 'dialled') return
    const mayRing = reply.outcome === 'unknown' || reply.outcome === 'exists'
    this.#rings = mayRing
    const cut = mayRing && (await this.#ports.connection.hangUp(channelId)) === 'done'
    this.#isUnknown ||= mayRing && !cut
    if (cut || this.#leg?.channelId !== channelId) return // its end is reported
    this.#release(true)
    fail('notReached', reply.outcome === 'exists' ? 'another channel has this name' : reply.reason)
  }

  onEvent(event: ChannelEvent): void {
    const leg = this.#leg
    if (!leg || !('channelId' in event) || event.channelId !== leg.channelId) return
    if (event.type === 'answered') void this.#answeredBy(leg)
    if (event.type === 'hungUp') this.#hungUp(leg, event)
    else if (this.#call.plan.flow.connect) this.#call.alertedAt ??= event.at
  }

  /** How the last leg ended. `unknown`: one may have rung, and nobody knows. */
  get last(): HungUp | 'unknown' | null {
    return this.#last ?? (this.#rings ? 'unknown' : null)
  }

  /** Call Now, before its agent is rung: the reason not to ring anybody, or null. */
  async whyNot(agent: string): Promise<string | null> {
    const taken = await this.#ports.takeAgent(this.#call, agent)
    if (taken !== 'taken') this.#missed = taken
    if (taken !== 'taken') return `the agent is not rung: ${taken}`
    if (this.#call.cancelled) return 'it was stopped before it rang'
    return performance.now() - this.#call.claimedMono > beginsWithinMs ? 'its moment has passed' : null
  }

  get recording(): TalkRecording {
    return this.#recording
  }

  hangUp(): void {
    if (this.#leg) void this.#ports.connection.hangUp(this.#leg.channelId)
  }

  saved(): Omit<SavedCall, 'flow' | 'seenAt' | 'unheard' | 'trail'> {
    const leg = this.#leg
    return {
      limitMs: this.time.limitMs,
      agent: leg && { ...leg },
      patchBillMs: this.time.patchBillMs,
      patchedTo: this.#patchedTo,
      agentMissed: this.#missed,
      last: this.#last,
      ...this.#recording.saved,
      legs: [...this.#ended],
    }
  }

  restore(saved: SavedCall): void {
    this.time.restore(saved)
    this.#patchedTo = saved.patchedTo
    this.#missed = saved.agentMissed
    this.#last = saved.last
    this.#recording.restore(saved)
    this.#ended = [...saved.legs]
    this.#leg = saved.agent && { ...saved.agent }
    this.#rings ||= this.#leg !== null
    if (this.#leg) this.#ports.takeLeg(this.#call, this.#leg.channelId)
  }

  /**
   * Resumes, at this state of the flow, after a time in which events may have been lost. `seen.leg`: the end of the leg, from the dialer's record. An engine
   * that was to ring a busy agent once more may have done so as it ended, so the agent is not rung again.
   */
  goOn(seen: AgentSeen, { step, rungAgain }: CallState): void {
    const leg = this.#leg
    if (!leg && this.#beginning === 0) {
      if (!rungAgain) this.#missed = 'notReached' // an engine ended before the leg had a name, and nobody else would say so
      this.#call.feed({ type: 'agentFailed', step, reason: 'the engine that was to call the agent ended' })
    }
    if (!leg) return
    if (seen.leg) this.#hungUp(leg, seen.leg)
    else if (seen.state === 'gone') this.#lost(leg)
    else if (seen.state === 'up' && leg.beganMs === null) {
      this.#recording.foundUp()
      void this.#answeredBy(leg)
    } else if (seen.state === 'up') {
      this.#schedule(leg, 0)
      void this.#recording.goOn()
    }
  }

  /** Bills legs that ended, by the dialer's record. A leg that began just before a crash is in no saved state. */
  recorded(legs: readonly HungUp[]): void {
    for (const leg of legs) if (leg.channelId !== this.#leg?.channelId) this.#bill(leg)
  }

  /** The leg is gone and nobody knows how it ended. */
  forget(): void {
    if (this.#leg) this.#release(true)
  }

  drop(): void {
    this.#over = true
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#leg) this.#ports.freeLeg(this.#call, this.#leg.channelId)
  }

  /** Takes the number of the telephone to be rung. The customer of Call Now, whose number the claim took, is rung only once. */
  async #take(number: string): Promise<TakenAgent> {
    const isConnect = this.#call.plan.flow.connect !== undefined
    this.#rings = isConnect && !(await this.#ports.takeCustomer(this.#call))
    if (isConnect) return this.#rings ? 'notFree' : 'taken'
    this.#last = null // it is the leg before
    return this.#ports.takeAgent(this.#call, number)
  }

  async #answeredBy(leg: Leg): Promise<void> {
    if (leg.beganMs !== null) return
    leg.beganMs = this.time.elapsedMs
    this.#endRinging()
    this.#patchedTo = leg.number
    const { channelId } = this.#call.attempt
    const reply = await this.#ports.connection.bridge(bridgeOf(channelId), [channelId, leg.channelId])
    if (this.#over || this.#leg !== leg || reply === 'lost') return // what became of it is reported, or found when the connection is back
    this.#schedule(leg, leg.limitMs - aheadOf(this.#ports.connection.speed))
    this.#call.feed({ type: 'agentAnswered', step: leg.step })
  }

  /** Reserves the next minute before it begins. Without money, or an answer of the database, the dialer ends the agent's leg when the paid minute is over. */
  #schedule(leg: Leg, inMs: number): void {
    clearTimeout(this.#timer ?? undefined)
    const ms = Math.max(0, inMs) / this.#ports.connection.speed
    const again = (error: unknown): void => {
      this.#ports.failed(this.#call, 'the next minute is not reserved; trying again', error)
      this.#schedule(leg, 1000)
    }
    this.#timer = setTimeout(() => void this.#prolong(leg).catch(again), ms)
  }

  async #prolong(leg: Leg): Promise<void> {
    const agentMs = leg.limitMs + minuteMs
    const customerMs = (leg.beganMs ?? this.time.elapsedMs) + agentMs
    if (this.#leg !== leg || this.#over || !this.time.hasRoomFor(customerMs)) return
    if (!(await this.time.cover(customerMs, agentMs)) || this.#leg !== leg) return
    leg.limitMs = agentMs
    await this.#ports.connection.setTalkMax(leg.channelId, agentMs)
    this.#schedule(leg, minuteMs)
    this.#call.prolonged()
  }

  #hungUp(leg: Leg, event: HungUp): void {
    if (event.answeredAt !== null) this.#patchedTo = leg.number
    this.#bill(event)
    if (this.#goesOn(event)) return
    this.#release(true)
    const isBusy = !this.#call.plan.flow.connect && this.#ports.isBusy(this.#call, event)
    this.#report(leg, `the agent was not reached (${event.sipStatus ?? event.cause ?? event.endedBy})`, isBusy)
  }

  /** Rings over the next host of the trunk when this one failed before anything rang. The number stays taken, and the customer waits on. */
  #goesOn(end: HungUp): boolean {
    const [begun, host] = [this.#begun, this.#ports.failedHost(this.#call, end)]
    if (host === null || begun?.channelId !== end.channelId || !mayTryNextHost(begun.notHosts)) return false
    if (this.#isTooLate) return false
    this.#release(false)
    this.#last = null // until the next one is over, nobody knows
    void this.#callAgent(begun.command, [...begun.notHosts, host])
    return true
  }

  #bill(leg: HungUp): void {
    if (this.#ended.includes(leg.channelId)) return
    this.#ended.push(leg.channelId)
    this.#last = leg
    const talkMs = talkMsOf(leg)
    if (talkMs !== null) this.time.bills(talkMs)
  }

  #lost(leg: Leg): void {
    this.#rings = true
    this.#release(true)
    this.#report(leg, 'it is not known how the leg ended')
  }

  #report(leg: Leg, reason: string, isBusy = false): void {
    const { step, number, channelId } = leg
    this.#endRinging()
    if (leg.beganMs === null) this.#missed = isBusy ? 'busy' : 'notReached'
    if (leg.beganMs !== null) this.#call.feed({ type: 'agentHungUp', step })
    else if (isBusy && this.#begun?.channelId === channelId && !this.#isTooLate)
      this.#call.feed({ type: 'agentBusy', step, number })
    else this.#call.feed({ type: 'agentFailed', step, reason })
    this.#call.agentGone()
  }

  #release(agentTaken: boolean): void {
    const leg = this.#leg
    this.#leg = null
    if (this.#timer) clearTimeout(this.#timer)
    if (!leg) return
    this.#ports.freeLeg(this.#call, leg.channelId)
    if (agentTaken) this.#freeNumber(leg.number)
  }

  #freeNumber(number: string): void {
    if (this.#call.plan.flow.connect) return
    this.#freed = this.#ports.freeAgent(this.#call, number, lastLegCounts(this.#call, this.#ports, this.last))
  }
}
