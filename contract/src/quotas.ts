import * as z from 'zod/mini'
import { json } from './route.ts'
import { UserIdInput, wireInt } from './values.ts'

/** What each account may store, and how many unfinished campaigns it may have; set by super admins for the whole platform. */
export const Quotas = z.strictObject({
  /** Of 1,000,000 bytes each: contact files, voice files, exports and the columns of campaigns' rows. */
  megabytes: wireInt(1, 1_000_000),
  /** Apart from `megabytes`: recordings of conversations. Beyond it conversations go on and are not recorded. */
  recordingMegabytes: wireInt(1, 1_000_000),
  /** Campaigns' rows and refused lines. In a finished campaign, rows that were called do not count. */
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

/** What an account stores, in bytes where the quota is in megabytes. */
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

/** Rounded up to a tenth, so that what is stored never looks as if it fitted. */
export const megabytesOf = (bytes: number): number => Math.ceil((bytes / bytesOfMegabyte) * 10) / 10

/** What a recording takes a second. */
const recordingBytesOfSecond = 16_000
/** How many hours of conversations fit, rounded down. */
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
