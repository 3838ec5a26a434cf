import type { Row } from './route-rows.ts'
import * as fixtures from './route-fixtures.ts'

const figures = { from: '2026-11-20', to: '2026-11-20', of: 'campaign', by: 'day' }
const ofFigures: Row = { on: ['userId', fixtures.account], fields: figures }
const ofFiguresTable: Row = { ...ofFigures, fields: { ...figures, table: 'rows' } }

export const dashboardRows = {
  'customers.detail': { on: ['userId', fixtures.customer] },
  'find.number': {},
  'find.find': { fields: { search: 'name' } },
  'insight.calls': { ...ofFigures, fields: { ...figures, of: 'agent' } },
  'insight.messages': ofFigures,
  'insight.callsCsv': { ...ofFiguresTable, fields: { ...figures, of: 'agent', table: 'rows' } },
  'insight.messagesCsv': ofFiguresTable,
  'calendar.range': { on: ['userId', fixtures.account], fields: { from: '2026-11-22', to: '2026-11-28' } },
  'overview.own': {},
  'overview.start': {},
  'overview.reseller': {},
  'overview.platform': {},
} satisfies Record<string, Row>
