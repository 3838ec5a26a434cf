import { newApiKey } from '../keys.ts'
import { noId, type RouteFixture } from './route-fixtures.ts'
import type { Row } from './route-rows.ts'

const key: RouteFixture = {
  owners: ['user', 'reseller'],
  make: async (app, owner) => (await newApiKey(app, owner)).keyId,
  missing: noId,
}
const onlyOwn = { reseller: { child: 404, deeper: 404 } }

export const keyRows = {
  'keys.list': {},
  'keys.create': { fields: (_, fresh) => ({ name: fresh, scopes: ['messages:write'], networks: ['203.0.113.0/24'] }) },
  'keys.roll': { on: ['keyId', key], fields: { overlapHours: 2 }, except: onlyOwn },
  'keys.revoke': { on: ['keyId', key], except: onlyOwn },
} satisfies Record<string, Row>
