import * as z from 'zod/mini'
import { SmsText } from './sms-compose.ts'
import { dtmfKeys } from './templates.ts'
import { jsonOr } from './bounded-json.ts'
import { OneLine } from './values.ts'

/** Fields of compose for texts of ours after a call, by occasion. */
export const callTextInput = {
  smsCli: z.optional(
    OneLine({ error: 'must be text' }).check(z.maxLength(20, { error: 'is longer than 20 characters' })),
  ),
  /** May contain {column}s of the contact file, as all three may. */
  smsSuccessText: z.optional(SmsText),
  smsFailText: z.optional(SmsText),
  /** By the first valid key that the call pressed. */
  smsDtmfTexts: z.optional(
    jsonOr(
      z.partialRecord(z.enum(dtmfKeys, { error: 'is not a key: keys are 0 to 9 and *' }), SmsText, {
        error: 'must name a text by key',
      }),
    ),
  ),
}
