import { routeStepsMax } from '@ghanti/contract/route-steps.ts'

/** A step of a route as typed: a gateway or trunk, by id, its order, weight, and what a trunk costs and whose numbers go over it (none: all). */
export type StepValues = { target: string | null; priority: string; weight: string; cost: string; operators: string[] }
type TypedPath = `steps.${number}.${Exclude<keyof StepValues, 'operators'>}`
type OperatorsPath = `steps.${number}.operators`
export type StepPath = TypedPath | OperatorsPath
export type StepsValues = { steps: StepValues[]; [path: TypedPath]: string | null; [path: OperatorsPath]: string[] }

export const blankStep: StepValues = { target: null, priority: '1', weight: '1', cost: '0', operators: [] }

type Ordered = { priority: number; weight: number; costPaisa?: number; operators?: readonly string[] }
export function valuesOfSteps<Step extends Ordered>(
  steps: readonly Step[],
  idOf: (step: Step) => number,
): StepValues[] {
  return steps.map((step) => ({
    target: String(idOf(step)),
    priority: String(step.priority),
    weight: String(step.weight),
    cost: String(step.costPaisa ?? 0),
    operators: [...(step.operators ?? [])],
  }))
}

/** Makes the checks that need no server. The server checks ranges. */
export function stepsMissing({ steps }: Pick<StepsValues, 'steps'>): Record<string, string> {
  const isMissing = (value: string | null): boolean => !value?.trim()
  const missing = steps.flatMap((step, index) =>
    (['target', 'priority', 'weight', 'cost'] as const)
      .filter((field) => isMissing(step[field]))
      .map((field) => [`steps.${index}.${field}`, 'is required']),
  )
  return Object.fromEntries(missing)
}

/** Form fields by wire name. `id`: the wire's name for a step's target. */
export function fieldsOfSteps(id: 'gatewayId' | 'trunkId'): Readonly<Record<string, StepPath>> {
  const of = (index: number): [string, StepPath][] => [
    [`steps.${index}.${id}`, `steps.${index}.target`],
    [`steps.${index}.priority`, `steps.${index}.priority`],
    [`steps.${index}.weight`, `steps.${index}.weight`],
    [`steps.${index}.costPaisa`, `steps.${index}.cost`],
    [`steps.${index}.operators`, `steps.${index}.operators`],
  ]
  return Object.fromEntries(Array.from({ length: routeStepsMax }, (_, index) => of(index)).flat())
}

type StepTexts = Readonly<Record<'target' | 'priority' | 'weight', string>> & {
  cost?: string
  operators?: string
  /** 'Step 2'. */
  stepTitle: (number: string) => string
}

/** The label of each field of each step, by its name in the form. */
export function labelsOfSteps(t: StepTexts, countText: (count: number) => string): Record<string, string> {
  const labels = Array.from({ length: routeStepsMax }, (_, index) => {
    const of = (label: string) => `${t.stepTitle(countText(index + 1))}, ${label}`
    const { target, priority, weight, cost = '', operators = '' } = t
    const step = {
      target: of(target),
      priority: of(priority),
      weight: of(weight),
      cost: of(cost),
      operators: of(operators),
    }
    return Object.entries(step).map(([name, label]) => [`steps.${index}.${name}`, label])
  })
  return Object.fromEntries(labels.flat())
}

export function toSteps(steps: readonly StepValues[]): { target: string; priority: string; weight: string }[] {
  return steps.map(({ target, priority, weight }) => ({
    target: target ?? '',
    priority: priority.trim(),
    weight: weight.trim(),
  }))
}
