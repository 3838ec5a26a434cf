import * as z from 'zod/mini'
import { json } from './route.ts'
import { Id, Message, NepalTime, orRequired, Text, wireInt } from './values.ts'

/** What an account may be told of. Besides, each hook gets `hook.test`. */
export const hookEvents = [
  'campaign.status',
  'calls.ended',
  'messages.changed',
  'message.received',
  'balance.low',
  'export.ready',
] as const
export type HookEvent = (typeof hookEvents)[number]

/** Of one account. */
export const hooksMax = 10
const urlMax = 1000

/** The server decides whether it may be asked, and whether by http. */
const HookUrl = Text(urlMax).check(
  z.refine((url) => /^https?:\/\//i.test(url), { error: 'must begin with https://', abort: true }),
  z.refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), {
    error: 'must not hold a user name or a password before its host',
    abort: true,
  }),
  z.refine((url) => URL.canParse(url), { error: 'is not an address' }),
)

const event = { error: `must be one of ${hookEvents.map((name) => `'${name}'`).join(', ')}` }
const Events = z
  .array(z.enum(hookEvents, event), orRequired('must be a list'))
  .check(z.minLength(1, { error: 'must name at least one' }), z.maxLength(hookEvents.length))

const hookStates = ['unverified', 'active', 'resting', 'off', 'paused'] as const
export type HookState = (typeof hookStates)[number]

export const HookRow = z.object({
  hookId: z.number(),
  /** Of its address nothing else is ever shown. Null: it has none, its events are read by a program. */
  host: z.nullable(z.string()),
  events: z.array(z.enum(hookEvents)),
  /**
   * `unverified`: no test has arrived there yet. `resting`: the last deliveries failed, `restsUntil` says when the next is tried. `off`: until a
   * test arrives. `paused`: the database was restored since.
   */
  state: z.enum(hookStates),
  /** Why it rests or is off. */
  reason: z.nullable(z.string()),
  restsUntil: z.nullable(z.string()),
  /** Until when the secret before signs as well; null: it does not. */
  rotatesUntil: z.nullable(z.string()),
  createdAt: z.string(),
  /** The last time that something arrived. */
  deliveredAt: z.nullable(z.string()),
})
export type HookRow = z.output<typeof HookRow>

const deliveryStates = ['waiting', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Beyond what a number of the wire says exactly there is none. */
const LongId = wireInt(1, 999_999_999_999_999)

export const DeliveryRow = z.object({
  deliveryId: z.number(),
  /** The `webhook-id`, by which a receiver tells a repeat. */
  eventId: z.string(),
  type: z.enum([...hookEvents, 'hook.test']),
  at: z.string(),
  state: z.enum(deliveryStates),
  tries: z.number(),
  /** Of `waiting`: when it is tried next. */
  dueAt: z.nullable(z.string()),
  triedAt: z.nullable(z.string()),
  /** Of the last answer, and how long it took; null: there was none. */
  status: z.nullable(z.number()),
  ms: z.nullable(z.number()),
  reason: z.nullable(z.string()),
})
export type DeliveryRow = z.output<typeof DeliveryRow>

/** As a receiver gets it, with its `webhook-id`. */
const EventRow = z.object({
  eventId: z.string(),
  type: z.enum(hookEvents),
  timestamp: z.string(),
  data: z.record(z.string(), z.unknown()),
})

const WithSecret = z.extend(Message, {
  hookId: z.number(),
  /** Shown this one time; null for a hook without an address. */
  secret: z.nullable(z.string()),
})
const OfHook = z.object({ hookId: Id })

export const hookRoutes = {
  /** The account's own, the newest first. */
  list: json({ method: 'GET', path: '/api/v1/hooks', reply: z.array(HookRow) }),
  /** It is sent a `hook.test` at once, and is active when that arrived. Without `url`, events are kept for `GET /api/v1/events`. */
  create: json({
    method: 'POST',
    path: '/api/v1/hooks',
    input: z.object({ url: z.optional(HookUrl), events: Events }),
    reply: WithSecret,
  }),
  /** Another address has to be tested as a new one. */
  update: json({
    method: 'POST',
    path: '/api/v1/hooks/update',
    input: z.object({ hookId: Id, url: z.optional(HookUrl), events: z.optional(Events) }),
    reply: Message,
  }),
  /** Sends `hook.test` once; a hook that is off or unverified is active when it arrived. */
  test: json({
    method: 'POST',
    path: '/api/v1/hooks/test',
    input: OfHook,
    reply: z.extend(Message, { deliveryId: z.number() }),
  }),
  /** A new secret. For 24 hours the one before signs as well. */
  rotate: json({ method: 'POST', path: '/api/v1/hooks/rotate', input: OfHook, reply: WithSecret }),
  /** Sends again: one delivery, or what failed since, of one hook or of all. */
  replay: json({
    method: 'POST',
    path: '/api/v1/hooks/replay',
    input: z.object({
      deliveryId: z.optional(LongId),
      failedSince: z.optional(NepalTime),
      hookId: z.optional(Id),
    }),
    reply: z.extend(Message, { deliveries: z.number() }),
  }),
  delete: json({ method: 'DELETE', path: '/api/v1/hooks/:hookId', input: OfHook, reply: Message }),
  /** Of the last seven days, the newest first, at most 50; `before`: those older than this one. */
  deliveries: json({
    method: 'GET',
    path: '/api/v1/hooks/:hookId/deliveries',
    input: z.object({
      hookId: Id,
      before: z.optional(LongId),
      state: z.optional(z.enum(deliveryStates, { error: `must be one of ${deliveryStates.join(', ')}` })),
    }),
    reply: z.array(DeliveryRow),
  }),
  /** What happened since `after`, the oldest first, at most 20; without it, of the last seven days. `next` is the next `after`. */
  events: json({
    method: 'GET',
    path: '/api/v1/events',
    input: z.object({ after: z.optional(wireInt(0, 999_999_999_999_999)) }),
    reply: z.object({ events: z.array(EventRow), next: z.number() }),
  }),
}
