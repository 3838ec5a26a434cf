import type { Readable } from 'node:stream'
import {
  type CommandReply,
  type DialerAddress,
  type DialerConnection,
  type DialerEvent,
  type DialerRecord,
  type DialReply,
  type DialRequest,
  type HungUp,
  type LiveChannel,
  type Media,
  type PingReply,
  type RtpFigures,
  type SipTrace,
  TelephonyError,
  type Trunk,
  type TrunkState,
  type PrefetchReply,
} from '../driver.ts'
import { faultOf } from '../../../lib/trunk-failure.ts'
import { DialerClock } from './ari/dialer-clock.ts'
import { requestsInFlight } from './ari/requests-in-flight.ts'
import { Dialling, seconds } from './calls/dialling.ts'
import { AriError, AriHttp, AriSilence, ignoreRefusal } from './ari/http.ts'
import type { Leg } from './calls/leg.ts'
import { Legs } from './calls/legs.ts'
import { type ChannelAriEvent, Link } from './ari/link.ts'
import { Sounds } from './sound/media.ts'
import { type AriChannel, Channels, liveOf } from './ari/messages.ts'
import { OwnerMark } from './ari/owner.ts'
import { ServerWatch } from './ari/server-watch.ts'
import { Patching } from './calls/patching.ts'
import { WitnessRecord } from './calls/record.ts'
import { deleteStored, fetchStored, storedIds } from './sound/recordings.ts'
import type { Names } from './trunks/host-name.ts'
import { rtpOf } from './calls/rtp.ts'
import { SipLog } from './trace/sip-log.ts'
import { Trunks } from './trunks/trunks.ts'
import { SoundPrefetcher } from './sound/prefetch.ts'
import { messageOf } from '../../../lib/error-code.ts'

/** An answered channel enters our application at once, or a moment after our socket is back. */
const insideWithinMs = 5000

export class AsteriskConnection implements DialerConnection {
  readonly speed = 1
  readonly #http: AriHttp
  readonly #link: Link
  readonly #clock = new DialerClock()
  readonly #legs: Legs
  readonly #mark: OwnerMark
  readonly #watch: ServerWatch
  readonly #record: WitnessRecord
  readonly #sipLog: SipLog
  readonly #trunks: Trunks
  readonly #sounds: Sounds
  readonly #prefetcher: SoundPrefetcher
  readonly #patching: Patching
  readonly #dialling: Dialling
  #listener: ((events: DialerEvent[]) => void) | null = null
  /** Events that are not reported yet. */
  #pendingEvents: DialerEvent[] = []
  #isEmitting = false
  /** Requested plays that may not have begun. Whoever ends one waits until it has. */
  readonly #beginning = new Map<string, Promise<void>>()

  constructor(address: DialerAddress, app: string, names: Names) {
    const http = new AriHttp(address)
    this.#http = http
    this.#mark = new OwnerMark(app, http, address.owner)
    this.#watch = new ServerWatch(app, http)
    this.#record = new WitnessRecord(app, http, this.#clock)
    this.#sipLog = new SipLog(app, http)
    this.#trunks = new Trunks(app, http, address, names)
    this.#sounds = new Sounds(address.media)
    this.#prefetcher = new SoundPrefetcher(app, http, this.#sounds)
    this.#legs = new Legs({
      emit: (event) => this.#emit(event),
      answered: (leg) => this.#answered(leg),
      ringing: (leg) => this.#patching.ringBack(leg),
      ended: (leg) => {
        this.#patching.ended(leg)
        this.#sipLog.ended(leg.channelId, leg.callId)
      },
      judged: (leg, end) => this.#judged(leg, end),
      replyTo: (leg, sipStatus) => this.#sipLog.replyTo(leg.callId, sipStatus),
      gone: (leg) => this.#patching.ended(leg),
      record: async (since) => (await this.#record.read(since)).channels,
    })
    const emit = (event: DialerEvent): void => this.#emit(event)
    this.#patching = new Patching({ app, http, legs: this.#legs, emit })
    this.#link = new Link(address, app, http, this.#clock, {
      event: (event) => this.#take(event),
      found: () => this.#mark.claim(),
      opened: (restarted) => this.#opened(restarted),
      emit: (event) => this.#emit(event),
    })
    const parts = { app, http, link: this.#link, legs: this.#legs, trunks: this.#trunks, clock: this.#clock }
    this.#dialling = new Dialling(parts)
  }

  get dialsAtOnce(): number {
    return requestsInFlight(this.#clock.roundTripMs).dials
  }

  get roundTripMs(): number | null {
    return this.#clock.roundTripMs
  }

  open(): Promise<void> {
    return this.#link.open()
  }

  setTrunks(trunks: readonly Trunk[]): Promise<void> {
    return this.#query(() => this.#trunks.set(trunks))
  }

  trunkStates(): Promise<TrunkState[]> {
    return this.#query(() => this.#trunks.states())
  }

  optionsPing(trunk: string): Promise<PingReply> {
    return this.#query(() => this.#trunks.ping(trunk))
  }

  prefetch(media: readonly Media[]): Promise<PrefetchReply> {
    return this.#query(() => this.#prefetcher.prefetch(media))
  }

  tidySounds(unusedOf: (hashes: readonly string[]) => Promise<readonly string[]>): Promise<string[]> {
    return this.#sounds.tidy(unusedOf)
  }

  async dial(request: DialRequest): Promise<DialReply> {
    if (request.isTraced) await this.#sipLog.hold().catch(() => undefined) // dials even if the log cannot be kept on
    this.#sipLog.dialled()
    return this.#dialling.dial(request)
  }

  play(channelId: string, playbackId: string, media: readonly Media[]): Promise<CommandReply> {
    return this.#begins(playbackId, this.#play(channelId, playbackId, media))
  }

  playToBridge(bridgeId: string, playbackId: string, media: readonly Media[]): Promise<CommandReply> {
    const playing = this.#command(async () => {
      const uris = await this.#sounds.urisOf(media).catch(() => null)
      if (uris) return this.#onChannel('POST', `/bridges/${bridgeId}/play/${playbackId}`, { body: { media: uris } })
      this.#emit({ type: 'bridgePlaybackEnded', at: this.#clock.now(), bridgeId, playbackId, failed: true })
      return true
    })
    return this.#begins(playbackId, playing)
  }

  #begins(playbackId: string, playing: Promise<CommandReply>): Promise<CommandReply> {
    const begun = (): void => void this.#beginning.delete(playbackId)
    this.#beginning.set(playbackId, playing.then(begun, begun))
    return playing
  }

  #play(channelId: string, playbackId: string, media: readonly Media[]): Promise<CommandReply> {
    return this.#command(async () => {
      const uris = await this.#sounds.urisOf(media).catch(() => null)
      if (!uris) {
        this.#emit({ type: 'playbackEnded', channelId, at: this.#clock.now(), playbackId, failed: true })
        return true
      }
      await this.#patching.free(channelId)
      await this.#patching.silence(channelId)
      await this.#inside(channelId)
      return this.#onChannel('POST', `/channels/${channelId}/play/${playbackId}`, { body: { media: uris } })
    })
  }

  async stopPlayback(playbackId: string): Promise<CommandReply> {
    await this.#beginning.get(playbackId)
    return this.#command(() => this.#http.did('DELETE', `/playbacks/${playbackId}`))
  }

  async isPlaying(playbackId: string): Promise<boolean> {
    await this.#beginning.get(playbackId)
    return this.#query(() => this.#http.did('GET', `/playbacks/${playbackId}`))
  }

  ringingTone(channelId: string, isOn: boolean): Promise<CommandReply> {
    return this.#command(() => this.#patching.ringingTone(channelId, isOn))
  }

  bridge(bridgeId: string, channelIds: readonly [string, string]): Promise<CommandReply> {
    return this.#command(async () => {
      await Promise.all(channelIds.map((channelId) => this.#inside(channelId)))
      return this.#patching.bridge(bridgeId, channelIds)
    })
  }

  record(bridgeId: string, recordingId: string): Promise<CommandReply> {
    return this.#command(() => this.#patching.record(bridgeId, recordingId))
  }

  fetchRecording(recordingId: string): Promise<Readable> {
    return this.#query(() => fetchStored(this.#http, recordingId))
  }

  deleteRecording(recordingId: string): Promise<CommandReply> {
    return this.#command(() => deleteStored(this.#http, recordingId))
  }

  storedRecordings(): Promise<string[]> {
    return this.#query(() => storedIds(this.#http))
  }

  setTalkMax(channelId: string, talkMsMax: number): Promise<CommandReply> {
    return this.#command(async () => {
      const leg = this.#legs.get(channelId)
      if (!leg) return false
      leg.talkMsMax = talkMsMax
      leg.isLimited = false
      return !leg.isUp || this.#limit(leg)
    })
  }

  hangUp(channelId: string): Promise<CommandReply> {
    return this.#command(() => this.#http.did('DELETE', `/channels/${channelId}`))
  }

  live(): Promise<LiveChannel[]> {
    return this.#query(async () => (await this.#channels()).map(liveOf))
  }

  readRecord(since: number): Promise<DialerRecord> {
    return this.#query(() => this.#record.read(since))
  }

  trimRecord(before: number): Promise<void> {
    return this.#query(() => this.#record.trim(before))
  }

  takeTraces(channelIds: readonly string[]): Promise<SipTrace[]> {
    return this.#query(() => this.#sipLog.take(channelIds))
  }

  rtpOf(channelId: string): Promise<RtpFigures | null> {
    return this.#query(() => rtpOf(this.#http, channelId))
  }

  setFarewell({ waitMs, media }: { waitMs: number; media: readonly Media[] }): Promise<void> {
    return this.#query(async () => this.#watch.setFarewell(waitMs, await this.#sounds.urisOf(media)))
  }

  onEvents(listener: (events: DialerEvent[]) => void): void {
    this.#listener = listener
    this.#emitSoon()
  }

  /** While calls are alive, the dialer keeps its owner: another installation would hang up on them. */
  async close(): Promise<void> {
    const isIdle = async (): Promise<boolean> => (await this.#channels()).length === 0
    if (!this.#link.unavailableReason) {
      await this.#sipLog.close().catch(() => undefined) // otherwise the next client ends it
      await this.#watch.end(isIdle).catch(() => undefined) // otherwise it ends by itself
      await this.#mark.release(isIdle).catch(() => undefined) // otherwise the mark stays, and we may come back
    }
    this.#link.close()
    this.#noEvents()
  }

  #take(event: ChannelAriEvent): void {
    if (this.#watch.isOf(event)) return
    switch (event.type) {
      case 'ChannelLeftBridge':
        this.#patching.left(event)
        break
      case 'RecordingStarted':
      case 'RecordingFinished':
      case 'RecordingFailed':
        this.#patching.recording(event)
        break
      case 'PlaybackFinished':
        this.#prefetcher.take(event)
        this.#patching.played(event)
        this.#legs.take(event)
        break
      default:
        this.#legs.take(event)
    }
  }

  async #opened(restarted: boolean): Promise<void> {
    if (restarted) {
      this.#trunks.forgetPushed()
      await Promise.all([this.#dialling.prove(), this.#record.prove()])
    }
    await this.#watch.begin(this.#clock.now())
    await this.#sipLog.open(restarted).catch(ignoreRefusal) // without a log it can still dial
    await this.#legs.compare(await this.#channels(), this.#clock.now())
    await this.#patching.removeOrphans()
  }

  async #channels(): Promise<AriChannel[]> {
    return this.#watch.without(Channels.parse(await this.#http.ari('GET', '/channels')))
  }

  #answered(leg: Leg): void {
    this.#patching.endRingBack(leg)
    if (leg.talkMsMax === null || leg.isLimited) return
    this.#limit(leg).catch(() => undefined) // sent again when Asterisk answers; until then the limit set at the channel's creation applies
  }

  #judged(leg: Leg, end: HungUp): HungUp {
    this.#sipLog.refused(end.sipStatus)
    const reason = end.answeredAt === null ? faultOf(end) : null // what ends a talk says nothing of the next call
    if (leg.trunk === null || !reason) return end
    this.#trunks.failed(leg.trunk, end.at, reason)
    if (leg.host === null || (end.sipStatus !== null && end.sipStatus < 500)) return end
    this.#trunks.avoid(leg.trunk, leg.host)
    const isElsewhere = !end.alerted && this.#trunks.hasOther(leg.trunk, [...leg.notHosts, leg.host])
    return isElsewhere ? { ...end, failedHost: leg.host } : end
  }

  /** Resolves when sounds can be played to the channel and it can be joined. */
  async #inside(channelId: string): Promise<void> {
    const isInside = (await this.#legs.get(channelId)?.inside(insideWithinMs)) ?? true
    if (!isInside) throw new AriSilence(`channel ${channelId} did not come into the application`, false)
  }

  /**
   * After this time the dialer ends the channel, whatever happens to us. Requests go one after the other: over two sockets, the older limit might
   * arrive last.
   */
  #limit(leg: Leg): Promise<boolean> {
    const limiting = leg.limiting.then(async () => {
      await this.#inside(leg.channelId)
      const leftMs = (leg.answeredAt ?? 0) + (leg.talkMsMax ?? 0) - this.#clock.now()
      const query = { variable: 'TIMEOUT(absolute)', value: seconds(leftMs) }
      const isThere = await this.#onChannel('POST', `/channels/${leg.channelId}/variable`, { query })
      leg.isLimited = true
      return isThere
    })
    leg.limiting = limiting.catch(() => undefined)
    return limiting
  }

  /** False when the channel is gone or about to be. */
  async #onChannel(...request: Parameters<AriHttp['did']>): Promise<boolean> {
    try {
      return await this.#http.did(...request)
    } catch (error) {
      if (error instanceof AriError && error.status === 409) return false
      throw error
    }
  }

  async #command(run: () => Promise<boolean>): Promise<CommandReply> {
    if (this.#link.unavailableReason) return 'lost'
    try {
      return (await run()) ? 'done' : 'gone'
    } catch (error) {
      if (error instanceof AriSilence) return 'lost'
      if (error instanceof AriError) return error.status < 500 ? 'gone' : 'lost'
      throw error
    }
  }

  async #query<T>(run: () => Promise<T>): Promise<T> {
    const reason = this.#link.unavailableReason
    if (reason) throw new TelephonyError(reason)
    try {
      return await run()
    } catch (error) {
      if (error instanceof AriSilence || error instanceof AriError) throw new TelephonyError(messageOf(error))
      throw error
    }
  }

  #noEvents(): void {
    this.#watch.pause()
    this.#legs.lost()
    this.#prefetcher.lost()
  }

  #emit(event: DialerEvent): void {
    if (event.type === 'lost' || event.type === 'replaced') this.#noEvents()
    this.#pendingEvents.push(event)
    this.#emitSoon()
  }

  #emitSoon(): void {
    if (this.#isEmitting) return
    this.#isEmitting = true
    setImmediate(() => {
      this.#isEmitting = false
      if (!this.#listener || this.#pendingEvents.length === 0) return
      const events = this.#pendingEvents
      this.#pendingEvents = []
      this.#listener(events)
    })
  }
}
