import { resume, start, step, type CallCommand, type CallEvent, type CallState } from '@ghanti/callflow/call.ts'
import { joinsTwo, longestMs } from '@ghanti/callflow/flow.ts'
import type { ChannelEvent, HungUp, LiveChannel } from '../../../drivers/telephony/driver.ts'
import { isOfAgent } from './agent-command.ts'
import { lastLegCounts } from './agent-counts.ts'
import { AgentLeg } from './agent-leg.ts'
import { CallTrail } from './call-trail.ts'
import { CallTranscript } from './call-transcript.ts'
import type { AgentSeen, Attempt, CallEnd, CallPorts } from './call-ports.ts'
import { CustomerLeg } from './customer-leg.ts'
import { talkLimitMs, type Plan } from '../../model/calls/plan.ts'
import type { SavedCall } from '../../model/calls/saved-call.ts'
import { endOfSoundless } from './soundless.ts'

const dialDeadlineMs = 1000
/** How long the report of a channel's end may take before the call is overdue. */
const graceMs = 10_000

/**
 * One call. It feeds the dialer's events to the call flow, and carries out the flow's commands at the dialer. It has two legs:
 * - the customer's (CustomerLeg), dialled once; when it ends, so does the call;
 * - an agent's (AgentLeg), while the flow is ringing or talking; billed besides.
 * A Call Now is the other way round: the call's first leg is the agent's, and the second is the customer's.
 */
export class Call {
  readonly attempt: Attempt
  readonly plan: Plan
  /** Stopped by a person: an unanswered attempt is given back. */
  cancelled = false
  /** The trunk carried the call: it rang, gave early media or was answered. */
  carried = false
  /** When the customer's telephone first rang or gave early media, by the dialer's clock. Null: not yet, or nobody saw it. */
  alertedAt: number | null = null
  /** The probe of a trunk whose circuit breaker is half-open. */
  readonly probe: boolean
  /** Monotonic; not later than the claim's commit. */
  readonly claimedMono: number
  dialledMono = Infinity
  /** Monotonic: when the call must be over, although no end may have been reported. */
  overdueAt = Infinity
  readonly #ports: CallPorts
  readonly #customer: CustomerLeg
  readonly #agent: AgentLeg
  readonly #trail: CallTrail
  readonly #transcript: CallTranscript | null
  #flow: CallState = start()
  #answeredAt: number | null = null
  #leg: HungUp | null = null
  #keys = ''
  #seenAt: number | null = null
  #dialled = false
  #adopted = false
  #over = false
  #unheard = false
  #fromRecord = false
  /** The dialer's record was read after the first leg had ended. */
  #recordRead = false

  constructor(
    attempt: Attempt,
    plan: Plan,
    ports: CallPorts,
    { probe = false, claimSentMono = performance.now() }: { probe?: boolean; claimSentMono?: number } = {},
  ) {
    this.attempt = attempt
    this.plan = plan
    this.probe = probe
    this.claimedMono = claimSentMono
    this.#ports = ports
    const limitMs = talkLimitMs(plan.price, longestMs(plan.flow), attempt.reservedPaisa)
    this.#customer = new CustomerLeg(this, ports)
    this.#agent = new AgentLeg(this, ports, limitMs)
    this.#trail = new CallTrail(plan.flow, attempt.spoken)
    this.#transcript =
      plan.isTest && !plan.flow.connect
        ? new CallTranscript(attempt.channelId, (line) => ports.transcribe(this, line))
        : null
  }

  get answeredAt(): number | null {
    return this.#answeredAt
  }

  /** Whether the dialer was asked to ring, or has rung. Otherwise only this process knows of the call. */
  get dialled(): boolean {
    return this.#dialled
  }

  get agentChannelId(): string | null {
    return this.#agent.channelId
  }

  /** Rings the number. Never repeated. */
  async dial(): Promise<void> {
    const { attempt } = this
    const ringMs = this.#ports.ringMs(this)
    this.#dialled = true
    this.dialledMono = performance.now()
    this.#transcript?.dialled()
    this.overdueAt = performance.now() + dialDeadlineMs + ringMs / this.#ports.connection.speed + graceMs
    const { cli } = attempt
    const { flow } = this.plan
    try {
      const why = flow.connect ? await this.#agent.whyNot(flow.connect.agent).catch(String) : null
      if (why !== null) this.giveBack(why)
      if (this.#over) return
      const reply = await this.#ports.connection.dial({
        channelId: attempt.channelId,
        trunk: cli.trunk,
        cli: cli.number,
        number: flow.connect?.agent ?? attempt.number,
        ringMs,
        talkMsMax: this.#agent.time.limitMs,
        notHosts: attempt.notHosts,
        deadlineMs: dialDeadlineMs,
        isTraced: this.plan.isTest,
      })
      if (reply.outcome === 'unknown' || reply.outcome === 'exists') this.#ports.unresolved(this)
      else if (reply.outcome === 'notSent' || reply.outcome === 'trunkFault') this.#end(null, reply)
    } catch (error) {
      this.#ports.failed(this, 'dial', error)
      this.#end(null, { outcome: 'error', reason: String(error) })
    }
  }

  onEvent(event: ChannelEvent): void {
    if (this.#over) return
    this.#seenAt = event.at
    this.#transcript?.event(event)
    if (event.type === 'recordingEnded') return
    if (event.type === 'bridgePlaybackEnded') {
      this.#agent.recording.played(event)
      return
    }
    if (event.channelId !== this.attempt.channelId) {
      this.#agent.onEvent(event)
      return
    }
    switch (event.type) {
      case 'answered':
        this.rang()
        this.#answered(event.at)
        break
      case 'digit':
        this.feed({ type: 'digit', digit: event.digit })
        break
      case 'playbackEnded':
        this.#playbackEnded(event.playbackId, event.failed)
        break
      case 'hungUp':
        this.#hungUp(event)
        break
      case 'ringing':
      case 'progress':
        if (!this.plan.flow.connect) this.alertedAt ??= event.at
        this.rang()
        break
    }
  }

  /** Takes an event of the flow, also from the agent's leg. */
  feed(event: CallEvent): void {
    if (this.#unheard && event.type !== 'hungUp') return
    const before = this.#flow
    const next = step(this.plan.flow, before, event)
    this.#flow = next.state
    this.#trail.follow(before, event, next, this.#seenAt ?? 0)
    for (const command of next.commands) this.#carryOut(command)
    if (next.state !== before || next.commands.length > 0) this.save()
  }

  /** Hangs up if nobody has answered yet; with `answeredToo` in any case. */
  cancel(answeredToo: boolean): void {
    if (this.#answeredAt !== null && !answeredToo) return
    if (this.cancelled || this.#over) return
    this.cancelled = true
    if (!this.#dialled) this.giveBack('it was stopped before it rang')
    else this.#customer.hangUp()
  }

  get over(): boolean {
    return this.#over
  }

  /** Another engine dialled it, or nobody did. */
  get isAdopted(): boolean {
    return this.#adopted
  }

  adopted(): void {
    this.#adopted = true
    this.#dialled = true
    this.overdueAt = performance.now() + this.#ports.ringMs(this) / this.#ports.connection.speed + graceMs
  }

  /** Takes over the saved state of an adopted call. */
  restore(answeredAt: number, keys: string, saved: SavedCall): void {
    this.#answeredAt = answeredAt
    this.#keys = keys
    this.#flow = saved.flow
    this.#seenAt = saved.seenAt
    this.#unheard = saved.unheard
    this.#trail.restore(saved.trail)
    this.#agent.restore(saved)
  }

  /**
   * Resumes a living call after a time in which events may have been lost. `answeredAt` is from the dialer's record; `agent` is the agent's
   * leg, or how it ended.
   */
  async goOn(state: LiveChannel['state'], answeredAt: number | null, agent: AgentSeen): Promise<void> {
    if (this.#over) return
    if (this.cancelled || this.#unheard) this.#customer.hangUp()
    if (state !== 'up') return
    if (this.#answeredAt === null) {
      this.#answered(answeredAt ?? Date.now())
      return
    }
    this.#agent.time.begins(this.#answeredAt)
    this.#pushOverdue()
    if (this.#unheard) return
    if (this.#agent.channelId || this.#flow.at === 'ringing') {
      this.#agent.goOn(agent, this.#flow)
      return
    }
    const at = this.#flow.step
    const playing = await this.#customer.isPlaying(at)
    if (this.#over || this.#flow.step !== at) return
    const next = resume(this.plan.flow, this.#flow, playing)
    this.#trail.follow(this.#flow, null, next, Date.now())
    this.#flow = next.state
    for (const command of next.commands) this.#carryOut(command)
    this.save()
  }

  /** Agents' legs of this call that ended, by the dialer's record. */
  recorded(legs: readonly HungUp[]): void {
    if (!this.#over) this.#agent.recorded(legs)
  }

  /**
   * Ends a call that is not on the dialer any more, as the dialer's record says. `leg` null: nobody knows how that leg ended, or it was reported.
   * An agent who is still on the line is hung up, and the end of that leg is then the end of the call.
   */
  close(leg: HungUp | null, agent: AgentSeen): void {
    if (this.#over) return
    this.#recordRead = true
    this.#fromRecord = this.#leg === null
    if (agent.state !== 'gone') this.#agent.hangUp()
    else if (agent.leg) this.#agent.onEvent(agent.leg)
    else this.#agent.forget()
    if (leg) this.#hungUp(leg)
    if (agent.state === 'gone' || !this.#leg) this.#endWithLeg()
  }

  /** The call did not leave: the attempt is given back. */
  giveBack(reason: string): void {
    this.#end(null, { outcome: 'notSent', reason })
  }

  /** Forgets the call without an end, because another engine has it by now. */
  drop(): void {
    this.#over = true
    this.#customer.drop()
    this.#agent.drop()
  }

  save(): void {
    if (this.#answeredAt === null || this.#over || this.#leg || this.#flow.at === 'ended') return
    this.#ports.save({
      attemptId: this.attempt.id,
      answeredAt: this.#answeredAt,
      keys: this.#keys,
      call: {
        flow: this.#flow,
        seenAt: this.#seenAt ?? this.#answeredAt,
        unheard: this.#unheard,
        trail: this.#trail.saved,
        ...this.#agent.saved(),
      },
    })
  }

  /** The agent's leg has ended. If the customer's leg ended before, so has the call. */
  agentGone(): void {
    if (this.#leg) this.#endWhenKnown()
  }

  /** When the first leg ended, by the dialer's clock. Null: it lasts, or nobody knows. */
  get endedAt(): number | null {
    return this.#leg?.at ?? null
  }

  /** The first leg's end was reported. */
  get hungUp(): boolean {
    return this.#leg !== null
  }

  /** The first ringing, early media or answer. */
  rang(): void {
    if (this.carried) return
    this.carried = true
    this.#ports.carried(this)
  }

  #answered(at: number): void {
    if (this.#answeredAt !== null) return
    this.#answeredAt = at
    this.#seenAt ??= at
    this.#agent.time.begins(at)
    this.#pushOverdue()
    if (this.cancelled) return
    this.feed({ type: 'answered' })
  }

  #pushOverdue(): void {
    this.overdueAt = this.#agent.time.endsBy + graceMs
  }

  /** The agent's leg made the call longer. */
  prolonged(): void {
    this.#pushOverdue()
    this.save()
  }

  #playbackEnded(playbackId: string, failed: boolean): void {
    if (failed) this.promptFailed('the dialer could not play it')
    else this.feed({ type: 'promptEnded', step: this.#customer.stepOf(playbackId) })
  }

  /** Ends the call: silence would be worse. */
  promptFailed(reason: string): void {
    if (this.#unheard || this.#over) return
    this.#unheard = true
    this.#ports.unheard(this, reason)
    this.#agent.hangUp()
    this.#customer.hangUp()
    this.save()
  }

  #hungUp(end: HungUp): void {
    if (this.#leg) return
    const isOfPrompts = !this.plan.flow.connect && !this.#unheard && this.#agent.saved().patchBillMs === null
    const leg = isOfPrompts ? endOfSoundless(end, this.#flow.at) : end
    this.#leg = leg
    this.#answeredAt = leg.answeredAt
    this.#trail.ends(this.#flow, leg)
    this.feed({ type: 'hungUp' })
    if (this.#agent.channelId) this.overdueAt = performance.now() + graceMs
    else this.#endWhenKnown()
  }

  /**
   * An earlier engine may have rung an agent as it died, and one whose dialling got no answer may have been rung: such a leg is in nobody's
   * memory, so the dialer's record is read before the call is settled.
   */
  #endWhenKnown(): void {
    const isAnswered = this.#answeredAt !== null
    const hasOthers = isAnswered && joinsTwo(this.plan.flow) && (this.#adopted || this.#agent.isUnknown)
    if (!hasOthers || this.#recordRead) {
      this.#endWithLeg()
      return
    }
    this.overdueAt = performance.now() + graceMs
    this.#ports.unresolved(this)
  }

  #endWithLeg(): void {
    this.#end(this.#leg, null)
  }

  #end(leg: HungUp | null, refused: CallEnd['refused']): void {
    if (this.#over) return
    this.drop()
    const { patchBillMs, patchedTo, agentMissed, recordingId } = this.#agent.saved()
    this.#ports.ended(this, {
      leg,
      refused,
      patchBillMs,
      beside: this.#agent.last,
      keys: this.#keys,
      trail: this.#trail.text,
      agent: patchedTo,
      agentMissed,
      agentCounts: lastLegCounts(this, this.#ports, this.#agent.last),
      recordingId,
      unheard: this.#unheard && patchBillMs === null,
      reservedPaisa: this.#agent.time.reservedPaisa,
      fromRecord: this.#fromRecord,
    })
  }

  #carryOut(command: CallCommand): void {
    this.#transcript?.command(command)
    if (command.type === 'recordKey') this.#keys += command.valid ? command.digit : ''
    else if (isOfAgent(command)) this.#agent.carryOut(command, this.#customer)
    else this.#customer.carryOut(command)
  }
}
