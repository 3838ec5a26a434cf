import type { Readable } from 'node:stream'
import type { SipOptions } from '@ghanti/contract/sip-options.ts'

/** Each dialer has one connection, owned by whoever holds its lease. */
export interface TelephonyDriver {
  /** As in a dialer's row: 'simulator' or 'asterisk'. */
  readonly name: string
  /**
   * Takes over the dialer's events; the client that had them gets `replaced`. Rejects with TelephonyError when the dialer cannot be reached within 5 s.
   * Afterwards it reconnects by itself until it is closed or replaced.
   */
  connect(dialer: DialerAddress): Promise<DialerConnection>
}

export type DialerAddress = {
  host: string
  port: number
  user: string
  secret: string
  /** SHA-256 in hex, with or without colons. Null: no TLS, for the loopback or a private tunnel. */
  certificate: string | null
  media: MediaPlace
  /** Connecting is refused while the dialer has another owner. Left out: not checked. */
  owner?: DialerOwner
}

/** `installation` has no '/'. */
export type DialerOwner = { installation: string; dialerId: number; name: string }

/** `${folder}/${hash}.wav`, which we write at the same path; or an HTTP address, which never changes for a hash. */
export type MediaPlace = { folder: string } | { addressOf: (hash: string) => string }

/** Calls are refused until the trunk was set since the dialer started. */
export type Trunk = {
  name: string
  host: string
  port: number
  transport: 'udp' | 'tcp' | 'tls'
  /** At the operator; '': none. */
  user: string
  secret: string
  codecs: readonly string[]
  /** With user and secret. */
  registers: boolean
  /** 015970001, 97715970001, +97715970001, or as entered. */
  cliFormat: 'national' | 'e164' | 'plus' | 'asIs'
  /** auto: P-Asserted-Identity where From names the user, else From. asserted: From names the user. */
  cliHeader: 'auto' | 'from' | 'asserted' | 'both'
  /** Removed from the called number, 97798…, and replaced by `numberPrefix`. */
  numberStrip: string
  numberPrefix: string
  /** For some operators. A simulated network has no SIP and ignores them. */
  options: SipOptions
}

export type TrunkState = {
  name: string
  /** To OPTIONS; null when not known yet, or not asked. */
  reachable: boolean | null
  /** Null when it does not register, or the dialer does not report it. */
  registered: 'registered' | 'unregistered' | 'rejected' | null
  roundTripMs: number | null
  /** Calls to the trunk are refused; null when nothing is known against it. */
  fault: string | null
  /** The trunk's own fault, since this connection began. */
  lastFailure: { at: number; reason: string } | null
}

export type PingReply = { reachable: true; roundTripMs: number | null } | { reachable: false; reason: string }

/** `hash`: SHA-256 of the file at `path`. */
export type Media = { hash: string; path: string; durationMs: number }

/** Empty when all sounds are ready on the dialer. */
export type WarmReply = { failed: readonly { hash: string; reason: string }[] }

/**
 * Times are Unix milliseconds by the dialer's clock. A channel is one leg of a call; the engine chooses its name, and uses it once. A command to a
 * channel that is gone is no error: it returns 'gone', and the channel's hungUp was or will be delivered.
 */
export interface DialerConnection {
  /** Faster than real; 1 for a real network. The engine divides a call's waits by it. */
  readonly speed: number
  /** Open `dial` requests; more would only slow the dialer down. */
  readonly dialsAtOnce: number
  /** Of the last minute; null when not measured. */
  readonly roundTripMs: number | null
  /** Idempotent. After connect and after each `restored`, before dialling. */
  setTrunks(trunks: readonly Trunk[]): Promise<void>
  trunkStates(): Promise<TrunkState[]>
  /** SIP OPTIONS. */
  optionsPing(trunk: string): Promise<PingReply>
  /** Proves that each can be played. Before a campaign dials and after each `restored`. */
  warm(media: readonly Media[]): Promise<WarmReply>
  /**
   * Of copies unused for a day, those that `unusedOf` returns. A sound that is needed again is brought again. A dialer that fetches its sounds itself keeps
   * them.
   */
  tidySounds(unusedOf: (hashes: readonly string[]) => Promise<readonly string[]>): Promise<string[]>
  /** Never repeated by the driver; the caller may only after 'notSent'. The channel's first events may come before the reply. */
  dial(request: DialRequest): Promise<DialReply>
  /** Plays without gaps, after whatever the channel is still playing. Ends with playbackEnded. */
  play(channelId: string, playbackId: string, media: readonly Media[]): Promise<CommandReply>
  /** Ends the playback at once, with playbackEnded. 'gone': it has ended already. */
  stopPlayback(playbackId: string): Promise<CommandReply>
  isPlaying(playbackId: string): Promise<boolean>
  /** When one hangs up, the other stays until it is hung up. */
  bridge(bridgeId: string, channelIds: readonly [string, string]): Promise<CommandReply>
  /** While both sides hear each other. Ends with bridgePlaybackEnded, except perhaps when the bridge ends first. */
  playToBridge(bridgeId: string, playbackId: string, media: readonly Media[]): Promise<CommandReply>
  /** Both sides, until one of them leaves; ends with recordingEnded. */
  record(bridgeId: string, recordingId: string): Promise<CommandReply>
  /** 8 kHz mono 16-bit wav of an ended recording. Rejects with TelephonyError when there is none. */
  fetchRecording(recordingId: string): Promise<Readable>
  deleteRecording(recordingId: string): Promise<CommandReply>
  /** Ended ones, even if nobody saw their end. */
  storedRecordings(): Promise<string[]>
  /** From its answer. The dialer enforces it, with or without us. */
  setTalkMax(channelId: string, talkMsMax: number): Promise<CommandReply>
  hangUp(channelId: string): Promise<CommandReply>
  /** Other applications' too. Rejects with TelephonyError when that cannot be known. */
  live(): Promise<LiveChannel[]>
  /** Of channels that began at or after `since`: what happened while nobody listened. */
  readRecord(since: number): Promise<DialerRecord>
  /** All channels that began before `before` are settled. */
  trimRecord(before: number): Promise<void>
  /**
   * Of ended channels, without secrets; those that the dialer does not have are left out, the oldest when it is busy. At least every 10 s while there are
   * calls, a second after their ends, and once for each channel.
   */
  takeTraces(channelIds: readonly string[]): Promise<SipTrace[]>
  /** So far; null when the channel is gone or has no sound yet. */
  rtpOf(channelId: string): Promise<RtpFigures | null>
  /** In order, in batches, one listener. Events of a lost connection are lost; live and readRecord show what happened. */
  onEvents(listener: (events: DialerEvent[]) => void): void
  close(): Promise<void>
}

export type DialRequest = {
  /** Letters, digits and '-', at most 80. Never the beginning of a living channel's name, which Asterisk would confuse (engine/dial/channel-names.ts). */
  channelId: string
  trunk: string
  cli: string
  /** E.164. Throws unless the contract's dialable() returns it unchanged. */
  number: string
  /** Then hungUp by 'ringTimeout'. */
  ringMs: number
  /** Then hungUp by 'timeLimit'. */
  talkMsMax: number
  /** 'notSent': it could not leave in time; 'unknown': it left but was not answered. */
  deadlineMs: number
  /** It hears the ringing tone while this one rings. */
  ringBackTo?: string | undefined
  /** As for a test call: keeps the SIP messages in any case. */
  isTraced?: boolean | undefined
}

export type DialReply =
  /** It rings or will ring; events follow. */
  | { outcome: 'dialled' }
  /** At once, so nothing rang: the trunk is unknown or unreachable. */
  | { outcome: 'trunkFault'; reason: string }
  /** The living channel of that name may not be this call's: ask live(), then readRecord(). */
  | { outcome: 'exists' }
  /** Certainly. */
  | { outcome: 'notSent'; reason: string }
  /** It may have rung: ask live(), then readRecord(). */
  | { outcome: 'unknown'; reason: string }

/** 'lost': no connection, or no answer in 5 s; it may have been carried out. */
export type CommandReply = 'done' | 'gone' | 'lost'

export type LiveChannel = { channelId: string; state: 'dialling' | 'ringing' | 'up' }

/** 'network': any refusal or failure between. 'hangUp', 'ringTimeout', 'timeLimit': we. */
export type EndedBy = 'callee' | 'network' | 'hangUp' | 'ringTimeout' | 'timeLimit'

export type ChannelEvent =
  | { type: 'ringing'; channelId: string; at: number }
  /** Early media. */
  | { type: 'progress'; channelId: string; at: number }
  | { type: 'answered'; channelId: string; at: number }
  /** 0-9, *, #; when the key is released. */
  | { type: 'digit'; channelId: string; at: number; digit: string }
  /** `failed`: nothing was heard. */
  | { type: 'playbackEnded'; channelId: string; at: number; playbackId: string; failed: boolean }
  | { type: 'bridgePlaybackEnded'; at: number; bridgeId: string; playbackId: string; failed: boolean }
  | { type: 'recordingEnded'; at: number; bridgeId: string; recordingId: string; durationMs: number }
  | HungUp

/** Once a channel. */
export type HungUp = {
  type: 'hungUp'
  channelId: string
  at: number
  startedAt: number
  /** Null: not answered. Billed is `at` minus this. */
  answeredAt: number | null
  endedBy: EndedBy
  /** The far end's final status; null when we ended it, or it was answered. */
  sipStatus: number | null
  /** Q.850; null when there was none. */
  cause: number | null
  /** It rang or gave early media before. */
  alerted: boolean
  /** Asked for by a far end without capacity; absent when it did not ask, or the driver cannot see it. */
  retryAfterMs?: number | undefined
}

export type DialerEvent =
  | ChannelEvent
  /** Its calls continue. Begin no new ones until `restored`. */
  | { type: 'lost'; at: number; reason: string }
  /** Set the trunks, and compare live() and readRecord() with the calls in flight. */
  | { type: 'restored'; at: number }
  /** By another client: the lease is gone, and this connection is useless. */
  | { type: 'replaced'; at: number }

export type ChannelRecord = {
  channelId: string
  startedAt: number
  answeredAt: number | null
  /** Null: it is alive or, when startedAt is before `upSince`, died with the dialer. */
  endedAt: number | null
  /** Q.850; null while endedAt is. */
  cause: number | null
  /** Not by us (hang-up, ring timeout, time limit). False while endedAt is null. */
  endedByFarEnd: boolean
}

export type DialerRecord = {
  /** Without interruption. A channel dialled later that is not in `channels` was never dialled. */
  upSince: number
  channels: Map<string, ChannelRecord>
}

export type SipTrace = { channelId: string; messages: SipMessage[] }

export type SipMessage = {
  at: number
  /** By the dialer; otherwise it was received. */
  sent: boolean
  transport: 'UDP' | 'TCP' | 'TLS'
  /** As the dialer names itself. */
  dialer: string
  peer: string
  text: string
}

/** `received`: measured by the dialer; `sent`: reported by the far end (RTCP), null when it reports nothing. */
export type RtpFigures = { received: RtpWay; sent: RtpWay | null }
type RtpWay = { packets: number; lost: number; jitterMs: number }

export class TelephonyError extends Error {
  override readonly name = 'TelephonyError'
}
