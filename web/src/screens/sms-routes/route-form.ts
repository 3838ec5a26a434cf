import type { RouteRow, smsRouteRoutes } from '@ghanti/contract/sms-routes.ts'
import type { SentOf } from '../../api/client.ts'
import {
  allOperators,
  chosenOperators,
  operatorsMissing,
  valuesOfOperators,
  type OperatorValues,
} from '../sms-approvals/OperatorChoice.tsx'

type StepValues = { gatewayId: string | null; priority: string; weight: string }
type StepPath = `steps.${number}.${keyof StepValues}`
/** Numbers are kept as typed. */
export type RouteValues = OperatorValues & { cliName: string; steps: StepValues[]; [path: StepPath]: string | null }

export const stepsMax = 10
export const blankStep: StepValues = { gatewayId: null, priority: '1', weight: '1' }

export function valuesOfRoute(row: RouteRow | null): RouteValues {
  if (!row) return { ...allOperators, cliName: '', steps: [blankStep] }
  const steps = row.steps.map(({ gatewayId, priority, weight }) => ({
    gatewayId: String(gatewayId),
    priority: String(priority),
    weight: String(weight),
  }))
  return { ...valuesOfOperators(row.operators), cliName: row.cliName ?? '', steps }
}

/** The checks that need no server; it checks ranges. */
export function problemsOf(values: RouteValues): Record<string, string> {
  const missing = values.steps.flatMap(({ gatewayId }, index) =>
    gatewayId === null ? [[`steps.${index}.gatewayId`, 'is required']] : [],
  )
  return { ...operatorsMissing(values), ...Object.fromEntries(missing) }
}

/** Form fields by wire name, where they differ or are nested. */
export const fieldsOfRoute: Readonly<Record<string, keyof RouteValues & string>> = {
  operators: 'ntc',
  ...Object.fromEntries(
    Array.from({ length: stepsMax }, (_, index) =>
      (['gatewayId', 'priority', 'weight'] as const).map((name): [StepPath, StepPath] => {
        const path: StepPath = `steps.${index}.${name}`
        return [path, path]
      }),
    ).flat(),
  ),
}

export function toRoute(values: RouteValues): SentOf<typeof smsRouteRoutes.create> {
  return {
    operators: chosenOperators(values),
    cliName: values.cliName.trim() || undefined,
    steps: values.steps.map(({ gatewayId, priority, weight }) => ({
      gatewayId: gatewayId ?? '',
      priority: priority.trim(),
      weight: weight.trim(),
    })),
  }
}
