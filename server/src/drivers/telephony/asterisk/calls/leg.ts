import type { ChannelEvent, EndedBy, HungUp } from '../../driver.ts'
import { silentCause } from '../../../../lib/trunk-limits.ts'
import type { AriChannel, AriEvent } from '../ari/messages.ts'
import {
  isHangUp,
  muteCause,
  notedSound,
  silentMsOf,
  unheardCause,
  wasMute,
  wasSoundless,
  wasUnheard,
  type NotedSound,
} from './noted-sound.ts'

type LegEvent = Extract<
  AriEvent,
  {
    type:
      | 'ChannelStateChange'
      | 'Dial'
      | 'ChannelDtmfReceived'
      | 'ChannelHangupRequest'
      | 'ChannelDestroyed'
      | 'StasisStart'
      | 'StasisEnd'
  }
>

/** When a channel ends, its sound is reported as failed within this time. */
export const failureHoldMs = 250
/** The cause of our own hang-ups over ARI. When Asterisk's dialplan has ended it also hangs up softly, with another cause. */
const softByAri = 32
/** 'Moved temporarily', until the SIP messages show which 3xx it was. */
const forwardedStatus = 302
/** Asterisk measures ringing in whole seconds and keeps a limit within some milliseconds. */
const limitIsExactMs = 1100

/**
 * One channel, from Asterisk's events:
 * - dialled
 * - ringing
 * - up
 * - up and inside (sounds can be played to it and it can be joined)
 * - ending (it is known who ended it, or StasisEnd arrived)
 * - destroyed: its end, reported once
 */
export class Leg {
  readonly channelId: string
  startedAt: number
  /** SIP's Call-ID; null when unknown. */
  callId: string | null = null
  /** Null while it is not up, or when nobody saw the answer (`isUp`). */
  answeredAt: number | null = null
  isUp: boolean
  /** It is ending or has ended, so results of its playbacks no longer matter. */
  isEnding = false
  /** The dialer has its time limit. */
  isLimited = true
  limiting: Promise<unknown> = Promise.resolve()
  /** The request was sent but not answered yet, so the channel may not exist. */
  isBeingDialled = false
  trunk: string | null = null
  /** The trunk's host that was called last; null when another client dialled it. */
  host: string | null = null
  /** Hosts that the attempt had tried before, under other names. */
  notHosts: readonly string[] = []
  /** Counted from its beginning; null when another client dialled it. */
  ringMs: number | null = null
  /** Counted from its answer. */
  talkMsMax: number | null = null
  /** We end it because the far end has replied nothing. */
  isSilent = false
  /** The channel that hears the ringing tone while this one rings. */
  ringBackTo: string | null = null
  /** A client before us, or a gap in the events, may have left a ringing tone on it. */
  mayHearRinging = false
  /** Its answer does not count: nobody could hear anything. */
  wasMute = false
  #rang = false
  #isInside: boolean
  #waiting: ((isInside: boolean) => void)[] = []
  #progressed = false
  /** The operator redirects it, and Asterisk gives it up, with or without reporting why. */
  isForwarded = false
  #request: { soft: boolean; cause: number | null; sipStatus: number | null } | null = null

  constructor({ id, creationtime, state, dialplan }: Pick<AriChannel, 'id' | 'creationtime' | 'state' | 'dialplan'>) {
    this.channelId = id
    this.startedAt = creationtime
    this.isUp = state === 'Up'
    this.#rang = state === 'Ringing'
    this.#isInside = dialplan.app_name === 'Stasis'
  }

  /** An answered channel enters our application a moment later. False when it did not in time; its end will show whether it was still alive. */
  inside(withinMs: number): Promise<boolean> {
    if (this.#isInside || this.isEnding) return Promise.resolve(true)
    return new Promise((resolve) => {
      const done = (isInside: boolean): void => {
        clearTimeout(timer)
        this.#waiting = this.#waiting.filter((other) => other !== done)
        resolve(isInside)
      }
      const timer = setTimeout(() => done(false), withinMs)
      this.#waiting.push(done)
    })
  }

  /** Takes over the state that Asterisk reports. */
  seen({ dialplan }: Pick<AriChannel, 'dialplan'>): void {
    if (dialplan.app_name === 'Stasis') this.#enters()
  }

  get alerted(): boolean {
    return this.#rang || this.#progressed
  }

  /** Called when no further event comes. */
  lost(): void {
    for (const done of this.#waiting) done(false)
  }

  #enters(): void {
    this.#isInside = true
    for (const done of this.#waiting) done(true)
  }

  /** What the event means for listeners; null when nothing is new. */
  take(event: LegEvent): ChannelEvent | null {
    const { channelId } = this
    const at = event.timestamp
    switch (event.type) {
      case 'ChannelStateChange':
        return this.#stateChanged(event.channel.state, at)
      case 'Dial':
        this.isForwarded ||= Boolean(event.forward)
        if (event.dialstatus !== 'PROGRESS' || this.#progressed || this.isUp) return null
        this.#progressed = true
        return { type: 'progress', channelId, at }
      case 'ChannelDtmfReceived':
        return /^[0-9*#]$/.test(event.digit) ? { type: 'digit', channelId, at, digit: event.digit } : null
      case 'ChannelHangupRequest':
        if (event.soft && event.cause !== softByAri) return null
        this.#ends()
        this.#request ??= {
          soft: event.soft ?? false,
          cause: event.cause ?? null,
          sipStatus: event.tech_cause ?? null,
        }
        return null
      case 'StasisStart':
        this.#enters()
        return null
      case 'StasisEnd':
        this.#ends()
        return null
      case 'ChannelDestroyed':
        this.#ends()
        return this.#end(at, event.cause ?? null, notedSound(event.channel.accountcode))
    }
  }

  #stateChanged(state: string, at: number): ChannelEvent | null {
    const { channelId } = this
    if (state === 'Up' && !this.isUp) {
      this.isUp = true
      this.answeredAt = at
      return { type: 'answered', channelId, at }
    }
    if (state !== 'Ringing' || this.#rang || this.isUp) return null
    this.#rang = true
    return { type: 'ringing', channelId, at }
  }

  /** Ends all waits for it; further commands are refused. */
  #ends(): void {
    this.isEnding = true
    for (const done of this.#waiting) done(true)
  }

  #end(at: number, cause: number | null, noted: NotedSound | null): HungUp {
    if (this.isUp && wasMute(noted, at - (this.answeredAt ?? at), cause)) return this.#endOfMute(at, muteCause)
    if (this.#wasGivenUp(cause)) return this.#endOfMute(at, muteCause)
    if (this.isUp && wasUnheard(noted, this.answeredAt)) return this.#endOfMute(at, unheardCause)
    const request = this.#request
    const silentMs = this.isUp ? silentMsOf(noted, at, cause, request !== null) : 0
    const endedBy = silentMs > 0 ? 'network' : this.#endedBy(at)
    const sipStatus = this.isForwarded ? forwardedStatus : (request?.sipStatus ?? null)
    return {
      type: 'hungUp',
      channelId: this.channelId,
      at,
      startedAt: this.startedAt,
      answeredAt: this.answeredAt,
      endedBy,
      sipStatus: endedBy === 'network' && !this.isUp ? sipStatus : null,
      cause: endedBy === 'ringTimeout' && this.isSilent ? silentCause : causeOf(endedBy, request?.cause ?? null, cause),
      alerted: this.alerted,
      ...(silentMs > 0 && { silentMs }),
      ...(this.isUp && wasSoundless(noted) && { soundless: true }),
    }
  }

  /** Asterisk gives up an answer whose SDP it cannot use before the channel is up. Only a refusal has a status of the far end beside this cause. */
  #wasGivenUp(cause: number | null): boolean {
    const { soft = false, sipStatus = null, cause: asked = cause } = this.#request ?? {}
    return !this.isUp && !soft && sipStatus === null && asked === muteCause
  }

  /** Somebody took the call and heard nothing: it has rung, and was not answered. */
  #endOfMute(at: number, cause: number): HungUp {
    const { channelId, startedAt } = this
    this.wasMute = true
    return {
      type: 'hungUp',
      channelId,
      at,
      startedAt,
      answeredAt: null,
      endedBy: 'network',
      sipStatus: null,
      cause,
      alerted: true,
    }
  }

  /**
   * Who ended the channel. Our own cuts ask softly or, at a limit, not at all, and the SIP status that Asterisk then writes is made up. A request of
   * ours is not enough, because whoever was first has ended it. A refusal that Asterisk carries out before reporting it (as it may when an operator
   * redirects the call) came too late for a limit.
   */
  #endedBy(at: number): EndedBy {
    const request = this.#request
    if (request?.soft) return this.isSilent && !this.isUp && !this.alerted ? 'ringTimeout' : 'hangUp'
    if (this.isUp && request) return isHangUp(request.cause) ? 'callee' : 'network'
    if (this.isUp) return 'timeLimit'
    const isEarly = this.ringMs !== null && at - this.startedAt < this.ringMs - limitIsExactMs
    return request || isEarly ? 'network' : 'ringTimeout'
  }
}

function causeOf(endedBy: EndedBy, asked: number | null, destroyed: number | null): number | null {
  if (endedBy === 'timeLimit') return null
  if (endedBy === 'ringTimeout') return 19
  return (endedBy === 'hangUp' ? destroyed : asked) ?? destroyed
}
