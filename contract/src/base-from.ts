import * as z from 'zod/mini'
import { callKeys, secondsMax } from './call-report.ts'
import { dispositions } from './campaign-status.ts'
import { json } from './route.ts'
import { jsonOr } from './bounded-json.ts'
import { Id, Name, wireInt } from './values.ts'

/** How a row of a finished campaign ended: with its last call's disposition, blacklisted before its first call, or not finished in time. */
export const rowEnds = [...dispositions, 'DND', 'EXPIRED'] as const
export type RowEnd = (typeof rowEnds)[number]

/** Rows that did not answer and are worth another campaign: not those whose number does not exist or is blacklisted. */
export const unreachedEnds: readonly RowEnd[] = rowEnds.filter(
  (end) => end !== 'ANSWER' && end !== 'INVALID' && end !== 'DND',
)

const severalOf = <const V extends readonly [string, ...string[]]>(values: V) => {
  const error = { error: `must be a list of ${values.join(', ')}` }
  return z.optional(
    jsonOr(z.array(z.enum(values, error), error).check(z.minLength(1, error), z.maxLength(values.length, error))),
  )
}

const makingStates = ['queued', 'making', 'ready', 'failed'] as const

/** Contact files made from the outcome of a campaign. A row must meet every given condition. */
export const baseFromRoutes = {
  make: json({
    method: 'POST',
    path: '/api/obd/base/from',
    input: z.object({
      campaignId: Id,
      baseName: Name,
      dispositions: severalOf(rowEnds),
      /** Rows that pressed one of these keys, at any menu. */
      keys: severalOf(callKeys),
      /** Rows that answered and listened for less time. */
      maxSeconds: z.optional(wireInt(1, secondsMax)),
      /** Rows whose number is in no row of that campaign. */
      notInCampaignId: z.optional(Id),
    }),
    reply: z.object({ message: z.string(), makingId: z.number() }),
  }),
  progress: json({
    method: 'GET',
    path: '/api/obd/base/from/:makingId',
    input: z.object({ makingId: Id }),
    reply: z.object({
      makingStatus: z.enum(makingStates),
      rows: z.number(),
      /** Null until it is ready. */
      baseId: z.nullable(z.number()),
      baseName: z.string(),
      /** A sentence; null unless it failed. */
      reason: z.nullable(z.string()),
    }),
  }),
}
