import * as z from 'zod/mini'
import { jsonOr } from './bounded-json.ts'
import { json } from './route.ts'
import { SmsText } from './sms-compose.ts'
import { Id, OneLine, oneLine, orRequired, wireInt, WrittenNumber } from './values.ts'

/** For how long a message may wait before it is given up. */
const validSecondsMin = 30
export const validSecondsMax = 86_400
/** Somebody who waits for a code asks for another one sooner. */
export const validSecondsUrgent = 600

const valueError = 'must be text or a number'
const Value = z.union(
  [z.string({ error: valueError }).check(oneLine, z.maxLength(500)), z.number({ error: valueError })],
  { error: valueError },
)
const Values = jsonOr(
  z.record(z.string().check(oneLine, z.maxLength(100)), Value, { error: 'must have a value by name' }),
)

const Reference = OneLine(orRequired('must be text')).check(
  z.minLength(1, { error: 'is required' }),
  z.maxLength(64, { error: 'is longer than 64 characters' }),
)

const SendInput = z.object({
  to: WrittenNumber(),
  /** An approved sender ID. */
  from: OneLine(orRequired('must be text')).check(z.maxLength(20, { error: 'is longer than 20 characters' })),
  /** Either this or `template`, a saved text that is approved, whose columns `values` fill. */
  text: z.optional(SmsText),
  template: z.optional(Id),
  values: z.optional(Values),
  /** It is not sent later. Left out: ten minutes if its text is approved as urgent, otherwise a day. */
  validSeconds: z.optional(wireInt(validSecondsMin, validSecondsMax)),
  /** What the caller calls the message. */
  reference: z.optional(Reference),
})
export type SendInput = z.output<typeof SendInput>

const sendStates = ['waiting', 'submitted', 'delivered', 'failed', 'expired', 'unknown', 'dnd'] as const
export type SendState = (typeof sendStates)[number]

const SentMessage = z.object({
  messageId: z.string(),
  state: z.enum(sendStates),
  to: z.string(),
  from: z.string(),
  segments: z.number(),
  /** Rupees: what it has cost; while that is not known, what it may cost. */
  cost: z.number(),
  reference: z.nullable(z.string()),
  /** Why it failed, expired or is unknown. */
  reason: z.nullable(z.string()),
  acceptedAt: z.string(),
  /** When a gateway took it, and when it was delivered, failed or expired; null: not (yet). */
  submittedAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
})
export type SentMessage = z.output<typeof SentMessage>

const MessageId = OneLine(orRequired('must be text')).check(
  z.regex(/^[1-9]\d{0,9}-[1-9]\d{0,9}$/, { error: 'is not the id of a message' }),
)

export const sendRoutes = {
  /** One message to one number. What is accepted is paid for; under an Idempotency-Key it is sent once, however often it is asked for. */
  create: json({
    method: 'POST',
    path: '/api/v1/messages',
    input: SendInput,
    reply: z.pick(SentMessage, { messageId: true, state: true, segments: true, cost: true }),
  }),
  detail: json({
    method: 'GET',
    path: '/api/v1/messages/:messageId',
    input: z.object({ messageId: MessageId }),
    reply: SentMessage,
  }),
  /** The newest hundred with this reference. */
  find: json({
    method: 'GET',
    path: '/api/v1/messages',
    input: z.object({ reference: Reference }),
    reply: z.array(SentMessage),
  }),
}
