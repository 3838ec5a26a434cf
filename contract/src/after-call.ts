import * as z from 'zod/mini'

/**
 * When a message follows a call (specification 1 §5): it was answered for long enough; it was not answered and is not called again; the first
 * valid key was pressed.
 */
export const smsOccasions = ['success', 'fail', 'dtmf'] as const
export type SmsOccasion = (typeof smsOccasions)[number]

/** States of one message after a call. `waiting` and `sending` pass; the others last. `unknown`: it may have been sent, and is never sent again. */
const afterCallStates = ['waiting', 'sending', 'sent', 'failed', 'unknown', 'cancelled'] as const

/** States of a text of ours, whose receipts we get. */
export const sentTextStates = [...afterCallStates, 'delivered'] as const
export type SentTextState = (typeof sentTextStates)[number]

/** What became of a message after a call: a request to the customer's address, or a text of ours. */
export const AfterCallMessage = z.object({
  occasion: z.enum(smsOccasions),
  by: z.enum(['address', 'text']),
  key: z.nullable(z.string()),
  /** 'withheld': the row does not get this text, as `reason` says. */
  state: z.enum([...sentTextStates, 'withheld']),
  /** The address's host; for a text its sender ID. */
  host: z.string(),
  /** A sentence; null when there is nothing to say. */
  reason: z.nullable(z.string()),
  /** Nepal time of its end, or since when it waits. */
  time: z.string(),
})
export type AfterCallMessage = z.output<typeof AfterCallMessage>

export const CallTexts = z.object({
  campaignId: z.number(),
  campaignStatus: z.number(),
  cli: z.string(),
  due: z.number(),
  waiting: z.number(),
  submitted: z.number(),
  delivered: z.number(),
  failed: z.number(),
  expired: z.number(),
  unknown: z.number(),
  /** Rows that do not get some text because a column's value is not approved. */
  withheld: z.number(),
  /** Rupees. */
  cost: z.number(),
})

/** Messages of one occasion of a campaign, by state. `waiting` includes those under way. */
export const AfterCallCount = z.object({
  occasion: z.enum(smsOccasions),
  host: z.string(),
  waiting: z.number(),
  sent: z.number(),
  failed: z.number(),
  unknown: z.number(),
  cancelled: z.number(),
})
export type AfterCallCount = z.output<typeof AfterCallCount>
