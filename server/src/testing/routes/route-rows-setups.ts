import * as fixtures from './route-fixtures.ts'
import * as lines from './route-fixtures-lines.ts'
import * as setups from './route-fixtures-setups.ts'
import type { Row } from './route-rows.ts'

const ofSetup: Row = { on: ['setupId', setups.setup] }

export const setupRows = {
  'setups.list': {},
  'setups.detail': ofSetup,
  'setups.save': {
    names: { cli: lines.cli, baseId: fixtures.base, welcomePId: fixtures.prompt },
    fields: (_, fresh) => ({ setupName: fresh, templateId: 0, menuPId: undefined }),
  },
  'setups.saveFrom': { on: ['campaignId', fixtures.campaign()], fields: (_, fresh) => ({ setupName: fresh }) },
  'setups.rename': { ...ofSetup, fields: (_, fresh) => ({ setupName: fresh }) },
  'setups.delete': ofSetup,
} satisfies Record<string, Row>
