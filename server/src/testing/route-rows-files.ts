import type { RouteKey } from '@ghanti/contract/routes.ts'
import type { Row } from './route-rows.ts'
import * as things from './things.ts'

const ofCampaign: Row = { on: ['campaignId', things.campaign()] }

/** Of files that the server makes (route-rows.ts has the rules). */
export const fileRows = {
  'reports.generate': ofCampaign,
  'reports.download': ofCampaign,
  'reports.zip': { on: ['campaignZip', things.reportZip] },
  'baseFrom.make': {
    on: ['campaignId', things.campaign('complete')],
    names: { notInCampaignId: things.campaign() },
    fields: { dispositions: ['BUSY'], keys: ['1'], maxSeconds: 5 },
  },
  'baseFrom.progress': { on: ['makingId', things.baseMaking] },
} as const satisfies Partial<Record<RouteKey, Row>>
