import * as z from 'zod/mini'
import { file, json } from './route.ts'
import { Id, OneLine, Text, wireInt } from './values.ts'
import { PreviewInput } from './compose.ts'

/** The row that starts on this line of the file, or the next one; absent: the first row that would be called. */
const Row = z.optional(wireInt(1, 100_000_000))

export const PreviewCall = z.object({
  /** As callflow's `Flow` reads it. */
  flow: z.record(z.string(), z.unknown()),
  /** The names that the campaign gave its keys. */
  keyLabels: z.record(z.string(), z.string()),
  row: z.object({
    line: z.number(),
    /** Null for a refused row. */
    mobile: z.nullable(z.string()),
    /** The other columns in the order of the file, as far as the row has them; for a refused row its text, with '' as the column. */
    values: z.array(z.object({ column: z.string(), value: z.string() })),
    /** Why it will not be called; null when it will. */
    refused: z.nullable(z.string()),
    /** Only a blacklist prevents the call. */
    blacklisted: z.boolean(),
    /** The lines on which the neighbouring rows start; null where there is none. */
    previous: z.nullable(z.number()),
    next: z.nullable(z.number()),
  }),
  /** The flow's recorded sounds by hash. */
  prompts: z.array(z.object({ hash: z.string(), fileName: z.string(), url: z.string() })),
  /**
   * The row's values by the number in a spoken part's `column`, as words and sound, with the voice (null when it no longer exists); [] for a refused
   * row.
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

/** Fields of compose's body that do not affect what a call hears. */
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
  /** For a campaign being composed; stores nothing. Needs file and template, and the prompts it plays. */
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
  /** A preview's sound, for the viewer the URL was signed for, `until` the end of an hour (counted since 1970). */
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
