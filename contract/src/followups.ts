import * as z from 'zod/mini'
import { dispositions } from './campaign-status.ts'
import { json } from './route.ts'
import { Id, Message, wireInt } from './values.ts'

/** States of a Call Now until both sides have hung up. The agent is called first, then the customer. */
const followupStates = ['waiting', 'agentRinging', 'customerRinging', 'talking', 'ended'] as const
export type FollowupState = (typeof followupStates)[number]

/** The event 'followup' of `events` also carries it whenever the account's newest one changes. */
export const Followup = z.object({
  followupId: z.number(),
  state: z.enum(followupStates),
  /** Why it waits or, once over, why nobody talked; null when there is nothing to say. */
  reason: z.nullable(z.string()),
  /** Of the conversation with the customer; 0 before its end. */
  seconds: z.number(),
  /** Rupees for both legs; 0 before its end. */
  cost: z.number(),
  /** Its row in the report; null before its end, and when nobody was called. */
  attemptId: z.nullable(z.number()),
  disposition: z.nullable(z.enum(dispositions)),
  agentNo: z.string(),
  customerNo: z.string(),
})
export type Followup = z.output<typeof Followup>

const OfFollowup = z.object({ followupId: Id })

export const followupRoutes = {
  /** Calls the agent of that call (else the number in the caller's profile), then its customer. `callUID` is callID of a row of the report. */
  begin: json({
    method: 'POST',
    path: '/api/obd/followup',
    input: z.object({ callUID: wireInt(1, 999_999_999_999_999) }),
    reply: z.object({ message: z.string(), followupId: z.number() }),
  }),
  detail: json({ method: 'GET', path: '/api/obd/followup/:followupId', input: OfFollowup, reply: Followup }),
  /** Hangs up, or prevents further calls. */
  stop: json({ method: 'POST', path: '/api/obd/followup/stop/:followupId', input: OfFollowup, reply: Message }),
}
