import * as z from 'zod/mini'
import { json } from './route.ts'
import { Id, Message, Paragraph, Text } from './values.ts'

export const dialBlockKinds = ['platform', 'dialer', 'trunk', 'account', 'gateway'] as const
export const stoppable = ['calls', 'messages', 'all'] as const
type DialBlockKind = (typeof dialBlockKinds)[number]
type Stopped = (typeof stoppable)[number]

/** What a stop of this kind may cover, the default first. A gateway carries only messages; dialers and trunks carry only calls. */
export function stoppableOf(kind: DialBlockKind): readonly Stopped[] {
  if (kind === 'platform' || kind === 'account') return stoppable
  return kind === 'gateway' ? ['messages'] : ['calls']
}

const DialBlock = z.object({
  dialBlockId: z.number(),
  kind: z.enum(dialBlockKinds),
  what: z.enum(stoppable),
  /** Null: the whole platform. */
  targetId: z.nullable(z.number()),
  target: z.string(),
  reason: z.string(),
  by: z.string(),
  since: z.string(),
})

/** Without `targetId`, the whole platform. Without `what`, messages for a gateway and calls for everything else. */
const Target = z.object({ kind: z.enum(dialBlockKinds), targetId: z.optional(Id), what: z.optional(z.enum(stoppable)) })

/** A stop blocks claims within a second and leaves statuses alone. */
export const platformRoutes = {
  dialBlocks: json({ method: 'GET', path: '/api/obd/dialblocks', reply: z.array(DialBlock) }),
  /** Every dialer, trunk and gateway, and at most 50 accounts whose name contains `search`. */
  dialTargets: json({
    method: 'GET',
    path: '/api/obd/dialblock/targets',
    input: z.object({ kind: z.enum(['dialer', 'trunk', 'account', 'gateway']), search: z.optional(Text(100)) }),
    reply: z.array(z.object({ targetId: z.number(), target: z.string() })),
  }),
  /**
   * What a stop would affect now: campaigns that dial or have not started, and the calls they have not made. Calls under way continue.
   * `messages` is the same for SMS campaigns; null when only calls are stopped. For a gateway it counts only messages on their way to it,
   * because others use the route's other gateways.
   */
  dialEffect: json({
    method: 'GET',
    path: '/api/obd/dialblock/effect',
    input: Target,
    reply: z.object({
      running: z.number(),
      toBegin: z.number(),
      calls: z.number(),
      underWay: z.number(),
      /** Campaigns with this trunk that go on over the others of their route. */
      elsewhere: z.number(),
      messages: z.nullable(
        z.object({ running: z.number(), toBegin: z.number(), waiting: z.number(), underWay: z.number() }),
      ),
    }),
  }),
  stopDialling: json({
    method: 'POST',
    path: '/api/obd/dialblock',
    input: z.extend(Target, { reason: Paragraph(500) }),
    reply: z.object({ message: z.string(), dialBlockId: z.number() }),
  }),
  allowDialling: json({
    method: 'POST',
    path: '/api/obd/dialblock/lift',
    input: z.object({ dialBlockId: Id }),
    reply: Message,
  }),
}
