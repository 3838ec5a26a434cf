import * as z from 'zod/mini'
import { dispositions } from './campaign-status.ts'
import { json } from './route.ts'
import { Id, Message, wireInt } from './values.ts'

/** The agent is called first, then the customer. */
const followupStates = ['waiting', 'agentRinging', 'customerRinging', 'talking', 'ended'] as const
export type FollowupState = (typeof followupStates)[number]

/** The event 'followup' carries it too, whenever the account's newest one changes. */
export const Followup = z.object({
  followupId: z.number(),
  state: z.enum(followupStates),
  /** Or, once over, why nobody talked; null: nothing to say. */
  reason: z.nullable(z.string()),
  /** Of the conversation; 0 before its end. */
  seconds: z.number(),
  /** Both legs; 0 before the end. */
  cost: z.number(),
  /** In the report; null before its end, and when nobody was called. */
  attemptId: z.nullable(z.number()),
  disposition: z.nullable(z.enum(dispositions)),
  agentNo: z.string(),
  customerNo: z.string(),
})
export type Followup = z.output<typeof Followup>

const OfFollowup = z.object({ followupId: Id })

export const followupRoutes = {
  /** The agent of that call (else the profile's number), then its customer. `callUID`: callID of a row of the report. */
  begin: json({
    method: 'POST',
    path: '/api/obd/followup',
    input: z.object({ callUID: wireInt(1, 999_999_999_999_999) }),
    reply: z.object({ message: z.string(), followupId: z.number() }),
  }),
  detail: json({ method: 'GET', path: '/api/obd/followup/:followupId', input: OfFollowup, reply: Followup }),
  /** Or prevents further calls. */
  stop: json({ method: 'POST', path: '/api/obd/followup/stop/:followupId', input: OfFollowup, reply: Message }),
}
