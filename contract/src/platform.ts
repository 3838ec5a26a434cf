import * as z from 'zod/mini'
import { json } from './route.ts'
import { Id, Message, Paragraph, Text } from './values.ts'

export const dialBlockKinds = ['platform', 'dialer', 'trunk', 'account'] as const

const DialBlock = z.object({
  dialBlockId: z.number(),
  kind: z.enum(dialBlockKinds),
  /** null for the whole platform. */
  targetId: z.nullable(z.number()),
  target: z.string(),
  reason: z.string(),
  by: z.string(),
  since: z.string(),
})

/** `targetId` is left out for the whole platform. */
const Target = z.object({ kind: z.enum(dialBlockKinds), targetId: z.optional(Id) })

/** 'Stop all dialling' (DESIGN §9): blocks claims within a second, leaves the statuses alone. */
export const platformRoutes = {
  dialBlocks: json({ method: 'GET', path: '/api/obd/dialblocks', reply: z.array(DialBlock) }),
  /** What may be stopped: every dialer and trunk, and the accounts whose name holds `search`, at most 50. */
  dialTargets: json({
    method: 'GET',
    path: '/api/obd/dialblock/targets',
    input: z.object({ kind: z.enum(['dialer', 'trunk', 'account']), search: z.optional(Text(100)) }),
    reply: z.array(z.object({ targetId: z.number(), target: z.string() })),
  }),
  /** What stopping it would stop now: campaigns that dial, and those that are still to begin, with the calls they have not made yet. Calls under way go on. */
  dialEffect: json({
    method: 'GET',
    path: '/api/obd/dialblock/effect',
    input: Target,
    reply: z.object({ running: z.number(), toBegin: z.number(), calls: z.number(), underWay: z.number() }),
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
