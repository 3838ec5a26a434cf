import * as z from 'zod/mini'

/** When a message follows a call (specification 1 §5): answered for long enough, not answered and not called again, a first valid key pressed. */
export const smsOccasions = ['success', 'fail', 'dtmf'] as const
export type SmsOccasion = (typeof smsOccasions)[number]

/** Of one message after a call: `waiting` and `sending` pass, the others last. Unknown: it may have been sent, and is never sent again. */
const afterCallStates = ['waiting', 'sending', 'sent', 'failed', 'unknown', 'cancelled'] as const

/** Of a text of ours, whose receipts we hear. */
export const sentTextStates = [...afterCallStates, 'delivered'] as const
export type SentTextState = (typeof sentTextStates)[number]

/** What became of a message that followed a call: an address of the customer's was asked, or a text of ours was sent. */
export const AfterCallMessage = z.object({
  occasion: z.enum(smsOccasions),
  by: z.enum(['address', 'text']),
  /** Of a text after a key: which. */
  key: z.nullable(z.string()),
  /** 'withheld': its row gets none of a text, as `reason` says. */
  state: z.enum([...sentTextStates, 'withheld']),
  /** Of the address; of a text its sender ID. */
  host: z.string(),
  /** In words; null: there is nothing to say. */
  reason: z.nullable(z.string()),
  /** Nepal time: of its end, or since when it waits. */
  time: z.string(),
})
export type AfterCallMessage = z.output<typeof AfterCallMessage>

/** The SMS campaign that carries the texts of a campaign's calls, and how it fares. */
export const CallTexts = z.object({
  campaignId: z.number(),
  campaignStatus: z.number(),
  cli: z.string(),
  /** Messages that calls brought about. */
  due: z.number(),
  waiting: z.number(),
  submitted: z.number(),
  delivered: z.number(),
  failed: z.number(),
  expired: z.number(),
  unknown: z.number(),
  /** Rows that get none of some text: a column value is not approved. */
  withheld: z.number(),
  /** Rupees. */
  cost: z.number(),
})

/** How many messages of an occasion a campaign has, by what became of them. `waiting`: those under way, too. */
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
