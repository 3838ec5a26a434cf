import { everyOperator, operatorLabel, type Operator } from '@ghanti/contract/operators.ts'

/** The operators whose numbers no trunk of the route can carry. */
export function uncovered(steps: readonly { operators: readonly Operator[] }[]): Operator[] {
  if (steps.some(({ operators }) => operators.length === 0)) return []
  return everyOperator.filter((operator) => !steps.some(({ operators }) => operators.includes(operator)))
}

const nameOf = (operator: Operator): string => (operator === 'other' ? 'other operators' : operatorLabel[operator])

export const callRouteWords = {
  noTrunk: 'is not a trunk',
  uncovered: (operators: readonly Operator[]) =>
    `leave no trunk to the numbers of ${operators.map(nameOf).join(', ')}: name them at a trunk, or add one for all operators`,
  needed: (clis: string) => `lack the trunk of the caller IDs ${clis}: give these another route or another trunk first`,
  inUse: (clis: string) => `is the route of the caller IDs ${clis}: give them another one first`,
  hasNotTrunk: (trunk: string) => `does not have trunk ${trunk} of this caller ID: add it to the route first`,
  withoutTrunk: 'cannot be given to a caller ID without a trunk',
}
