import * as lines from './route-fixtures-lines.ts'
import type { Row } from './route-rows.ts'

export const callRouteRows = {
  'callRoutes.list': {},
  'callRoutes.create': { names: { steps: lines.callSteps }, fields: (_, fresh) => ({ routeName: fresh }) },
  'callRoutes.update': {
    on: ['routeId', lines.callRoute],
    names: { steps: lines.callSteps },
    fields: (_, fresh) => ({ routeName: fresh }),
  },
  'callRoutes.delete': { on: ['routeId', lines.callRoute] },
  'contracts.list': {},
  'contracts.create': { fields: (_, fresh) => ({ contractName: fresh, channels: 30, cps: 10 }) },
  'contracts.update': {
    on: ['contractId', lines.contract],
    fields: (_, fresh) => ({ contractName: fresh, channels: 30, cps: 10 }),
  },
  'contracts.delete': { on: ['contractId', lines.contract] },
  'lines.addGroup': {
    names: { trunkName: lines.trunkOfGroup, members: lines.groupMembers },
    fields: (_, fresh) => ({ groupName: `G ${fresh}` }),
  },
  'lines.updateGroup': {
    on: ['cliId', lines.cliGroup],
    names: { trunkName: lines.trunkOfGroup, members: lines.groupMembers },
    fields: (_, fresh) => ({ groupName: `G ${fresh}` }),
  },
  'lines.group': { on: ['cliId', lines.cliGroup] },
  'lines.route': { on: ['cliId', lines.anyCli], fields: { routeId: undefined } },
} satisfies Record<string, Row>
