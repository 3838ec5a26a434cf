/** The steps of a route: gateways that send messages, or trunks that carry calls, in their order. */
import { ownValue } from './own-values.ts'
import * as z from 'zod/mini'
import { jsonOr } from './bounded-json.ts'
import { orRequired, wireInt } from './values.ts'

export const routeStepsMax = 10
const priorityMax = 10
const weightMax = 100

/** Of the steps that work, those with the lowest priority share the work by weight; the next priority takes over when none of them works. */
export const StepOrder = {
  priority: z._default(wireInt(1, priorityMax), 1),
  weight: z._default(wireInt(1, weightMax), 1),
}

/** `what`: the plural of the step, 'gateways'. */
export const stepList = <Step extends z.core.$ZodType>(step: Step, what: string) =>
  jsonOr(
    z
      .array(step, orRequired(`must be a list of ${what}`))
      .check(
        z.minLength(1, { error: 'must have at least one' }),
        z.maxLength(routeStepsMax, { error: `has more than ${routeStepsMax} ${what}` }),
      ),
  )

export function namesEachOnce(steps: unknown, key: string): boolean {
  const ids = Array.isArray(steps) ? steps.map((step: Record<string, unknown> | null) => ownValue(step, key)) : []
  return new Set(ids).size === ids.length
}
