import type { Readable } from 'node:stream'
import type { SipOptions } from '@ghanti/contract/sip-options.ts'

/** Telephony as the engine sees it. Each dialer has one connection, owned by whoever holds the dialer's lease. */
export interface TelephonyDriver {
  /** As in a dialer's row: 'simulator' or 'asterisk'. */
  readonly name: string
  /** Its calls last shorter than their times say, so that they end in the future: what is stored of a call ends when its end is reported. */
  readonly runsAhead?: boolean
  /**
   * Connects and takes over the dialer's events; the client that had them gets `replaced`. Rejects with TelephonyError when the dialer cannot be
   * reached within 5 s. Afterwards it reconnects by itself until it is closed or replaced.
   */
  connect(dialer: DialerAddress): Promise<DialerConnection>
  /**
   * Tells a dialer that nobody is connected to that somebody will be in a moment, so that it does not end its calls meanwhile. Absent: its dialers keep
   * their calls anyway. Rejects when it cannot be told.
   */
  announce?(dialer: DialerAddress): Promise<void>
}

export type DialerAddress = {
  host: string
  port: number
  user: string
  secret: string
  /** SHA-256 of the dialer's certificate in hex, with or without colons. Null: no TLS, for the loopback or a private tunnel. */
  certificate: string | null
  media: MediaPlace
  /** Becomes the dialer's owner. Connecting is refused while the dialer has another owner. Left out: ownership is not checked. */
  owner?: DialerOwner
}

/** Names a dialer's row. `installation` has no '/'. */
export type DialerOwner = { installation: string; dialerId: number; name: string }

/** Where the dialer finds a sound: `${folder}/${hash}.wav`, which we write at the same path; or an HTTP address, which never changes for a hash. */
export type MediaPlace = { folder: string } | { addressOf: (hash: string) => string }

/** Calls to a trunk that was never set, or not since the dialer started, are refused. */
export type Trunk = {
  name: string
  host: string
  port: number
  transport: 'udp' | 'tcp' | 'tls'
  /** The account at the operator; '': none. */
  user: string
  secret: string
  codecs: readonly string[]
  /** Whether to register with user and secret, for operators that require it. */
  registers: boolean
  /** How the caller ID is written: 015970001, 97715970001, +97715970001, or as entered. */
  cliFormat: 'national' | 'e164' | 'plus' | 'asIs'
  /** Which header contains the caller ID. auto: P-Asserted-Identity where From names the user, else From. asserted: From names the user. */
  cliHeader: 'auto' | 'from' | 'asserted' | 'both'
  /** This prefix is removed from the called number, 97798…, and `numberPrefix` put in its place. */
  numberStrip: string
  numberPrefix: string
  /** Settings that only some operators need. A simulated network has no SIP and ignores them. */
  options: SipOptions
}

export type TrunkState = {
  name: string
  /** Whether it answers OPTIONS; null when not known yet, or not asked. */
  reachable: boolean | null
  /** Null when it does not register, or the dialer does not report it. */
  registered: 'registered' | 'unregistered' | 'rejected' | null
  roundTripMs: number | null
  /** Why its settings allow no call, so that calls to it are refused; null when nothing is known against it. */
  fault: string | null
  /** The last failure that was the trunk's own fault since this connection began. */
  lastFailure: { at: number; reason: string } | null
}

export type PingReply = { reachable: true; roundTripMs: number | null } | { reachable: false; reason: string }

/** A sound. `hash` is the SHA-256 of the file at `path`. */
export type Media = { hash: string; path: string; durationMs: number }

/** Sounds that calls could not play, with reasons. Empty when all are ready on the dialer. */
export type PrefetchReply = { failed: readonly { hash: string; reason: string }[] }

/**
 * All times are Unix milliseconds by the dialer's clock. A channel is one leg of a call. The engine chooses its name, and uses it once. A command to
 * a channel that is gone is no error: it returns 'gone', and the channel's hungUp was or will be delivered.
 */
export interface DialerConnection {
  /** How many times faster than real this network's calls pass; 1 for a real one. The engine divides a call's waits by it. */
  readonly speed: number
  /** How many `dial` may be open at once. More would only slow the dialer down. */
  readonly dialsAtOnce: number
  /** The shortest round trip of the last minute; null when not measured. */
  readonly roundTripMs: number | null
  /** Sets all trunks of the dialer; idempotent. To be called after connect and after each `restored`, before dialling. */
  setTrunks(trunks: readonly Trunk[]): Promise<void>
  trunkStates(): Promise<TrunkState[]>
  /** Asks the trunk's host now (SIP OPTIONS). */
  optionsPing(trunk: string): Promise<PingReply>
  /** Brings sounds to the dialer and proves that each can be played. To be called before a campaign dials and after each `restored`. */
  prefetch(media: readonly Media[]): Promise<PrefetchReply>
  /**
   * Removes copies of sounds that were not used for a day and that `unusedOf` returns, and resolves with their hashes. A sound that is needed again
   * is brought again. A dialer that fetches its sounds itself keeps them.
   */
  tidySounds(unusedOf: (hashes: readonly string[]) => Promise<readonly string[]>): Promise<string[]>
  /**
   * Rings a customer's or an agent's number. The driver never repeats the request; the caller may only after 'notSent'. The first events of the
   * channel may come before the reply.
   */
  dial(request: DialRequest): Promise<DialReply>
  /** Plays without gaps, after whatever the channel is still playing. Ends with playbackEnded. */
  play(channelId: string, playbackId: string, media: readonly Media[]): Promise<CommandReply>
  /** Ends the playback at once, with playbackEnded. 'gone': it has ended already. */
  stopPlayback(playbackId: string): Promise<CommandReply>
  isPlaying(playbackId: string): Promise<boolean>
  /**
   * Plays the ringing tone to an answered channel, after its own sounds, or ends it. A channel that rings and was dialled with this one as its `ringBackTo`
   * takes the tone over: it ends when that channel is answered or gone.
   */
  ringingTone(channelId: string, isOn: boolean): Promise<CommandReply>
  /** Joins two answered channels. When one hangs up, the other stays until it is hung up. */
  bridge(bridgeId: string, channelIds: readonly [string, string]): Promise<CommandReply>
  /** Plays to both sides of a bridge while they hear each other. Ends with bridgePlaybackEnded, except perhaps when the bridge ends first. */
  playToBridge(bridgeId: string, playbackId: string, media: readonly Media[]): Promise<CommandReply>
  /** Records both sides of a bridge until one of them leaves; ends with recordingEnded. */
  record(bridgeId: string, recordingId: string): Promise<CommandReply>
  /** 8 kHz mono 16-bit wav of an ended recording. Rejects with TelephonyError when there is none. */
  fetchRecording(recordingId: string): Promise<Readable>
  deleteRecording(recordingId: string): Promise<CommandReply>
  /** Ended recordings that the dialer still has, even if nobody saw their end. */
  storedRecordings(): Promise<string[]>
  /** The longest time that an answered channel may last, from its answer. The dialer enforces it, with or without us. */
  setTalkMax(channelId: string, talkMsMax: number): Promise<CommandReply>
  hangUp(channelId: string): Promise<CommandReply>
  /** Every living channel, also of other applications. Rejects with TelephonyError when that cannot be known. */
  live(): Promise<LiveChannel[]>
  /** The dialer's own record of channels that began at or after `since`, which shows what happened while nobody listened. */
  readRecord(since: number): Promise<DialerRecord>
  /** Every channel that began before `before` is settled, so the dialer may forget it. */
  trimRecord(before: number): Promise<void>
  /**
   * The SIP messages of ended channels, without secrets. A channel whose messages the dialer does not have is left out; when it is busy, these are
   * the oldest. To be asked at least every 10 s while there are calls, a second after their ends, and once for each channel.
   */
  takeTraces(channelIds: readonly string[]): Promise<SipTrace[]>
  /** Quality of an answered channel's sound so far; null when it is gone or has no sound yet. */
  rtpOf(channelId: string): Promise<RtpFigures | null>
  /**
   * What the dialer does when no client is connected any more: after this time it plays these sounds to its answered calls, one after the other, and hangs
   * up. It remembers that until it restarts. Absent: its calls go on.
   */
  setFarewell?(farewell: { waitMs: number; media: readonly Media[] }): Promise<void>
  /** Events in order, in batches, for one listener. Events during a lost connection are lost; live and readRecord show what happened. */
  onEvents(listener: (events: DialerEvent[]) => void): void
  close(): Promise<void>
}

export type DialRequest = {
  /**
   * Letters, digits and '-', at most 80. Never the beginning of a living channel's name: Asterisk would confuse the two
   * (dispatch/channel-names.ts).
   */
  channelId: string
  trunk: string
  cli: string
  /** E.164. Throws for a number that the contract's dialable() does not return unchanged. */
  number: string
  /**
   * The longest ringing; after it comes hungUp by 'ringTimeout'. It comes after the trunk's `silentSeconds` when the far end has replied nothing at all,
   * not even 100 Trying, and its cause is then `silentCause`.
   */
  ringMs: number
  /** The longest answered time; after it comes hungUp by 'timeLimit'. */
  talkMsMax: number
  /** Hosts of the trunk, by `HungUp.failedHost`, that the attempt has tried and that are not called again. */
  notHosts?: readonly string[] | undefined
  /** How long the request may take. 'notSent': it could not leave in time; 'unknown': it left but was not answered. */
  deadlineMs: number
  /** An answered channel that hears the ringing tone while this one rings. */
  ringBackTo?: string | undefined
  /** Keeps its SIP messages in any case, as for a test call. */
  isTraced?: boolean | undefined
}

export type DialReply =
  /** It rings or will ring; events follow. */
  | { outcome: 'dialled' }
  /** The dialer refused at once and nothing rang: the trunk is unknown or unreachable. */
  | { outcome: 'trunkFault'; reason: string }
  /** A channel of that name is alive, but it may not be this call's: ask live(), then readRecord(). */
  | { outcome: 'exists' }
  /** The request certainly did not leave. */
  | { outcome: 'notSent'; reason: string }
  /** It may have rung: ask live(), then readRecord(). */
  | { outcome: 'unknown'; reason: string }

/** 'lost': no connection, or no answer in 5 s. The command may have been carried out. */
export type CommandReply = 'done' | 'gone' | 'lost'

export type LiveChannel = { channelId: string; state: 'dialling' | 'ringing' | 'up' }

/**
 * What ended a channel: the called person; the network between (any refusal or failure, and whatever the dialer itself ended because sound or SIP
 * failed); or we, by hangUp, ring timeout or time limit.
 */
export type EndedBy = 'callee' | 'network' | 'hangUp' | 'ringTimeout' | 'timeLimit'

export type ChannelEvent =
  | { type: 'ringing'; channelId: string; at: number }
  /** Early media: tones or an announcement before any answer. */
  | { type: 'progress'; channelId: string; at: number }
  | { type: 'answered'; channelId: string; at: number }
  /** 0-9, *, #; reported when the key is released. */
  | { type: 'digit'; channelId: string; at: number; digit: string }
  /** `failed`: nothing was heard. */
  | { type: 'playbackEnded'; channelId: string; at: number; playbackId: string; failed: boolean }
  | { type: 'bridgePlaybackEnded'; at: number; bridgeId: string; playbackId: string; failed: boolean }
  | { type: 'recordingEnded'; at: number; bridgeId: string; recordingId: string; durationMs: number }
  | HungUp

/** The only end of a channel, reported once. */
export type HungUp = {
  type: 'hungUp'
  channelId: string
  at: number
  startedAt: number
  /**
   * Null when it was not answered, or nobody could hear anything because no sound could be sent, or no client was connected from the answer on. The billed
   * time is from here to `at` less `silentMs`.
   */
  answeredAt: number | null
  endedBy: EndedBy
  /** For so long before its end no sound came from the far end, for which the dialer ended it, or no client was connected; absent otherwise. */
  silentMs?: number | undefined
  /** It was answered, and not one packet of sound was sent to it: it was on hold all the time, or nothing was played. Absent otherwise. */
  soundless?: true | undefined
  /** The far end's final status; null when we ended it, or it was answered. */
  sipStatus: number | null
  /** Q.850; null when there was none. Of a refusal it is the operator's own (Reason header) where the driver sees that, otherwise what its status stands for. */
  cause: number | null
  /** Whether it rang or gave early media. */
  alerted: boolean
  /** How long a far end without capacity asked to wait; absent when it did not ask, or the driver cannot see it. */
  retryAfterMs?: number | undefined
  /**
   * The host of the trunk that did not carry the call, before anything rang, while the trunk has another that was not in `notHosts`. The call may be
   * dialled there, under another name. Absent otherwise.
   */
  failedHost?: string | undefined
}

export type DialerEvent =
  | ChannelEvent
  /** The dialer is silent, but its calls continue. Begin no new ones until `restored`. */
  | { type: 'lost'; at: number; reason: string }
  /** Events flow again: set the trunks, and compare live() and readRecord() with the calls in flight. */
  | { type: 'restored'; at: number }
  /** Another client took the dialer over: the lease is gone, and this connection is useless. */
  | { type: 'replaced'; at: number }

export type ChannelRecord = {
  channelId: string
  startedAt: number
  /** As in HungUp. */
  answeredAt: number | null
  /** Null: it is alive or, when startedAt is before `upSince`, died with the dialer. */
  endedAt: number | null
  /** Q.850; null while endedAt is. */
  cause: number | null
  /** The far end or the network ended it. False when we did (hang-up, ring timeout, time limit), and while endedAt is null. */
  endedByFarEnd: boolean
  /** Somebody took it, although it does not count as answered. Absent: the record does not say whether it rang. */
  alerted?: true | undefined
  /** As in HungUp. */
  silentMs?: number | undefined
  /** As in HungUp. */
  soundless?: true | undefined
}

export type DialerRecord = {
  /** Since when the dialer has run without interruption. A channel dialled later that is not in `channels` was never dialled. */
  upSince: number
  channels: Map<string, ChannelRecord>
}

export type SipTrace = { channelId: string; messages: SipMessage[] }

export type SipMessage = {
  at: number
  /** The dialer sent it. False: it received it. */
  sent: boolean
  transport: 'UDP' | 'TCP' | 'TLS'
  /** Address and port of the dialer, as it names itself, and of the far end. */
  dialer: string
  peer: string
  text: string
}

/**
 * `received` as the dialer measures it; `sent` as the far end reports it (RTCP), null when it reports nothing. `sentPackets`: how many the dialer sent,
 * whether or not they arrived.
 */
export type RtpFigures = { received: RtpWay; sent: RtpWay | null; sentPackets: number }
type RtpWay = { packets: number; lost: number; jitterMs: number }

export class TelephonyError extends Error {
  override readonly name = 'TelephonyError'
}
