import * as z from 'zod/mini'
import { operatorCode, type Operator } from './operators.ts'
import { file, json, type ReplyOf } from './route.ts'
import { Id } from './values.ts'

export const traceFormats = ['text', 'pcap'] as const
const operators = Object.keys(operatorCode) as Operator[]

/** In order. Passwords, answers to password challenges and keys of encrypted media are removed; numbers are not. */
const Trace = z.object({
  traceId: z.number(),
  /** Joined by arrows where the call tried several trunks; their messages follow each other. */
  trunkName: z.string(),
  dialerName: z.string(),
  /** Nepal time of the first message. */
  startedAt: z.string(),
  /** Over the last trunk, until it rang or gave early media; null: it did neither. */
  pddMs: z.nullable(z.number()),
  messages: z.array(
    z.object({
      /** Since the first message. */
      afterMs: z.number(),
      /** By the dialer. */
      sent: z.boolean(),
      transport: z.enum(['UDP', 'TCP', 'TLS']),
      dialer: z.string(),
      peer: z.string(),
      text: z.string(),
    }),
  ),
})

/** Of sampled calls, one direction. */
const RtpWay = z.nullable(z.object({ calls: z.number(), lossPercent: z.number(), jitterMs: z.number() }))
const Quality = z.object({
  calls: z.number(),
  answered: z.number(),
  /** Mean, of calls that rang or gave early media. */
  pddMs: z.nullable(z.number()),
  /** By the dialer; null: nothing was sampled. */
  received: RtpWay,
  /** By the far end. */
  sent: RtpWay,
})

export const traceRoutes = {
  /** By callID of the reports. Empty: not kept. */
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
  /** As text, or as pcap with all messages as UDP packets. */
  download: file({
    path: '/api/obd/sip-trace/file/:traceId',
    input: z.object({ traceId: Id, format: z.enum(traceFormats) }),
  }),
  /** In the last 24 hours, per operator of the called numbers and in total. */
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
