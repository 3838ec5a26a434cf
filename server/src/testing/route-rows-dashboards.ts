import type { Row } from './route-rows.ts'
import * as fixtures from './route-fixtures.ts'

/** The rows of dashboards and of customers' pages. */
export const dashboardRows = {
  'customers.detail': { on: ['userId', fixtures.customer] },
  'overview.own': {},
  'overview.reseller': {},
  'overview.platform': {},
} satisfies Record<string, Row>
