import * as z from 'zod/mini'
import { file, json } from './route.ts'
import { Id, OneLine, Text, wireInt } from './values.ts'
import { PreviewInput } from './compose.ts'

/** From this line on; absent: the first that would be called. */
const Row = z.optional(wireInt(1, 100_000_000))

export const PreviewCall = z.object({
  /** callflow's `Flow`. */
  flow: z.record(z.string(), z.unknown()),
  row: z.object({
    line: z.number(),
    /** Null: a refused row. */
    mobile: z.nullable(z.string()),
    /** In the order of the file; for a refused row its text, with '' as the column. */
    values: z.array(z.object({ column: z.string(), value: z.string() })),
    /** Null: it will be called. */
    refused: z.nullable(z.string()),
    /** The only obstacle. */
    blacklisted: z.boolean(),
    /** The neighbours' lines; null: none. */
    previous: z.nullable(z.number()),
    next: z.nullable(z.number()),
  }),
  /** By hash. */
  prompts: z.array(z.object({ hash: z.string(), fileName: z.string(), url: z.string() })),
  /** By a spoken part's `column`, with the voice (null: gone); [] for a refused row. */
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

/** Not heard in a call. */
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
  /** Stores nothing. Needs file, template and the prompts it plays. */
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
  /** For the viewer the URL was signed for, `until` the end of an hour (counted since 1970). */
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
