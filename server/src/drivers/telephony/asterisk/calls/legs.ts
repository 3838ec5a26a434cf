import type { ChannelEvent, ChannelRecord, DialRequest, HungUp } from '../../driver.ts'
import { failureHoldMs, Leg } from './leg.ts'
import type { ChannelAriEvent } from '../ari/link.ts'
import type { AriChannel, AriEvent } from '../ari/messages.ts'
import { isRinging } from './patching.ts'
import { noRoom, unreached, type FinalReply } from '../trace/final-reply.ts'

export type LegsListener = {
  emit(event: ChannelEvent): void
  /** Called before the answer is reported. */
  answered(leg: Leg): void
  ringing(leg: Leg): void
  ended(leg: Leg): void
  /** Called with all that is known of its end. Returns what is reported. */
  judged(leg: Leg, end: HungUp): HungUp
  /** What the far end finally said, 'none' if it said nothing; null if its SIP messages do not show it. `sipStatus`: what the dialer made of it. */
  replyTo(leg: Leg, sipStatus: number | null): Promise<FinalReply | 'none' | null>
  /** Its end was not seen, or is of no interest. */
  gone(leg: Leg): void
  /** The dialer's own record of channels whose answer nobody saw. */
  record(since: number): Promise<ReadonlyMap<string, ChannelRecord>>
}

/** Channels that only events told of. More than any dialer carries at once, so what is older has ended without saying so. */
const strangersMax = 5000

export class Legs {
  readonly #legs = new Map<string, Leg>()
  /** Ids of those that nobody here dialled and that were not found alive, oldest first. */
  readonly #strangers = new Set<string>()
  readonly #listener: LegsListener

  constructor(listener: LegsListener) {
    this.#listener = listener
  }

  get(channelId: string): Leg | undefined {
    return this.#legs.get(channelId)
  }

  expect(request: DialRequest, now: number): Leg {
    const dialplan = { app_name: '', app_data: '' }
    const leg = new Leg({ id: request.channelId, creationtime: now, state: 'Down', dialplan })
    leg.trunk = request.trunk
    leg.ringMs = request.ringMs
    leg.talkMsMax = request.talkMsMax
    leg.ringBackTo = request.ringBackTo ?? null
    leg.notHosts = request.notHosts ?? []
    this.#legs.set(leg.channelId, leg)
    return leg
  }

  forget(channelId: string): void {
    this.#legs.delete(channelId)
    this.#strangers.delete(channelId)
  }

  /** Called when no further event comes. */
  lost(): void {
    for (const leg of this.#legs.values()) leg.lost()
  }

  /** After a gap in the events: these channels live, and no others. */
  async compare(channels: readonly AriChannel[], now: number): Promise<void> {
    const alive = new Set(channels.map(({ id }) => id))
    for (const leg of this.#legs.values()) {
      if (alive.has(leg.channelId) || leg.isBeingDialled) continue
      this.forget(leg.channelId)
      this.#listener.gone(leg)
    }
    const unseen: Leg[] = []
    for (const channel of channels) {
      const leg = this.#legOf(channel)
      this.#strangers.delete(channel.id)
      leg.seen(channel)
      if (channel.state !== 'Up' || leg.answeredAt !== null) continue
      leg.isUp = true
      unseen.push(leg)
    }
    const answers = unseen.length === 0 ? new Map<string, number>() : await this.#answersOf(unseen)
    // A recent answer is not in the record yet, and nothing is charged for what is not known.
    for (const leg of unseen) leg.answeredAt ??= answers.get(leg.channelId) ?? now
    for (const leg of this.#legs.values()) if (leg.isUp && !leg.isLimited) this.#listener.answered(leg)
  }

  take(event: ChannelAriEvent): void {
    switch (event.type) {
      case 'PlaybackFinished':
        this.#playbackEnded(event)
        break
      case 'Dial':
        this.#feed(event.peer, event)
        break
      case 'StasisStart':
      case 'ChannelStateChange':
      case 'ChannelDtmfReceived':
      case 'ChannelHangupRequest':
      case 'StasisEnd':
      case 'ChannelDestroyed':
        this.#feed(event.channel, event)
        break
      case 'ChannelLeftBridge':
      case 'RecordingStarted':
      case 'RecordingFinished':
      case 'RecordingFailed':
        break
    }
  }

  #legOf(channel: AriChannel): Leg {
    const known = this.#legs.get(channel.id)
    if (known) return known
    const leg = new Leg(channel)
    leg.mayHearRinging = true
    this.#legs.set(channel.id, leg)
    this.#strangers.add(channel.id)
    const [oldest] = this.#strangers
    if (oldest !== undefined && this.#strangers.size > strangersMax) this.forget(oldest)
    return leg
  }

  #feed(channel: AriChannel, event: Parameters<Leg['take']>[0]): void {
    const leg = this.#legOf(channel)
    leg.startedAt = channel.creationtime
    leg.callId ??= channel.protocol_id ?? null
    const emitted = leg.take(event)
    if (!emitted) return
    if (emitted.type === 'answered') this.#listener.answered(leg)
    if (emitted.type === 'ringing' || emitted.type === 'progress') this.#listener.ringing(leg)
    if (emitted.type !== 'hungUp') {
      this.#listener.emit(emitted)
      return
    }
    this.forget(leg.channelId)
    this.#listener.ended(leg)
    const report = (end: HungUp): void => this.#listener.emit(this.#listener.judged(leg, end))
    if (leg.isUp && emitted.answeredAt === null && !leg.wasMute) void this.#withAnswer(leg, emitted).then(report)
    else if (emitted.sipStatus !== null) void this.#withReply(leg, emitted).then(report)
    else report(emitted)
  }

  /** For a channel whose answer nobody saw: either the dialer's record has it, or nothing is charged. */
  async #withAnswer(leg: Leg, end: HungUp): Promise<HungUp> {
    const answers = await this.#answersOf([leg]).catch(() => new Map<string, number>())
    return { ...end, answeredAt: answers.get(leg.channelId) ?? end.at }
  }

  /**
   * Asterisk tells neither by which status a call was redirected nor for how long to wait, and makes a cause of the status, whatever the Reason says. Of
   * a connection that breaks it makes 503, which no operator said.
   */
  async #withReply(leg: Leg, end: HungUp): Promise<HungUp> {
    const reply = await this.#listener.replyTo(leg, end.sipStatus).catch(() => null)
    if (reply === null) return end
    if (reply === 'none') return end.sipStatus === noRoom ? { ...end, ...unreached } : end
    const { status, cause, retryAfterMs } = reply
    return {
      ...end,
      sipStatus: leg.isForwarded && status >= 300 && status < 400 ? status : end.sipStatus,
      cause: cause ?? end.cause,
      ...(status === noRoom && retryAfterMs !== null && { retryAfterMs }),
    }
  }

  async #answersOf(legs: readonly Leg[]): Promise<Map<string, number>> {
    const since = Math.min(...legs.map(({ startedAt }) => startedAt)) - 1000
    const record = await this.#listener.record(since)
    return new Map(
      legs.flatMap(({ channelId }) => {
        const answeredAt = record.get(channelId)?.answeredAt
        return answeredAt ? [[channelId, answeredAt] as const] : []
      }),
    )
  }

  #playbackEnded({ playback, timestamp }: Extract<AriEvent, { type: 'PlaybackFinished' }>): void {
    const channelId = /^channel:(.+)$/.exec(playback.target_uri)?.[1]
    if (channelId === undefined || isRinging(playback.id)) return
    const failed = playback.state === 'failed'
    const emit = (): void => {
      const leg = this.#legs.get(channelId)
      if (leg && !leg.isEnding)
        this.#listener.emit({ type: 'playbackEnded', channelId, at: timestamp, playbackId: playback.id, failed })
    }
    if (failed) setTimeout(emit, failureHoldMs)
    else emit()
  }
}
