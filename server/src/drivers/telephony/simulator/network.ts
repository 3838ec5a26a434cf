import type {
  ChannelEvent,
  DialReply,
  DialRequest,
  EndedBy,
  HungUp,
  LiveChannel,
  Media,
  RtpFigures,
} from '../driver.ts'
import { lengthOf, newChannel, type Bridge, type Channel, type Playback, type TranscriptLine } from './channel.ts'
import { randomOf } from '../../../lib/random.ts'
import { type Act, fullScript, scriptOf, withFlaw } from './numbers.ts'
import type { RecordFile } from './record.ts'
import { SimulatedTime } from './simulated-time.ts'
import { rtpAfter, Traces } from './traces.ts'
import { Trunks } from './trunks.ts'

export type NetworkOptions = {
  /** How many times faster than real everything passes. */
  speed: number
  seed: number
  /** Numbers outside the operator's table behave like people, at random, instead of answering and listening. */
  mixture: boolean
  /** Keeps what each channel heard and did, for tests. */
  keepTranscripts: boolean
}

/**
 * A whole telephone network with a dialer in front. Inside, times (`…At`) are the network's own ms, which pass `speed` times faster than real ones.
 * Reported times begin with the real time of dialling and continue in the network's ms. One timer serves everything.
 */
export class Network {
  readonly upSince = Date.now()
  readonly options: NetworkOptions
  readonly record: RecordFile
  readonly trunks = new Trunks()
  readonly traces = new Traces()
  readonly #time: SimulatedTime
  readonly #channels = new Map<string, Channel>()
  readonly #playing = new Map<string, Channel>()
  readonly #bridges = new Map<string, Bridge>()
  readonly #recordings = new Map<string, number>()
  readonly #dialled = new Map<string, number>()
  readonly #transcripts = new Map<string, TranscriptLine[]>()
  #pendingEvents: ChannelEvent[] = []
  #flushing = false
  #listener: ((events: ChannelEvent[]) => void) | null = null

  constructor(options: NetworkOptions, record: RecordFile) {
    this.options = options
    this.#time = new SimulatedTime(options.speed)
    this.record = record
  }

  /** Listeners get everything from now on; nothing is kept for later ones. */
  listen(listener: ((events: ChannelEvent[]) => void) | null): void {
    this.#pendingEvents = []
    this.#listener = listener
  }

  dial(request: DialRequest): DialReply {
    this.#time.catchUp()
    if (this.#channels.has(request.channelId)) return { outcome: 'exists' }
    const reason = this.trunks.unavailableReason(request.trunk)
    if (reason) return { outcome: 'trunkFault', reason }
    const host = this.trunks.hostOf(request.trunk, request.notHosts ?? [])
    if (host === undefined) return { outcome: 'trunkFault', reason: `trunk ${request.trunk} has no host left to call` }
    const fault = this.trunks.faultOf(request.trunk, host)
    const full = this.trunks.fullFor(request.trunk, performance.now())
    const script = full ? fullScript(full.retryAfterMs) : scriptOf(request.number, fault, this.#chance(request.number))
    const flaw = this.trunks.flawOf(request.trunk)
    const channel = newChannel(request, host, withFlaw(script, flaw), { startedAt: this.#time.now, flaw })
    this.#channels.set(channel.id, channel)
    this.record.add('CHAN_START', channel.startedReal, channel.id, {
      number: request.number,
      trunk: request.trunk,
      cli: request.cli,
    })
    const limit = this.trunks.ringLimit(request, channel.script)
    this.#after(channel, limit.ms, () => {
      if (channel.answeredAt === null) this.#end(channel, 'ringTimeout', null, limit.cause)
    })
    this.#goOn(channel, 0)
    return { outcome: 'dialled' }
  }

  play(channelId: string, playbackId: string, media: readonly Media[]): boolean {
    const channel = this.#answered(channelId)
    if (!channel) return false
    const playback: Playback = { id: playbackId, media, startedAt: this.#time.now }
    channel.playbacks.push(playback)
    this.#playing.set(playbackId, channel)
    if (channel.playbacks.length === 1) this.#startPlayback(channel, playback)
    return true
  }

  stopPlayback(playbackId: string): boolean {
    this.#time.catchUp()
    const channel = this.#playing.get(playbackId)
    const playback = channel?.playbacks.find(({ id }) => id === playbackId)
    if (!channel || !playback) return false
    this.#endPlayback(channel, playback)
    return true
  }

  isPlaying(playbackId: string): boolean {
    this.#time.catchUp()
    return (
      this.#playing.has(playbackId) || [...this.#bridges.values()].some(({ playback }) => playback?.id === playbackId)
    )
  }

  ringingTone(channelId: string, isOn: boolean): boolean {
    const channel = this.#answered(channelId)
    if (!channel) return false
    const at = this.#reportedTime(channel, this.#time.now)
    this.#note(channel, { at, what: 'ringing', detail: isOn ? 'on' : 'off', ms: 0 })
    return true
  }

  bridge(bridgeId: string, channelIds: readonly [string, string]): boolean {
    const [one, other] = channelIds.map((id) => this.#answered(id))
    if (!one || !other || one.bridgeId || other.bridgeId || this.#bridges.has(bridgeId)) return false
    this.#bridges.set(bridgeId, { channelIds, playback: null, recording: null })
    one.bridgeId = other.bridgeId = bridgeId
    this.#note(one, { at: this.#reportedTime(one, this.#time.now), what: 'bridged', detail: other.id, ms: 0 })
    this.#note(other, { at: this.#reportedTime(other, this.#time.now), what: 'bridged', detail: one.id, ms: 0 })
    return true
  }

  playToBridge(bridgeId: string, playbackId: string, media: readonly Media[]): boolean {
    this.#time.catchUp()
    const bridge = this.#bridges.get(bridgeId)
    const [first] = this.#channelsOf(bridge)
    if (!bridge || !first || bridge.playback) return false
    bridge.playback = { id: playbackId, media, startedAt: this.#time.now }
    this.#after(first, lengthOf(media), () => {
      if (bridge.playback?.id !== playbackId) return
      const at = this.#reportedTime(first, this.#time.now)
      this.#endBridgePlayback(bridge)
      this.#emit({ type: 'bridgePlaybackEnded', at, bridgeId, playbackId, failed: false })
    })
    return true
  }

  startRecording(bridgeId: string, recordingId: string): boolean {
    this.#time.catchUp()
    const bridge = this.#bridges.get(bridgeId)
    if (!bridge || bridge.recording) return false
    bridge.recording = { id: recordingId, startedAt: this.#time.now }
    return true
  }

  /** Null when there is no such ended recording. */
  recordingMs(recordingId: string): number | null {
    this.#time.catchUp()
    return this.#recordings.get(recordingId) ?? null
  }

  deleteRecording(recordingId: string): boolean {
    return this.#recordings.delete(recordingId)
  }

  storedRecordings(): string[] {
    this.#time.catchUp()
    return [...this.#recordings.keys()]
  }

  setTalkMax(channelId: string, talkMsMax: number): boolean {
    const channel = this.#answered(channelId)
    if (!channel) return false
    channel.talkMsMax = talkMsMax
    this.#limitTalk(channel)
    return true
  }

  hangUp(channelId: string): boolean {
    this.#time.catchUp()
    const channel = this.#channels.get(channelId)
    if (!channel) return false
    this.#end(channel, 'hangUp', null, 16)
    return true
  }

  live(): LiveChannel[] {
    this.#time.catchUp()
    return [...this.#channels.values()].map(({ id, rang, answeredAt }) => ({
      channelId: id,
      state: answeredAt !== null ? 'up' : rang ? 'ringing' : 'dialling',
    }))
  }

  rtpOf(channelId: string): RtpFigures | null {
    const channel = this.#answered(channelId)
    return channel && channel.answeredAt !== null ? rtpAfter(this.#time.now - channel.answeredAt, channel.flaw) : null
  }

  transcript(channelId: string): TranscriptLine[] {
    this.#time.catchUp()
    return (this.#transcripts.get(channelId) ?? []).toSorted((one, other) => one.at - other.at)
  }

  /** Stops everything as if the dialer lost its power, without a report to anybody. */
  close(): void {
    this.#time.close()
    this.#listener = null
    this.record.close()
  }

  #chance(number: string) {
    if (!this.options.mixture) return null
    const nth = (this.#dialled.get(number) ?? 0) + 1
    this.#dialled.set(number, nth)
    return randomOf(this.options.seed, `${number} ${nth}`)
  }

  #after(channel: Channel, ms: number, run: () => void): void {
    channel.timers.push(this.#time.after(ms, run))
  }

  #goOn(channel: Channel, index: number): void {
    const act = channel.script[index]
    if (!act) return
    this.#after(channel, act.afterMs, () => {
      this.#perform(channel, act)
      if (!channel.gone) this.#goOn(channel, index + 1)
    })
  }

  #perform(channel: Channel, act: Act): void {
    const at = this.#reportedTime(channel, this.#time.now)
    switch (act.type) {
      case 'ring':
      case 'progress':
        channel.alert ??= { at, isProgress: act.type === 'progress' }
        channel.rang = act.type === 'ring'
        this.#emit({ type: act.type === 'ring' ? 'ringing' : 'progress', channelId: channel.id, at })
        break
      case 'answer':
        channel.answeredAt = this.#time.now
        this.record.add('ANSWER', at, channel.id, {})
        this.#emit({ type: 'answered', channelId: channel.id, at })
        this.#limitTalk(channel)
        break
      case 'press':
        this.#note(channel, { at, what: 'pressed', detail: act.digit, ms: 0 })
        this.#emit({ type: 'digit', channelId: channel.id, at, digit: act.digit })
        break
      case 'hangUp':
        this.#end(channel, 'callee', null, 16)
        break
      case 'refuse':
        this.#end(channel, 'network', act.sipStatus, act.cause, act.retryAfterMs)
        break
    }
  }

  #limitTalk(channel: Channel): void {
    if (channel.answeredAt === null) return
    const { talkMsMax } = channel
    this.#after(channel, channel.answeredAt + talkMsMax - this.#time.now, () => {
      if (channel.talkMsMax === talkMsMax) this.#end(channel, 'timeLimit', null, 16)
    })
  }

  #startPlayback(channel: Channel, playback: Playback): void {
    playback.startedAt = this.#time.now
    this.#after(channel, lengthOf(playback.media), () => {
      if (channel.playbacks[0] === playback) this.#endPlayback(channel, playback)
    })
  }

  #endPlayback(channel: Channel, playback: Playback): void {
    const wasPlaying = channel.playbacks[0] === playback
    this.#forgetPlayback(channel, playback, wasPlaying)
    channel.playbacks.splice(channel.playbacks.indexOf(playback), 1)
    const at = this.#reportedTime(channel, this.#time.now)
    this.#emit({ type: 'playbackEnded', channelId: channel.id, at, playbackId: playback.id, failed: false })
    const next = channel.playbacks[0]
    if (wasPlaying && next) this.#startPlayback(channel, next)
  }

  #forgetPlayback(channel: Channel, playback: Playback, wasPlaying: boolean): void {
    this.#playing.delete(playback.id)
    if (wasPlaying) this.#noteHeard(channel, playback)
  }

  #noteHeard(channel: Channel, { media, startedAt }: Playback): void {
    if (!this.options.keepTranscripts) return
    let at = startedAt
    for (const { hash, durationMs } of media) {
      const ms = Math.round(Math.min(durationMs, this.#time.now - at))
      if (ms > 0) this.#note(channel, { at: this.#reportedTime(channel, at), what: 'heard', detail: hash, ms })
      at += durationMs
    }
  }

  #endBridgePlayback(bridge: Bridge): void {
    if (!bridge.playback) return
    for (const channel of this.#channelsOf(bridge)) this.#noteHeard(channel, bridge.playback)
    bridge.playback = null
  }

  #channelsOf(bridge: Bridge | undefined): Channel[] {
    return (bridge?.channelIds ?? []).flatMap((id) => this.#channels.get(id) ?? [])
  }

  #end(channel: Channel, endedBy: EndedBy, sipStatus: number | null, cause: number, retryAfterMs?: number): void {
    const at = this.#reportedTime(channel, this.#time.now)
    for (const [index, playback] of channel.playbacks.entries()) this.#forgetPlayback(channel, playback, index === 0)
    if (channel.bridgeId) this.#leaveBridge(channel.bridgeId)
    channel.gone = true
    for (const timer of channel.timers) this.#time.cancel(timer)
    this.#channels.delete(channel.id)
    const farEnd = endedBy === 'callee' || endedBy === 'network'
    this.record.add('HANGUP', at, channel.id, {
      hangupcause: cause,
      hangupsource: farEnd ? `SIP/${channel.number}` : '',
    })
    this.#note(channel, { at, what: 'hungUp', detail: endedBy, ms: 0 })
    const { answeredAt, alert, startedReal } = channel
    const hungUp: HungUp = {
      type: 'hungUp',
      channelId: channel.id,
      at,
      startedAt: startedReal,
      answeredAt: answeredAt === null ? null : this.#reportedTime(channel, answeredAt),
      endedBy,
      sipStatus,
      cause: endedBy === 'timeLimit' ? null : cause,
      alerted: alert !== null,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    }
    this.traces.ended(channel, hungUp)
    this.#emit(this.trunks.ended(channel, hungUp))
  }

  #leaveBridge(bridgeId: string): void {
    const bridge = this.#bridges.get(bridgeId)
    if (!bridge) return
    this.#bridges.delete(bridgeId)
    this.#endBridgePlayback(bridge)
    const [first, second] = bridge.channelIds.map((id) => this.#channels.get(id))
    if (first) first.bridgeId = null
    if (second) second.bridgeId = null
    if (!bridge.recording || !first) return
    const { id, startedAt } = bridge.recording
    const durationMs = Math.round(this.#time.now - startedAt)
    this.#recordings.set(id, durationMs)
    this.#emit({
      type: 'recordingEnded',
      at: this.#reportedTime(first, this.#time.now),
      bridgeId,
      recordingId: id,
      durationMs,
    })
  }

  #answered(channelId: string): Channel | null {
    this.#time.catchUp()
    const channel = this.#channels.get(channelId)
    return channel && channel.answeredAt !== null ? channel : null
  }

  /** The time to report, in whole ms. */
  #reportedTime(channel: Channel, at: number): number {
    return channel.startedReal + Math.round(at - channel.startedAt)
  }

  #note(channel: Channel, line: TranscriptLine): void {
    if (!this.options.keepTranscripts) return
    const lines = this.#transcripts.get(channel.id)
    if (lines) lines.push(line)
    else this.#transcripts.set(channel.id, [line])
  }

  #emit(event: ChannelEvent): void {
    this.#pendingEvents.push(event)
    if (this.#flushing) return
    this.#flushing = true
    setImmediate(() => {
      this.#flushing = false
      this.flush()
    })
  }

  /** Writes the record, then reports. */
  flush(): void {
    this.record.flush()
    const pendingEvents = this.#pendingEvents
    this.#pendingEvents = []
    if (pendingEvents.length > 0) this.#listener?.(pendingEvents)
  }
}
