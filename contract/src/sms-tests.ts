import * as z from 'zod/mini'
import { sentTextStates, smsOccasions } from './after-call.ts'
import { callTextInput } from './call-texts.ts'
import { json } from './route.ts'
import { SmsAddress } from './sms-address.ts'
import { Id, orRequired, wireInt, WrittenNumber } from './values.ts'

export const afterCallRoutes = {
  /**
   * Does what the occasion would after a call to `mobile`: requests its address now, or sends its text through sender ID and gateways,
   * charged as one message. Column values come from the row of `baseId` that starts on this line, else from the first that may be called.
   */
  test: json({
    method: 'POST',
    path: '/api/obd/campaign/sms/test',
    input: z.object({
      occasion: z.enum(smsOccasions, orRequired('must be success, fail or dtmf')),
      mobile: WrittenNumber(),
      smsSuccessApi: z.optional(SmsAddress),
      smsFailApi: z.optional(SmsAddress),
      smsDtmfApi: z.optional(SmsAddress),
      ...callTextInput,
      baseId: z.optional(Id),
      row: z.optional(wireInt(1, 100_000_000)),
    }),
    /** `campaignId`: the SMS campaign of the one message; null for an address. */
    reply: z.object({
      message: z.string(),
      state: z.enum(sentTextStates),
      reason: z.nullable(z.string()),
      campaignId: z.nullable(z.number()),
    }),
  }),
}
