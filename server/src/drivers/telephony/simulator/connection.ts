import { dialable } from '@ghanti/contract/phone.ts'
import { access } from 'node:fs/promises'
import { type Readable } from 'node:stream'
import {
  type CommandReply,
  type DialerConnection,
  type DialerEvent,
  type DialerRecord,
  type DialReply,
  type DialRequest,
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
import type { InputOf, OperationName, ReplyOf } from './protocol.ts'
import { toneWav } from './tone.ts'

/** A request without a reply. `left`: it may have been carried out. */
export class LinkError extends Error {
  readonly left: boolean
  constructor(message: string, left: boolean) {
    super(message)
    this.left = left
  }
}

/** The transport to a network: a call within this process, or a socket. Requests reject with LinkError. */
export interface Link {
  readonly speed: number
  request<Name extends OperationName>(name: Name, input: InputOf[Name], deadlineMs: number): Promise<ReplyOf[Name]>
  onEvents(listener: (events: DialerEvent[]) => void): void
  close(): Promise<void>
}

const commandDeadlineMs = 5000
const queryDeadlineMs = 30_000

export class SimulatorConnection implements DialerConnection {
  readonly speed: number
  readonly dialsAtOnce = Infinity
  readonly roundTripMs = null
  readonly #link: Link

  constructor(link: Link) {
    this.#link = link
    this.speed = link.speed
  }

  async setTrunks(trunks: readonly Trunk[]): Promise<void> {
    const settings = trunks.map(({ name, host, port, registers, options }) => ({
      name,
      host,
      port,
      registers,
      options,
    }))
    await this.#query('setTrunks', { trunks: settings })
  }

  trunkStates(): Promise<TrunkState[]> {
    return this.#query('trunkStates', {})
  }

  optionsPing(trunk: string): Promise<PingReply> {
    return this.#query('optionsPing', { trunk })
  }

  /** Nothing is played here, but as on a real dialer, a prompt without its file fails. */
  async prefetch(media: readonly Media[]): Promise<PrefetchReply> {
    await this.live() // as on a real dialer, this needs a connection
    const checked = await Promise.all(
      media.map(({ hash, path }) =>
        access(path).then(
          () => [],
          () => [{ hash, reason: 'its file is not there' }],
        ),
      ),
    )
    return { failed: checked.flat() }
  }

  /** No sounds were brought anywhere. */
  async tidySounds(): Promise<string[]> {
    return []
  }

  async dial(request: DialRequest): Promise<DialReply> {
    if (dialable(request.number)?.e164 !== request.number) throw new Error('not a dialable number in E.164')
    if (!/^[A-Za-z0-9-]{1,80}$/.test(request.channelId)) throw new Error(`not a channel id: ${request.channelId}`)
    try {
      return await this.#link.request('dial', request, request.deadlineMs)
    } catch (error) {
      if (!(error instanceof LinkError)) throw error
      return { outcome: error.left ? 'unknown' : 'notSent', reason: error.message }
    }
  }

  play(channelId: string, playbackId: string, media: readonly Media[]): Promise<CommandReply> {
    return this.#command('play', { channelId, playbackId, media: [...media] })
  }

  stopPlayback(playbackId: string): Promise<CommandReply> {
    return this.#command('stopPlayback', { playbackId })
  }

  isPlaying(playbackId: string): Promise<boolean> {
    return this.#query('isPlaying', { playbackId })
  }

  ringingTone(channelId: string, isOn: boolean): Promise<CommandReply> {
    return this.#command('ringingTone', { channelId, isOn })
  }

  bridge(bridgeId: string, [one, other]: readonly [string, string]): Promise<CommandReply> {
    return this.#command('bridge', { bridgeId, channelIds: [one, other] })
  }

  playToBridge(bridgeId: string, playbackId: string, media: readonly Media[]): Promise<CommandReply> {
    return this.#command('playToBridge', { bridgeId, playbackId, media: [...media] })
  }

  record(bridgeId: string, recordingId: string): Promise<CommandReply> {
    return this.#command('record', { bridgeId, recordingId })
  }

  async fetchRecording(recordingId: string): Promise<Readable> {
    const durationMs = await this.#query('recordingMs', { recordingId })
    if (durationMs === null) throw new TelephonyError(`no recording ${recordingId}`)
    return toneWav(durationMs)
  }

  deleteRecording(recordingId: string): Promise<CommandReply> {
    return this.#command('deleteRecording', { recordingId })
  }

  storedRecordings(): Promise<string[]> {
    return this.#query('storedRecordings', {})
  }

  setTalkMax(channelId: string, talkMsMax: number): Promise<CommandReply> {
    return this.#command('setTalkMax', { channelId, talkMsMax })
  }

  hangUp(channelId: string): Promise<CommandReply> {
    return this.#command('hangUp', { channelId })
  }

  live(): Promise<LiveChannel[]> {
    return this.#query('live', {})
  }

  async readRecord(since: number): Promise<DialerRecord> {
    const { upSince, channels } = await this.#query('readRecord', { since })
    return { upSince, channels: new Map(channels.map((channel) => [channel.channelId, channel])) }
  }

  async trimRecord(before: number): Promise<void> {
    await this.#query('trimRecord', { before })
  }

  takeTraces(channelIds: readonly string[]): Promise<SipTrace[]> {
    return this.#query('takeTraces', { channelIds: [...channelIds] })
  }

  rtpOf(channelId: string): Promise<RtpFigures | null> {
    return this.#query('rtpOf', { channelId })
  }

  onEvents(listener: (events: DialerEvent[]) => void): void {
    this.#link.onEvents(listener)
  }

  close(): Promise<void> {
    return this.#link.close()
  }

  async #command<
    Name extends
      | 'play'
      | 'stopPlayback'
      | 'ringingTone'
      | 'bridge'
      | 'playToBridge'
      | 'record'
      | 'deleteRecording'
      | 'setTalkMax'
      | 'hangUp',
  >(name: Name, input: InputOf[Name]): Promise<CommandReply> {
    try {
      return (await this.#link.request(name, input, commandDeadlineMs)) ? 'done' : 'gone'
    } catch (error) {
      if (error instanceof LinkError) return 'lost'
      throw error
    }
  }

  async #query<Name extends OperationName>(name: Name, input: InputOf[Name]): Promise<ReplyOf[Name]> {
    try {
      return await this.#link.request(name, input, queryDeadlineMs)
    } catch (error) {
      if (error instanceof LinkError) throw new TelephonyError(error.message)
      throw error
    }
  }
}
