import type { Row } from './route-rows.ts'
import * as fixtures from './route-fixtures.ts'

export const dashboardRows = {
  'customers.detail': { on: ['userId', fixtures.customer] },
  'find.number': {},
  'find.find': { fields: { search: 'name' } },
  'overview.own': {},
  'overview.start': {},
  'overview.reseller': {},
  'overview.platform': {},
} satisfies Record<string, Row>
