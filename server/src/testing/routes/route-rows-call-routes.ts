import * as lines from './route-fixtures-lines.ts'
import type { Row } from './route-rows.ts'

const ofDialer: Row = { on: ['dialerId', lines.dialer] }
const ofTrunk: Row = { on: ['trunkId', lines.trunk] }

/** Dialers, trunks, the order in which trunks are tried, and contracts. */
export const callRouteRows = {
  'dialers.choices': {},
  'dialers.list': {},
  'dialers.create': {},
  'dialers.detail': ofDialer,
  'dialers.update': ofDialer,
  'dialers.giveUp': ofDialer,
  'dialers.delete': ofDialer,
  'trunks.list': {},
  'trunks.create': { names: { dialerId: lines.dialer } },
  'trunks.detail': ofTrunk,
  'trunks.update': { ...ofTrunk, names: { dialerId: lines.dialer } },
  'trunks.delete': ofTrunk,
  'trunks.test': { ...ofTrunk, ok: 409 }, // no engine holds its dialer
  'trunks.testResult': { on: ['testId', lines.trunkTest] },
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
