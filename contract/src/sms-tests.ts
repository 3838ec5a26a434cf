import * as z from 'zod/mini'
import { sentTextStates, smsOccasions } from './after-call.ts'
import { callTextInput } from './call-texts.ts'
import { json } from './route.ts'
import { SmsAddress } from './sms-address.ts'
import { Id, orRequired, wireInt, WrittenNumber } from './values.ts'

export const afterCallRoutes = {
  /**
   * As after a call to `mobile`: requests its address, or sends its text, charged as one message. Values come from the row of `baseId` on this line, else
   * from the first that may be called.
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
    /** Null: an address was requested. */
    reply: z.object({
      message: z.string(),
      state: z.enum(sentTextStates),
      reason: z.nullable(z.string()),
      campaignId: z.nullable(z.number()),
    }),
  }),
}
