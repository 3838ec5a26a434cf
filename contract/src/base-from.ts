import * as z from 'zod/mini'
import { callKeys, secondsMax } from './call-report.ts'
import { dispositions } from './campaign-status.ts'
import { json } from './route.ts'
import { Id, jsonOr, Name, wireInt } from './values.ts'

/** How a row of a campaign that is over ended: as its last call did, on a blacklist before its first one, or not called to the end. */
export const rowEnds = [...dispositions, 'DND', 'EXPIRED'] as const
export type RowEnd = (typeof rowEnds)[number]

/** Those who did not answer and can be called: a number that does not exist and one on a blacklist are not reached by a second campaign. */
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

/** Contact files made of the outcome of a campaign. What is said of the rows must all hold of each. */
export const baseFromRoutes = {
  make: json({
    method: 'POST',
    path: '/api/obd/base/from',
    input: z.object({
      campaignId: Id,
      baseName: Name,
      dispositions: severalOf(rowEnds),
      /** Who pressed one of these, at whatever menu. */
      keys: severalOf(callKeys),
      /** Who answered and listened less long. */
      maxSeconds: z.optional(wireInt(1, secondsMax)),
      /** Whose number is in no row of that campaign. */
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
      /** Rows that were found so far. */
      rows: z.number(),
      /** Once it is ready. */
      baseId: z.nullable(z.number()),
      baseName: z.string(),
      /** Why there is none; a sentence. */
      reason: z.nullable(z.string()),
    }),
  }),
}
