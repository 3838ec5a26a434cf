import * as z from 'zod/mini'
import { operatorCode, type Operator } from './operators.ts'
import { file, json, type ReplyOf } from './route.ts'
import { Id } from './values.ts'

export const traceFormats = ['text', 'pcap'] as const
const operators = Object.keys(operatorCode) as Operator[]

/** SIP messages of one call, in order. Passwords, answers to password challenges and keys of encrypted media are removed; numbers are not. */
const Trace = z.object({
  traceId: z.number(),
  /** Joined by arrows where the call tried several trunks of its route, whose messages then follow each other. */
  trunkName: z.string(),
  dialerName: z.string(),
  /** Nepal time of the first message. */
  startedAt: z.string(),
  /** Post-dial delay over the last trunk: from the call until it first rang or gave early media; null when it did neither. */
  pddMs: z.nullable(z.number()),
  messages: z.array(
    z.object({
      /** Since the first message. */
      afterMs: z.number(),
      /** Whether the dialer sent it; otherwise it received it. */
      sent: z.boolean(),
      transport: z.enum(['UDP', 'TCP', 'TLS']),
      dialer: z.string(),
      peer: z.string(),
      text: z.string(),
    }),
  ),
})

/** One direction of the sound of sampled calls. */
const RtpWay = z.nullable(z.object({ calls: z.number(), lossPercent: z.number(), jitterMs: z.number() }))
const Quality = z.object({
  calls: z.number(),
  answered: z.number(),
  /** Mean post-dial delay of the calls that rang or gave early media. */
  pddMs: z.nullable(z.number()),
  /** As the dialer measured it; null when nothing was sampled. */
  received: RtpWay,
  /** As the far end reported it. */
  sent: RtpWay,
})

export const traceRoutes = {
  /** Of an ended call, by the number that reports name callID. Empty when its messages were not kept. */
  ofCall: json({
    method: 'GET',
    path: '/api/obd/sip-trace/call/:attemptId',
    input: z.object({ attemptId: Id }),
    reply: Trace,
  }),
  ofTest: json({
    method: 'GET',
    path: '/api/obd/sip-trace/test/:testId',
    input: z.object({ testId: Id }),
    reply: Trace,
  }),
  /** The same as text, or as pcap with all messages as UDP packets. */
  download: file({
    path: '/api/obd/sip-trace/file/:traceId',
    input: z.object({ traceId: Id, format: z.enum(traceFormats) }),
  }),
  /** A trunk's post-dial delay, loss and jitter in the last 24 hours, per operator of the called numbers and in total. */
  quality: json({
    method: 'GET',
    path: '/api/obd/trunk/quality/:trunkId',
    input: z.object({ trunkId: Id }),
    reply: z.object({
      trunkName: z.string(),
      all: Quality,
      operators: z.array(z.object({ operator: z.enum(operators), ...Quality.shape })),
    }),
  }),
}
export type Trace = ReplyOf<typeof traceRoutes.ofCall>
export type TraceMessage = Trace['messages'][number]
export type TrunkQuality = ReplyOf<typeof traceRoutes.quality>
