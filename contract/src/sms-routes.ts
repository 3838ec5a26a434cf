import * as z from 'zod/mini'
import { json, list, type RowOf } from './route.ts'
import { namesEachOnce, StepOrder, stepList } from './route-steps.ts'
import { everyOperator } from './operators.ts'
import { Operators, SenderName } from './sms-senders.ts'
import { between, Id, Message } from './values.ts'

const Step = z.object({ gatewayId: Id, ...StepOrder })
const Way = {
  operators: Operators,
  /** Left out: all sender IDs without a route of their own. */
  cliName: z.optional(SenderName),
  steps: stepList(Step, 'gateways'),
}
const once = between('steps', (said) => namesEachOnce(said['steps'], 'gatewayId'), 'names one of them twice')

export const smsRouteRoutes = {
  list: list({
    path: '/app/sms/routes',
    row: z.object({
      routeId: z.number(),
      operators: z.array(z.enum(everyOperator)),
      cliName: z.nullable(z.string()),
      steps: z.array(
        z.object({
          gatewayId: z.number(),
          gatewayName: z.string(),
          priority: z.number(),
          weight: z.number(),
          enabled: z.boolean(),
          /** Messages can be sent through it now; null: no engine is connected with it. */
          works: z.nullable(z.boolean()),
        }),
      ),
    }),
    sort: ['-routeId', 'cliName'],
  }),
  create: json({
    method: 'POST',
    path: '/app/sms/route',
    input: z.object(Way).check(once),
    reply: z.object({ message: z.string(), routeId: z.number() }),
  }),
  update: json({
    method: 'POST',
    path: '/app/sms/route/update',
    input: z.object({ ...Way, routeId: Id }).check(once),
    reply: Message,
  }),
  /** Messages without another route wait, and say so. */
  delete: json({
    method: 'DELETE',
    path: '/app/sms/route/:routeId',
    input: z.object({ routeId: Id }),
    reply: Message,
  }),
}
export type RouteRow = RowOf<typeof smsRouteRoutes.list>
