import type { RouteRow, smsRouteRoutes } from '@ghanti/contract/sms-routes.ts'
import type { SentOf } from '../../api/client.ts'
import {
  blankStep,
  fieldsOfSteps,
  stepsMissing,
  toSteps,
  valuesOfSteps,
  type StepsValues,
} from '../../components/form/route-steps.ts'
import {
  allOperators,
  chosenOperators,
  operatorsMissing,
  valuesOfOperators,
  type OperatorValues,
} from '../sms-approvals/OperatorChoice.tsx'

/** Numbers are kept as typed. */
export type RouteValues = OperatorValues & StepsValues & { cliName: string }

export function valuesOfRoute(row: RouteRow | null): RouteValues {
  if (!row) return { ...allOperators, cliName: '', steps: [blankStep] }
  const steps = valuesOfSteps(row.steps, ({ gatewayId }) => gatewayId)
  return { ...valuesOfOperators(row.operators), cliName: row.cliName ?? '', steps }
}

/** Checks that need no server, which checks ranges. */
export function problemsOf(values: RouteValues): Record<string, string> {
  return { ...operatorsMissing(values), ...stepsMissing(values) }
}

export const fieldsOfRoute: Readonly<Record<string, keyof RouteValues & string>> = {
  operators: 'ntc',
  ...fieldsOfSteps('gatewayId'),
}

export function toRoute(values: RouteValues): SentOf<typeof smsRouteRoutes.create> {
  return {
    operators: chosenOperators(values),
    cliName: values.cliName.trim() || undefined,
    steps: toSteps(values.steps).map(({ target, ...step }) => ({ gatewayId: target, ...step })),
  }
}
