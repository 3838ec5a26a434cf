import type { DialerEvent } from '../../driver.ts'
import { AriError, type AriHttp } from '../ari/http.ts'
import { failureHoldMs, type Leg } from './leg.ts'
import type { Legs } from './legs.ts'
import { type AriEvent, Bridges } from '../ari/messages.ts'
import { nameOf, recordingIdOf } from '../sound/recordings.ts'
import { prefetchBridges } from '../sound/prefetch.ts'

type RecordingEvent = Extract<AriEvent, { type: 'RecordingStarted' | 'RecordingFinished' | 'RecordingFailed' }>
type PlaybackEvent = Extract<AriEvent, { type: 'PlaybackFinished' }>
type LeftBridge = Extract<AriEvent, { type: 'ChannelLeftBridge' }>

const ringingTone = 'tone:425/1000,0/4000'
/** At most one for each channel, and named after it, so that any client that finds the channel can end the tone. */
const ringingOf = (hearerId: string): string => `${hearerId}-ringing`
export const isRinging = (playbackId: string): boolean => playbackId.endsWith(ringingOf(''))

/** Joins and records channels, and plays the ringing tone to one while the other rings. Our bridges' names contain our application's. */
export class Patching {
  readonly #app: string
  readonly #http: AriHttp
  readonly #legs: Legs
  readonly #emit: (event: DialerEvent) => void
  readonly #recordedSince = new Map<string, number>()
  readonly #ringBacks = new Map<string, Promise<unknown>>()
  /** Bridge ids by channel. */
  readonly #joined = new Map<string, string>()
  readonly #leaving = new Map<string, Promise<unknown>>()

  constructor(parts: { app: string; http: AriHttp; legs: Legs; emit: (event: DialerEvent) => void }) {
    this.#app = parts.app
    this.#http = parts.http
    this.#legs = parts.legs
    this.#emit = parts.emit
  }

  /** False when one of the channels is gone. */
  async bridge(bridgeId: string, channelIds: readonly [string, string]): Promise<boolean> {
    await Promise.all(channelIds.map((channelId) => this.silence(channelId)))
    if (channelIds.some((channelId) => this.#legs.get(channelId)?.isUp === false)) return false
    await this.#http.ari('POST', `/bridges/${bridgeId}`, { query: { type: 'mixing', name: this.#app } })
    try {
      await this.#http.ari('POST', `/bridges/${bridgeId}/addChannel`, { query: { channel: channelIds.join(',') } })
      for (const channelId of channelIds) this.#joined.set(channelId, bridgeId)
      return true
    } catch (error) {
      await this.#end(bridgeId)
      if (error instanceof AriError && error.status < 500) return false // one of them is gone, or about to be
      throw error
    }
  }

  async record(bridgeId: string, recordingId: string): Promise<boolean> {
    const query = { name: nameOf(recordingId), format: 'wav', ifExists: 'fail' }
    try {
      return await this.#http.did('POST', `/bridges/${bridgeId}/record`, { query })
    } catch (error) {
      if (error instanceof AriError && error.status === 409) return false
      throw error
    }
  }

  recording({ type, recording, timestamp }: RecordingEvent): void {
    const recordingId = recordingIdOf(recording.name)
    if (recordingId === null) return
    if (type === 'RecordingStarted') {
      this.#recordedSince.set(recordingId, timestamp)
      return
    }
    const since = this.#recordedSince.get(recordingId)
    this.#recordedSince.delete(recordingId)
    const durationMs = since === undefined ? (recording.duration ?? 0) * 1000 : timestamp - since
    const bridgeId = recording.target_uri.replace(/^bridge:/, '')
    this.#emit({ type: 'recordingEnded', at: timestamp, bridgeId, recordingId, durationMs })
  }

  played({ playback, timestamp }: PlaybackEvent): void {
    const bridgeId = /^bridge:(.+)$/.exec(playback.target_uri)?.[1]
    if (bridgeId === undefined || ![...this.#joined.values()].includes(bridgeId)) return
    const failed = playback.state === 'failed'
    const emit = (): void =>
      this.#emit({ type: 'bridgePlaybackEnded', at: timestamp, bridgeId, playbackId: playback.id, failed })
    if (failed) setTimeout(emit, failureHoldMs) // a hang-up may be in transit
    else emit()
  }

  /** Only one channel is left, so the bridge ends, and its recording with it. */
  left({ bridge }: LeftBridge): void {
    const [alone, other] = bridge.channels
    if (bridge.name !== this.#app || other !== undefined) return
    if (alone === undefined) void this.#end(bridge.id)
    else void this.#takeOut(alone, bridge.id)
  }

  /** In a bridge that ends, playbacks to a channel are not heard and never reported as ended. So the channel leaves the bridge first. */
  async free(channelId: string): Promise<void> {
    const bridgeId = this.#joined.get(channelId)
    await (this.#leaving.get(channelId) ?? (bridgeId === undefined ? null : this.#takeOut(channelId, bridgeId)))
  }

  #takeOut(channelId: string, bridgeId: string): Promise<unknown> {
    const known = this.#leaving.get(channelId)
    if (known) return known
    const leaving = this.#http
      .did('POST', `/bridges/${bridgeId}/removeChannel`, { query: { channel: channelId } })
      .catch(() => false) // it had left already, or is gone
      .then(() => this.#end(bridgeId))
      .finally(() => {
        this.#leaving.delete(channelId)
        this.#joined.delete(channelId)
      })
    this.#leaving.set(channelId, leaving)
    return leaving
  }

  /** When Asterisk does not answer, the next connection does this. */
  #end(bridgeId: string): Promise<boolean> {
    return this.#http.did('DELETE', `/bridges/${bridgeId}`).catch(() => false)
  }

  /** Bridges outlive their calls and their application. */
  async removeOrphans(): Promise<void> {
    const bridges = Bridges.parse(await this.#http.ari('GET', '/bridges'))
    for (const { id, name, channels } of bridges) {
      if (name === prefetchBridges(this.#app)) await this.#end(id)
      if (name !== this.#app) continue
      const [alone, other] = channels
      if (other !== undefined) for (const channelId of channels) this.#joined.set(channelId, id)
      else if (alone !== undefined) await this.#takeOut(alone, id)
      else await this.#end(id) // otherwise it is ending by itself
    }
  }

  /** Behind the ringing tone of a client that died, the channel's next sounds would wait for ever. */
  async silence(channelId: string): Promise<void> {
    await this.#ringBacks.get(channelId)
    const leg = this.#legs.get(channelId)
    if (!leg?.mayHearRinging) return
    await this.#http.did('DELETE', `/playbacks/${ringingOf(channelId)}`)
    leg.mayHearRinging = false
  }

  /** False: the channel is gone. */
  async ringingTone(hearerId: string, isOn: boolean): Promise<boolean> {
    if (isOn) {
      await this.#ringBacks.get(hearerId) // an earlier tone may be ending
      this.#ring(hearerId)
    } else this.#endRinging(hearerId)
    await this.#ringBacks.get(hearerId)
    return this.#legs.get(hearerId)?.isUp === true
  }

  /** Plays the ringing tone to the waiting channel, after its own sounds. */
  ringBack({ ringBackTo }: Leg): void {
    if (ringBackTo !== null) this.#ring(ringBackTo)
  }

  ended(leg: Leg): void {
    this.endRingBack(leg)
    this.#joined.delete(leg.channelId)
  }

  endRingBack({ ringBackTo }: Leg): void {
    if (ringBackTo !== null) this.#endRinging(ringBackTo)
  }

  #ring(hearerId: string): void {
    if (this.#ringBacks.has(hearerId)) return
    const path = `/channels/${hearerId}/play/${ringingOf(hearerId)}`
    this.#ringBacks.set(
      hearerId,
      this.#http.ari('POST', path, { body: { media: [ringingTone] } }).catch(() => undefined), // without the tone it hears nothing, but is joined all the same
    )
  }

  #endRinging(hearerId: string): void {
    const ringing = this.#ringBacks.get(hearerId)
    if (!ringing) return
    const ended = ringing
      .then(() => this.#http.did('DELETE', `/playbacks/${ringingOf(hearerId)}`))
      .catch(() => {
        const hearer = this.#legs.get(hearerId)
        if (hearer) hearer.mayHearRinging = true
      })
      .finally(() => {
        if (this.#ringBacks.get(hearerId) === ended) this.#ringBacks.delete(hearerId)
      })
    this.#ringBacks.set(hearerId, ended)
  }
}
