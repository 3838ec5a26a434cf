import * as z from 'zod/mini'
import { json } from './route.ts'
import { Id, Message, Paragraph, UserIdInput } from './values.ts'

/** What becomes of calls in progress: they end at once, or go on for as long as they have reserved money. */
export const callsOfFrozen = ['end', 'finish'] as const
export type CallsOfFrozen = (typeof callsOfFrozen)[number]

export const freezingRoutes = {
  /** What freezing an account would stop, of it and all below; of a frozen one, what would go on. */
  reach: json({
    method: 'GET',
    path: '/api/obd/user/freezing/:userId',
    input: UserIdInput,
    reply: z.object({
      /** Below it. */
      accounts: z.number(),
      /** Open sign-ins. */
      sessions: z.number(),
      /** Of calls and of messages. */
      campaigns: z.number(),
      /** In progress. */
      calls: z.number(),
      /** Handed to a gateway, which has not said what became of them. */
      messages: z.number(),
    }),
  }),
  /** Any account above, at any depth. `frozen: false` lifts, and what the freeze held goes on. */
  freeze: json({
    method: 'POST',
    path: '/api/obd/user/freeze',
    input: z.object({
      userId: Id,
      frozen: z.optional(z.boolean()),
      reason: Paragraph(500),
      calls: z._default(z.enum(callsOfFrozen, { error: 'must be one of end, finish' }), 'end'),
    }),
    reply: Message,
  }),
}
