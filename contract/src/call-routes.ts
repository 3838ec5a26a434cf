import * as z from 'zod/mini'
import { json, list, type RowOf } from './route.ts'
import { namesEachOnce, StepOrder, stepList } from './route-steps.ts'
import { everyOperator } from './operators.ts'
import { operatorError } from './sms-senders.ts'
import { between, Id, Message, Name, wireInt } from './values.ts'

/** Whose numbers go over the trunk. None: those of all operators. */
const StepOperators = z._default(
  z
    .array(z.enum(everyOperator, { error: operatorError }), { error: 'must be a list of operators' })
    .check(z.refine((operators) => new Set(operators).size === operators.length, { error: 'names one of them twice' })),
  [],
)
/** `costPaisa`: of a minute over the trunk, as its operator charges it. */
const Step = z.object({
  trunkId: Id,
  ...StepOrder,
  costPaisa: z._default(wireInt(0, 10_000), 0),
  operators: StepOperators,
})
const Way = { routeName: Name, steps: stepList(Step, 'trunks') }
const once = between('steps', (said) => namesEachOnce(said['steps'], 'trunkId'), 'names one of them twice')

/** Trunks over which calls of the caller IDs with this route may go (docs/api.md#call-routes). */
export const callRouteRoutes = {
  list: list({
    path: '/api/obd/routes',
    row: z.object({
      routeId: z.number(),
      routeName: z.string(),
      dialerName: z.string(),
      cliCount: z.number(),
      steps: z.array(
        z.object({
          trunkId: z.number(),
          trunkName: z.string(),
          dialerName: z.string(),
          priority: z.number(),
          weight: z.number(),
          costPaisa: z.number(),
          /** Empty: the numbers of all operators. */
          operators: z.array(z.enum(everyOperator)),
          /** Calls can go over it now; null: no engine holds its dialer. */
          works: z.nullable(z.boolean()),
        }),
      ),
    }),
    sort: ['-routeId', 'routeName'],
  }),
  create: json({
    method: 'POST',
    path: '/api/obd/route',
    input: z.object(Way).check(once),
    reply: z.object({ message: z.string(), routeId: z.number() }),
  }),
  update: json({
    method: 'POST',
    path: '/api/obd/route/update',
    input: z.object({ ...Way, routeId: Id }).check(once),
    reply: Message,
  }),
  /** Refused while caller IDs have it. */
  delete: json({
    method: 'DELETE',
    path: '/api/obd/route/:routeId',
    input: z.object({ routeId: Id }),
    reply: Message,
  }),
}
export type CallRouteRow = RowOf<typeof callRouteRoutes.list>
