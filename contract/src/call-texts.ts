import * as z from 'zod/mini'
import { SmsText } from './sms-compose.ts'
import { dtmfKeys } from './templates.ts'
import { jsonOr, OneLine } from './values.ts'

/** Compose's, by occasion. */
export const callTextInput = {
  smsCli: z.optional(
    OneLine({ error: 'must be text' }).check(z.maxLength(20, { error: 'is longer than 20 characters' })),
  ),
  /** {column}s of the contact file are allowed in all three. */
  smsSuccessText: z.optional(SmsText),
  smsFailText: z.optional(SmsText),
  /** By the first valid key. */
  smsDtmfTexts: z.optional(
    jsonOr(
      z.partialRecord(z.enum(dtmfKeys, { error: 'is not a key: keys are 0 to 9 and *' }), SmsText, {
        error: 'must name a text by key',
      }),
    ),
  ),
}
