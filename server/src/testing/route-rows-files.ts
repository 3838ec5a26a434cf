import type { RouteKey } from '@ghanti/contract/routes.ts'
import type { Row } from './route-rows.ts'
import * as things from './things.ts'

/** Of files that the server makes (route-rows.ts has the rules). */
export const fileRows = {
  'baseFrom.make': {
    on: ['campaignId', things.campaign('complete')],
    names: { notInCampaignId: things.campaign() },
    fields: { dispositions: ['BUSY'], keys: ['1'], maxSeconds: 5 },
  },
  'baseFrom.progress': { on: ['makingId', things.baseMaking] },
} as const satisfies Partial<Record<RouteKey, Row>>
