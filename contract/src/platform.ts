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
  stopDialling: json({
    method: 'POST',
    path: '/api/obd/dialblock',
    input: z.object({ kind: z.enum(dialBlockKinds), targetId: z.optional(Id), reason: Paragraph(500) }),
    reply: z.object({ message: z.string(), dialBlockId: z.number() }),
  }),
  allowDialling: json({
    method: 'POST',
    path: '/api/obd/dialblock/lift',
    input: z.object({ dialBlockId: Id }),
    reply: Message,
  }),
}
