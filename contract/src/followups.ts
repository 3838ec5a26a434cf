import * as z from 'zod/mini'
import { dispositions } from './campaign-status.ts'
import { json } from './route.ts'
import { Id, Message, wireInt } from './values.ts'

/** A Call Now, from the request until both have hung up. `agentRinging`: the agent, who is called first; `customerRinging`: the customer. */
const followupStates = ['waiting', 'agentRinging', 'customerRinging', 'talking', 'ended'] as const
export type FollowupState = (typeof followupStates)[number]

/** `events` also sends it as event 'followup' whenever the account's newest one changes. */
export const Followup = z.object({
  followupId: z.number(),
  state: z.enum(followupStates),
  /** Why it waits, or, after its end, why nobody talked. Null: there is nothing to say. */
  reason: z.nullable(z.string()),
  /** Of the talk with the customer; 0 before its end. */
  seconds: z.number(),
  /** Rupees, of both legs; 0 before its end. */
  cost: z.number(),
  /** Its row in the report. Null before its end, and when nobody was called. */
  attemptId: z.nullable(z.number()),
  disposition: z.nullable(z.enum(dispositions)),
  agentNo: z.string(),
  customerNo: z.string(),
})
export type Followup = z.output<typeof Followup>

const OfFollowup = z.object({ followupId: Id })

export const followupRoutes = {
  /** Calls the agent of that call, otherwise the number in the caller's profile, and then its customer. `callUID` is callID of a row of the report. */
  begin: json({
    method: 'POST',
    path: '/api/obd/followup',
    input: z.object({ callUID: wireInt(1, 999_999_999_999_999) }),
    reply: z.object({ message: z.string(), followupId: z.number() }),
  }),
  detail: json({ method: 'GET', path: '/api/obd/followup/:followupId', input: OfFollowup, reply: Followup }),
  /** Hangs up, or keeps it from calling anybody else. */
  stop: json({ method: 'POST', path: '/api/obd/followup/stop/:followupId', input: OfFollowup, reply: Message }),
}
