import type { Row } from './route-rows.ts'
import * as things from './things.ts'

/** The rows of dashboards and of customers' pages. */
export const dashboardRows = {
  'customers.detail': { on: ['userId', things.customer] },
  'overview.own': {},
  'overview.reseller': {},
  'overview.platform': {},
} satisfies Record<string, Row>
