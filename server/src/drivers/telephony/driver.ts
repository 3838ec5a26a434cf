import type { Readable } from 'node:stream'

/** Telephony as the engine sees it. One connection per dialer, held by whoever holds the dialer's lease. */
export interface TelephonyDriver {
  /** What a dialer row names: 'simulator', 'asterisk'. */
  readonly name: string
  /**
   * Connects and takes over the dialer's events; a client that had them gets `replaced`. Rejects with TelephonyError when the dialer cannot be
   * reached within 5 s; once connected it reconnects by itself until it is closed or replaced.
   */
  connect(dialer: DialerAddress): Promise<DialerConnection>
}

export type DialerAddress = {
  host: string
  port: number
  user: string
  secret: string
  /** SHA-256 of the dialer's certificate in hex, with or without colons; null: no TLS, for the loopback or a private tunnel. */
  certificate: string | null
  media: MediaPlace
  /** Whose the dialer is from now on: connecting is refused while it is another's. Without it, nobody asks. */
  owner?: DialerOwner
}

/** A dialer's row. `installation` has no '/'. */
export type DialerOwner = { installation: string; dialerId: number; name: string }

/** Where the dialer finds a sound: `${folder}/${hash}.wav`, the same path here and there, written by us; or at an address of HTTP, which never changes for a hash. */
export type MediaPlace = { folder: string } | { addressOf: (hash: string) => string }

/** One of the dialer's lines. Calls to a trunk which was not set, or not since the dialer started, are refused. */
export type Trunk = {
  name: string
  host: string
  port: number
  transport: 'udp' | 'tcp' | 'tls'
  /** The account that calls come from; '': none. */
  user: string
  secret: string
  codecs: readonly string[]
  /** Register with user and secret, for operators that want it. */
  registers: boolean
  /** How the caller ID is written: 015970001, 97715970001, +97715970001, or as it was entered. */
  cliFormat: 'national' | 'e164' | 'plus' | 'asIs'
  /** Which header tells it. auto: P-Asserted-Identity where From names the user, else From. asserted: From names the user. */
  cliHeader: 'auto' | 'from' | 'asserted' | 'both'
  /** The called number, 97798…, loses this beginning and then gets that one. */
  numberStrip: string
  numberPrefix: string
}

export type TrunkState = {
  name: string
  /** Does it answer OPTIONS? Null: not known yet. */
  reachable: boolean | null
  /** Null: it does not register, or the dialer does not tell. */
  registered: 'registered' | 'unregistered' | 'rejected' | null
  roundTripMs: number | null
  /** Why no call can go that way as it is set; calls to it are refused. Null: nothing is known against it. */
  fault: string | null
  /** The last thing that was the trunk's own fault, since this connection began. */
  lastFailure: { at: number; reason: string } | null
}

export type PingReply = { reachable: true; roundTripMs: number | null } | { reachable: false; reason: string }

/** Sound by content: `hash` is the SHA-256 of the file at `path`. */
export type Media = { hash: string; path: string; durationMs: number }

/** Sounds that calls could not hear, and why; none: all are ready on the dialer. */
export type WarmReply = { failed: readonly { hash: string; reason: string }[] }

/**
 * All times are Unix milliseconds by the dialer's clock. A channel is one leg of a call and is named by the engine; its name is used once.
 * Commands to a channel that is gone are no error: they answer 'gone', its hungUp was or will be delivered.
 */
export interface DialerConnection {
  /** How many times faster than real the calls of this network pass; 1 for a real one. Waits of a call are to be divided by it. */
  readonly speed: number
  /** How many `dial` may be under way. More wait in vain: the dialer would only become slower. */
  readonly dialsAtOnce: number
  /** How far away it is: a request that waits for nothing, at its best of the last minute; null: not measured. */
  readonly roundTripMs: number | null
  /** Sets all trunks of the dialer; idempotent. To be called after connect and after each `restored`, before dialling. */
  setTrunks(trunks: readonly Trunk[]): Promise<void>
  /** Of the trunks that were set. */
  trunkStates(): Promise<TrunkState[]>
  /** Asks the trunk's host now (SIP OPTIONS). */
  optionsPing(trunk: string): Promise<PingReply>
  /** Brings sounds to the dialer and proves that each can be played. To be called before a campaign dials and after each `restored`. */
  warm(media: readonly Media[]): Promise<WarmReply>
  /**
   * Removes copies of sounds that lie where the dialer plays them from: those on which nobody has relied for a day, and which `unusedOf` answers.
   * What is needed again is brought again. A dialer that fetches its sounds itself keeps them. Resolves with what was removed, by hash.
   */
  tidySounds(unusedOf: (hashes: readonly string[]) => Promise<readonly string[]>): Promise<string[]>
  /**
   * Rings a number: a customer's or an agent's. Never repeated by the driver, and not to be repeated unless it answered 'notSent'. The first
   * events of the channel may come before the reply.
   */
  dial(request: DialRequest): Promise<DialReply>
  /** Plays without gaps, after what is still playing on the channel; ends with playbackEnded. */
  play(channelId: string, playbackId: string, media: readonly Media[]): Promise<CommandReply>
  /** Ends it at once, with playbackEnded; 'gone' when it has ended. */
  stopPlayback(playbackId: string): Promise<CommandReply>
  isPlaying(playbackId: string): Promise<boolean>
  /** Joins two answered channels. When one of them hangs up the other stays, alone, until it is hung up. */
  bridge(bridgeId: string, channelIds: readonly [string, string]): Promise<CommandReply>
  /** Records both sides of a bridge until one of them leaves; ends with recordingEnded. */
  record(bridgeId: string, recordingId: string): Promise<CommandReply>
  /** 8 kHz mono 16-bit wav of an ended recording. Rejects with TelephonyError when there is none. */
  fetchRecording(recordingId: string): Promise<Readable>
  deleteRecording(recordingId: string): Promise<CommandReply>
  /** Ended recordings that the dialer still has: those whose end nobody heard, too. */
  storedRecordings(): Promise<string[]>
  /** The longest that an answered channel may last from now on, counted from its answer. The dialer enforces it, with or without us. */
  setTalkMax(channelId: string, talkMsMax: number): Promise<CommandReply>
  hangUp(channelId: string): Promise<CommandReply>
  /** Every channel that lives, also those of others: rejects with TelephonyError when it cannot be known. */
  live(): Promise<LiveChannel[]>
  /** The dialer's own record of channels that began at or after `since`: the witness of what happened while nobody listened. */
  readRecord(since: number): Promise<DialerRecord>
  /** The engine has settled every channel that began before `before`; the dialer may forget them. */
  trimRecord(before: number): Promise<void>
  /** Events in order, in batches; one listener. An event of a time without connection is lost (live and readRecord tell what became of it). */
  onEvents(listener: (events: DialerEvent[]) => void): void
  close(): Promise<void>
}

export type DialRequest = {
  /** Letters, digits and '-', at most 80; never the beginning of a living channel's name: Asterisk takes that for the same (see engine/dial/channel-names.ts). */
  channelId: string
  trunk: string
  /** The caller ID shown. */
  cli: string
  /** E.164; anything that contract's dialable() does not answer as it is throws. */
  number: string
  /** Rung at most this long; then hungUp by 'ringTimeout'. */
  ringMs: number
  /** Answered at most this long; then hungUp by 'timeLimit'. */
  talkMsMax: number
  /** How long the request may take: 'notSent' when it could not leave by then, 'unknown' when it left and was not answered. */
  deadlineMs: number
  /** An answered channel that hears the ringing tone while this one rings. */
  ringBackTo?: string | undefined
}

export type DialReply =
  /** It rings or will; the events tell. */
  | { outcome: 'dialled' }
  /** The dialer refused at once, nothing rang: unknown or unreachable trunk. */
  | { outcome: 'trunkFault'; reason: string }
  /** A channel of that name lives, as the dialer says; whether it is this call's is not: ask live(), then readRecord(). */
  | { outcome: 'exists' }
  /** It certainly did not leave. */
  | { outcome: 'notSent'; reason: string }
  /** It may have rung: ask live(), then readRecord(). */
  | { outcome: 'unknown'; reason: string }

/** 'lost': no connection, or no answer in 5 s: it may or may not have been done. */
export type CommandReply = 'done' | 'gone' | 'lost'

export type LiveChannel = { channelId: string; state: 'dialling' | 'ringing' | 'up' }

/**
 * Who or what ended a channel: the called person, the network between (any refusal and failure), or us, by hangUp, by the ring time-out, or by
 * the time limit.
 */
export type EndedBy = 'callee' | 'network' | 'hangUp' | 'ringTimeout' | 'timeLimit'

export type ChannelEvent =
  | { type: 'ringing'; channelId: string; at: number }
  /** Early media: tones or an announcement before any answer. */
  | { type: 'progress'; channelId: string; at: number }
  | { type: 'answered'; channelId: string; at: number }
  /** 0-9, *, #; when it is released. */
  | { type: 'digit'; channelId: string; at: number; digit: string }
  /** `failed`: nothing was heard. */
  | { type: 'playbackEnded'; channelId: string; at: number; playbackId: string; failed: boolean }
  | { type: 'recordingEnded'; at: number; bridgeId: string; recordingId: string; durationMs: number }
  | HungUp

/** The only end of a channel, once. */
export type HungUp = {
  type: 'hungUp'
  channelId: string
  at: number
  startedAt: number
  /** Null when it was not answered. The bill is `at` less this. */
  answeredAt: number | null
  endedBy: EndedBy
  /** The far end's final status; null when we ended it or after an answer. */
  sipStatus: number | null
  /** Q.850; null when nothing said it. */
  cause: number | null
  /** It rang or gave early media before. */
  alerted: boolean
  /** How long the far end that had no room asked to wait; absent: it did not, or the driver does not see it. */
  retryAfterMs?: number | undefined
}

export type DialerEvent =
  | ChannelEvent
  /** Nothing is heard of the dialer; calls there go on. No new ones until `restored`. */
  | { type: 'lost'; at: number; reason: string }
  /** Events flow again: set the trunks, compare live() and readRecord() with what was in flight. */
  | { type: 'restored'; at: number }
  /** Another client took the dialer over: the lease is gone, this connection is of no use any more. */
  | { type: 'replaced'; at: number }

export type ChannelRecord = {
  channelId: string
  startedAt: number
  answeredAt: number | null
  /** Null: alive, or died with the dialer when startedAt is before `upSince`. */
  endedAt: number | null
  /** Q.850; null while endedAt is. */
  cause: number | null
  /** The far end ended it; false when we did (hang-up, ring time-out, time limit) and while endedAt is null. */
  endedByFarEnd: boolean
}

export type DialerRecord = {
  /** Since when the dialer runs without a break: a channel dialled later and not in `channels` was never dialled. */
  upSince: number
  channels: Map<string, ChannelRecord>
}

/** What a query answers when the dialer does not. */
export class TelephonyError extends Error {
  override readonly name = 'TelephonyError'
}
