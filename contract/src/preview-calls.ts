import * as z from 'zod/mini'
import { file, json } from './route.ts'
import { Id, OneLine, Text, wireInt } from './values.ts'
import { PreviewInput } from './compose.ts'

/** The row that begins in this line of the file or, where none does, the next one; absent: the first one that is not refused. */
const Row = z.optional(wireInt(1, 100_000_000))

/** What one row of a contact file would hear, with everything that the page needs to play it. */
export const PreviewCall = z.object({
  /** As callflow's `Flow` reads it. */
  flow: z.record(z.string(), z.unknown()),
  row: z.object({
    line: z.number(),
    /** Null for a row that is refused. */
    mobile: z.nullable(z.string()),
    /** The other columns in the order of the file, as far as the row has them; of a refused row its text alone, with '' for the column. */
    values: z.array(z.object({ column: z.string(), value: z.string() })),
    /** Why it will not be called, in words; null when it will. */
    refused: z.nullable(z.string()),
    /** It would be called but for a blacklist. */
    blacklisted: z.boolean(),
    /** The lines in which the rows before and after it begin; null where there is none. */
    previous: z.nullable(z.number()),
    next: z.nullable(z.number()),
  }),
  /** The recorded sounds of the flow by their hash. */
  prompts: z.array(z.object({ hash: z.string(), fileName: z.string(), url: z.string() })),
  /**
   * The row's values by the number that a spoken part's `column` says, as words and as sound, with the voice that says them (null: one that is not
   * there any more); [] for a refused row.
   */
  spoken: z.array(
    z.object({
      column: z.string(),
      text: z.string(),
      voice: z.nullable(z.string()),
      hash: z.string(),
      url: z.string(),
    }),
  ),
})
export type PreviewCall = z.output<typeof PreviewCall>

/** What of compose's body says nothing about what a call hears. */
const notHeard = {
  userId: true,
  campaignName: true,
  cli: true,
  scheduleTime: true,
  retries: true,
  retryInterval: true,
  channels: true,
} as const

export const previewCallRoutes = {
  /** Of a campaign that is being composed; nothing is stored. Needs the file, the template and what that plays. */
  composed: json({
    method: 'POST',
    path: '/api/obd/campaign/preview-call',
    input: z.extend(z.omit(PreviewInput, notHeard), { row: Row }),
    reply: PreviewCall,
  }),
  ofCampaign: json({
    method: 'GET',
    path: '/api/obd/campaign/preview-call/:campaignId',
    input: z.object({ campaignId: Id, row: Row }),
    reply: PreviewCall,
  }),
  /** A sound of a preview, for whom its address was made, `until` an hour (counted since 1970) is over. */
  hear: file({
    path: '/api/obd/campaign/preview-call/sound/:sound',
    input: z.object({
      sound: OneLine({ error: 'must be a SHA-256 in hex and .wav' }).check(
        z.regex(/^[0-9a-f]{64}\.wav$/, { error: 'must be a SHA-256 in hex and .wav' }),
      ),
      until: wireInt(0, 100_000_000),
      signature: Text(100),
    }),
  }),
}
