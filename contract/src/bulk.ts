import * as z from 'zod/mini'
import { Id, orRequired } from './values.ts'

export const bulkMax = 100

export const Ids = z.array(Id, orRequired('must be a list of numbers')).check(
  z.minLength(1, { error: 'must have at least one' }),
  z.maxLength(bulkMax, { error: `has more than ${bulkMax} numbers` }),
  z.refine((ids) => new Set(ids).size === ids.length, { error: 'names one of them twice' }),
)

/** The status and message that a request for this one alone would have had. */
const Outcome = z.object({
  status: z.number(),
  message: z.string(),
  errors: z.array(z.object({ field: z.string(), code: z.string(), text: z.string() })),
})
export type Outcome = z.output<typeof Outcome>

/** In the order of the ids. At least one succeeded; otherwise the request fails. */
export const Outcomes = z.object({ message: z.string(), results: z.array(Outcome) })
