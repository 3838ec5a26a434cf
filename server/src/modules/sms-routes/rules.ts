import { operatorsOf } from '@ghanti/contract/sms-senders.ts'
import type { RouteRow } from '@ghanti/contract/sms-routes.ts'
import type { Route, StepListed } from './store.ts'

export function rowOf({ id, operators, sender, steps }: Route & { steps: StepListed[] }): RouteRow {
  return { routeId: id, operators: operatorsOf(operators), cliName: sender, steps }
}

export const routeWords = {
  noGateway: 'is not a gateway',
  overlaps: (operators: string, sender: string | null) =>
    sender === null ? `have a route already: ${operators}` : `have a route of this sender ID already: ${operators}`,
}
