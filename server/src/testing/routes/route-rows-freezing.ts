import * as fixtures from './route-fixtures.ts'
import type { Row } from './route-rows.ts'

/** Whoever is above freezes, at any depth; nobody freezes itself. */
export const freezingRows = {
  'freezing.reach': { on: ['userId', fixtures.account] },
  'freezing.freeze': {
    on: ['userId', fixtures.childOf],
    fields: { calls: 'finish', frozen: true },
  },
} satisfies Record<string, Row>
