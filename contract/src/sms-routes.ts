import * as z from 'zod/mini'
import { json, list, type RowOf } from './route.ts'
import { everyOperator, Operators, SenderName } from './sms-senders.ts'
import { between, Id, jsonOr, Message, orRequired, wireInt } from './values.ts'

const stepsMax = 10
const priorityMax = 10
const weightMax = 100

/** Working gateways of the lowest priority share the messages by weight; the next priority takes over when none of them works. */
const Step = z.object({
  gatewayId: Id,
  priority: z._default(wireInt(1, priorityMax), 1),
  weight: z._default(wireInt(1, weightMax), 1),
})
const Steps = jsonOr(
  z
    .array(Step, orRequired('must be a list of gateways'))
    .check(
      z.minLength(1, { error: 'must have at least one' }),
      z.maxLength(stepsMax, { error: `has more than ${stepsMax} gateways` }),
    ),
)
const namesEachOnce = (steps: unknown) => {
  const ids = Array.isArray(steps) ? steps.map((step: { gatewayId?: unknown } | null) => step?.gatewayId) : []
  return new Set(ids).size === ids.length
}
const Way = {
  operators: Operators,
  /** Left out: all sender IDs without a route of their own. */
  cliName: z.optional(SenderName),
  steps: Steps,
}
const once = between('steps', (said) => namesEachOnce(said['steps']), 'names one of them twice')

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
