import * as z from 'zod/mini'
import { dispositions, type Disposition } from './campaign-status.ts'
import { json, list, type RowOf } from './route.ts'
import { between, Id, Message, orRequired, wireInt } from './values.ts'

/** What a trunk's own code may mean: only ends of unanswered calls that we did not cause. */
export const codeMeanings = [
  'BUSY',
  'NO ANSWER',
  'INVALID',
  'REJECTED',
  'FAILED',
  'CONGESTION',
] as const satisfies readonly Disposition[]
/**
 * What a code says about the trunk. good: it carried the call. congested: the operator has no capacity, so calls slow down. fault: it did
 * not carry the call. broken: no call passes until somebody repairs it. refusal: one refused call; too many of them count as a fault.
 */
export const trunkSigns = ['good', 'congested', 'fault', 'broken', 'refusal'] as const

/** Defined Q.850 causes (ITU-T, 05/98); other numbers have no meaning. */
const q850Causes = new Set(
  (
    '1 2 3 4 5 6 7 8 9 14 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 34 38 39 40 ' +
    '41 42 43 44 46 47 49 50 53 55 57 58 62 63 65 66 69 70 79 81 82 83 84 85 86 87 88 90 91 95 96 97 98 99 100 101 102 103 110 111 127'
  )
    .split(' ')
    .map(Number),
)

const isFault = (sign: unknown): boolean => sign === 'fault' || sign === 'broken' || sign === 'congested'

const Codes = { sipStatus: z.nullable(z.number()), q850Cause: z.nullable(z.number()) }

/** Codes that a trunk's operator uses in a sense of its own (docs/design.md#dispositions); they take precedence over the common table. */
export const trunkDispositionRoutes = {
  list: list({
    path: '/api/obd/trunk/dispositions/:trunkId',
    input: z.object({ trunkId: Id }),
    row: z.object({
      dispositionId: z.number(),
      ...Codes,
      disposition: z.enum(dispositions),
      sign: z.enum(trunkSigns),
    }),
    sort: ['dispositionId'],
  }),
  /** A status, a cause, which applies when the operator sends no status, or both: then a refusal has both, the cause being that of the operator's Reason header. */
  add: json({
    method: 'POST',
    path: '/api/obd/trunk/dispositions/:trunkId',
    input: z
      .object({
        trunkId: Id,
        /** Operators invent codes, so any that can end a call is allowed. */
        sipStatus: z.optional(wireInt(300, 699)),
        q850Cause: z.optional(
          z.pipe(
            wireInt(1, 127),
            z
              .number()
              .check(z.refine((cause) => q850Causes.has(cause), { error: 'is not a cause that Q.850 defines' })),
          ),
        ),
        disposition: z.enum(codeMeanings, orRequired(`must be one of ${codeMeanings.join(', ')}`)),
        sign: z.enum(trunkSigns, orRequired(`must be one of ${trunkSigns.join(', ')}`)),
      })
      .check(
        between(
          'sign',
          (of) => of['disposition'] === undefined || isFault(of['sign']) === (of['disposition'] === 'CONGESTION'),
          (of) =>
            of['disposition'] === 'CONGESTION'
              ? 'must be congested, fault or broken with CONGESTION'
              : 'must be good or refusal: what is the trunk’s fault is CONGESTION',
        ),
      ),
    reply: z.object({ message: z.string(), dispositionId: z.number() }),
  }),
  delete: json({
    method: 'DELETE',
    path: '/api/obd/trunk/disposition/:dispositionId',
    input: z.object({ dispositionId: Id }),
    reply: Message,
  }),
}
export type TrunkDispositionRow = RowOf<typeof trunkDispositionRoutes.list>
