import * as z from 'zod/mini'
import { json } from './route.ts'
import { UserIdInput, wireInt } from './values.ts'

export const Quotas = z.strictObject({
  /** Millions of bytes: contact files, voice files, voice packs, logos, exports and the columns of campaigns' rows. */
  megabytes: wireInt(1, 1_000_000),
  /** Recordings of conversations, counted apart from `megabytes`. Beyond it, conversations continue unrecorded. */
  recordingMegabytes: wireInt(1, 1_000_000),
  /** Rows of campaigns and refused lines. Called rows of finished campaigns do not count. */
  rows: wireInt(1, 1_000_000_000),
  campaigns: wireInt(1, 10_000),
  prompts: wireInt(1, 100_000),
  /** The account's own blacklist; the platform's has no quota. */
  blacklist: wireInt(1, 100_000_000),
})
export type Quotas = z.output<typeof Quotas>

/** Until a super admin sets others. */
export const defaultQuotas: Quotas = {
  megabytes: 500,
  recordingMegabytes: 2000,
  rows: 3_000_000,
  campaigns: 100,
  prompts: 200,
  blacklist: 1_000_000,
}

export const Stored = z.object({
  bytes: z.number(),
  recordingBytes: z.number(),
  rows: z.number(),
  campaigns: z.number(),
  prompts: z.number(),
  blacklist: z.number(),
})
export type Stored = z.output<typeof Stored>

export const bytesOfMegabyte = 1_000_000

/** Rounded up to a tenth, so that what is over a quota never looks as if it fitted. */
export const megabytesOf = (bytes: number): number => Math.ceil((bytes / bytesOfMegabyte) * 10) / 10

const recordingBytesOfSecond = 16_000
export function recordingHoursOf(megabytes: number): number {
  return Math.floor((megabytes * bytesOfMegabyte) / recordingBytesOfSecond / 3600)
}

export const quotaRoutes = {
  ofAccount: json({
    method: 'GET',
    path: '/api/obd/quotas/:userId',
    input: UserIdInput,
    reply: z.object({
      quotas: Quotas,
      used: Stored,
    }),
  }),
}
