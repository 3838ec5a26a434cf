import * as z from 'zod/mini'
import type {
  ChannelEvent,
  ChannelRecord,
  DialReply,
  DialRequest,
  LiveChannel,
  Media,
  PingReply,
  RtpFigures,
  SipTrace,
  TrunkState,
} from '../driver.ts'
import type { TranscriptLine } from './channel.ts'
import { trunkFaults, trunkFlaws } from './numbers.ts'

type Schema<T> = z.ZodMiniType<T>
const text = z.string()
const number = z.number()
const nothing = z.object({})
const maybeNumber = z.nullable(number)

const Dial: Schema<DialRequest> = z.object({
  channelId: text,
  trunk: text,
  cli: text,
  number: text,
  ringMs: number,
  talkMsMax: number,
  deadlineMs: number,
  ringBackTo: z.optional(text),
  notHosts: z.optional(z.array(text)),
  isTraced: z.optional(z.boolean()),
})
const Dialled: Schema<DialReply> = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('dialled') }),
  z.object({ outcome: z.literal('trunkFault'), reason: text }),
  z.object({ outcome: z.literal('exists') }),
  z.object({ outcome: z.literal('notSent'), reason: text }),
  z.object({ outcome: z.literal('unknown'), reason: text }),
])
const MediaItem: Schema<Media> = z.object({ hash: text, path: text, durationMs: number })
const Live: Schema<LiveChannel> = z.object({ channelId: text, state: z.enum(['dialling', 'ringing', 'up']) })
const Recorded: Schema<ChannelRecord> = z.object({
  channelId: text,
  startedAt: number,
  answeredAt: maybeNumber,
  endedAt: maybeNumber,
  cause: maybeNumber,
  endedByFarEnd: z.boolean(),
})
const Trunk: Schema<TrunkState> = z.object({
  name: text,
  reachable: z.nullable(z.boolean()),
  registered: z.nullable(z.enum(['registered', 'unregistered', 'rejected'])),
  roundTripMs: maybeNumber,
  fault: z.nullable(text),
  lastFailure: z.nullable(z.object({ at: number, reason: text })),
})
const Ping: Schema<PingReply> = z.discriminatedUnion('reachable', [
  z.object({ reachable: z.literal(true), roundTripMs: maybeNumber }),
  z.object({ reachable: z.literal(false), reason: text }),
])
const Trace: Schema<SipTrace> = z.object({
  channelId: text,
  messages: z.array(
    z.object({
      at: number,
      sent: z.boolean(),
      transport: z.enum(['UDP', 'TCP', 'TLS']),
      dialer: text,
      peer: text,
      text,
    }),
  ),
})
const way = z.object({ packets: number, lost: number, jitterMs: number })
const Rtp: Schema<RtpFigures> = z.object({ received: way, sent: z.nullable(way), sentPackets: number })
const Line: Schema<TranscriptLine> = z.object({
  at: number,
  what: z.enum(['heard', 'ringing', 'pressed', 'bridged', 'hungUp']),
  detail: text,
  ms: number,
})

const channelTime = { channelId: text, at: number }
const Event: Schema<ChannelEvent> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ringing'), ...channelTime }),
  z.object({ type: z.literal('progress'), ...channelTime }),
  z.object({ type: z.literal('answered'), ...channelTime }),
  z.object({ type: z.literal('digit'), ...channelTime, digit: text }),
  z.object({ type: z.literal('playbackEnded'), ...channelTime, playbackId: text, failed: z.boolean() }),
  z.object({
    type: z.literal('bridgePlaybackEnded'),
    at: number,
    bridgeId: text,
    playbackId: text,
    failed: z.boolean(),
  }),
  z.object({ type: z.literal('recordingEnded'), at: number, bridgeId: text, recordingId: text, durationMs: number }),
  z.object({
    type: z.literal('hungUp'),
    ...channelTime,
    startedAt: number,
    answeredAt: maybeNumber,
    endedBy: z.enum(['callee', 'network', 'hangUp', 'ringTimeout', 'timeLimit']),
    sipStatus: maybeNumber,
    cause: maybeNumber,
    alerted: z.boolean(),
    retryAfterMs: z.optional(number),
    failedHost: z.optional(text),
  }),
])

function operation<I, O>(input: Schema<I>, reply: Schema<O>) {
  return { input, reply }
}
const onChannel = z.object({ channelId: text })
const wasThere = z.boolean()

/** Requests to a simulated network, in this process or over a socket. */
const operations = {
  setTrunks: operation(
    z.object({
      trunks: z.array(
        z.object({
          name: text,
          host: text,
          port: number,
          registers: z.boolean(),
          options: z.object({ sendsOptions: z.boolean(), silentSeconds: number, hosts: z.array(text) }),
        }),
      ),
    }),
    nothing,
  ),
  trunkStates: operation(nothing, z.array(Trunk)),
  optionsPing: operation(z.object({ trunk: text }), Ping),
  dial: operation(Dial, Dialled),
  play: operation(z.object({ channelId: text, playbackId: text, media: z.array(MediaItem) }), wasThere),
  stopPlayback: operation(z.object({ playbackId: text }), wasThere),
  isPlaying: operation(z.object({ playbackId: text }), z.boolean()),
  ringingTone: operation(z.object({ channelId: text, isOn: z.boolean() }), wasThere),
  bridge: operation(z.object({ bridgeId: text, channelIds: z.tuple([text, text]) }), wasThere),
  playToBridge: operation(z.object({ bridgeId: text, playbackId: text, media: z.array(MediaItem) }), wasThere),
  record: operation(z.object({ bridgeId: text, recordingId: text }), wasThere),
  recordingMs: operation(z.object({ recordingId: text }), maybeNumber),
  deleteRecording: operation(z.object({ recordingId: text }), wasThere),
  storedRecordings: operation(nothing, z.array(text)),
  setTalkMax: operation(z.object({ channelId: text, talkMsMax: number }), wasThere),
  hangUp: operation(onChannel, wasThere),
  live: operation(nothing, z.array(Live)),
  readRecord: operation(z.object({ since: number }), z.object({ upSince: number, channels: z.array(Recorded) })),
  takeTraces: operation(z.object({ channelIds: z.array(text) }), z.array(Trace)),
  rtpOf: operation(onChannel, z.nullable(Rtp)),
  trimRecord: operation(z.object({ before: number }), nothing),
  setTrunkFault: operation(
    z.object({ trunk: text, fault: z.nullable(z.enum(trunkFaults)), host: z.optional(text) }),
    nothing,
  ),
  setTrunkLimit: operation(
    z.object({
      trunk: text,
      limit: z.nullable(z.object({ callsPerSecond: number, retryAfterMs: z.optional(number) })),
    }),
    nothing,
  ),
  setTrunkFlaw: operation(z.object({ trunk: text, flaw: z.nullable(z.enum(trunkFlaws)) }), nothing),
  transcript: operation(onChannel, z.array(Line)),
}

type Operations = typeof operations
export type OperationName = keyof Operations
export type InputOf = { [Name in OperationName]: z.output<Operations[Name]['input']> }
export type ReplyOf = { [Name in OperationName]: z.output<Operations[Name]['reply']> }
/** The same table, typed so that a name's input and reply stay together. */
export const schemasOf: { [Name in OperationName]: { input: Schema<InputOf[Name]>; reply: Schema<ReplyOf[Name]> } } =
  operations
export type Handlers = { [Name in OperationName]: (input: InputOf[Name]) => ReplyOf[Name] | Promise<ReplyOf[Name]> }

export const Requests = z.array(z.object({ id: number, name: text, input: z.unknown() }))

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(operations, name)
}

/** From simulator to client: first `hello`, then batches in which each reply precedes its consequences. */
export const Frame = z.union([
  z.object({ hello: z.object({ speed: number }) }),
  z.object({ replies: z.array(z.object({ id: number, reply: z.unknown() })), events: z.array(Event) }),
])

/** The close code for a client that another one replaced. */
export const replacedCode = 4001
