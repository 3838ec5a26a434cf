import * as z from 'zod/mini'
import { json } from './route.ts'
import { Id, Message, Paragraph, Text } from './values.ts'

export const dialBlockKinds = ['platform', 'dialer', 'trunk', 'account', 'gateway'] as const
/** What a block stops. */
export const stoppable = ['calls', 'messages', 'all'] as const
type DialBlockKind = (typeof dialBlockKinds)[number]
type Stopped = (typeof stoppable)[number]

/** What a block of this kind may stop, the usual first: a gateway sends messages alone, dialers and trunks carry calls alone. */
export function stoppableOf(kind: DialBlockKind): readonly Stopped[] {
  if (kind === 'platform' || kind === 'account') return stoppable
  return kind === 'gateway' ? ['messages'] : ['calls']
}

const DialBlock = z.object({
  dialBlockId: z.number(),
  kind: z.enum(dialBlockKinds),
  what: z.enum(stoppable),
  /** null for the whole platform. */
  targetId: z.nullable(z.number()),
  target: z.string(),
  reason: z.string(),
  by: z.string(),
  since: z.string(),
})

/** `targetId` is left out for the whole platform; without `what`, messages of a gateway and calls of everything else. */
const Target = z.object({ kind: z.enum(dialBlockKinds), targetId: z.optional(Id), what: z.optional(z.enum(stoppable)) })

/** 'Stop all' for calls and messages: blocks claims within a second, leaves the statuses alone. */
export const platformRoutes = {
  dialBlocks: json({ method: 'GET', path: '/api/obd/dialblocks', reply: z.array(DialBlock) }),
  /** What may be stopped: every dialer, trunk and gateway, and the accounts whose name holds `search`, at most 50. */
  dialTargets: json({
    method: 'GET',
    path: '/api/obd/dialblock/targets',
    input: z.object({ kind: z.enum(['dialer', 'trunk', 'account', 'gateway']), search: z.optional(Text(100)) }),
    reply: z.array(z.object({ targetId: z.number(), target: z.string() })),
  }),
  /**
   * What stopping it would stop now: campaigns that dial, and those that are still to begin, with the calls they have not made yet. Calls under way
   * go on. `messages` is the same of SMS campaigns; null where calls alone are stopped. Of a gateway only what is on its way to it is counted:
   * messages that it does not take go over the other gateways of their routes.
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
