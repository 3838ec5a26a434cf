import type { Row } from './route-rows.ts'
import * as fixtures from './route-fixtures.ts'

export const planRows = {
  'voiceCampaigns.edit': {
    on: ['campaignId', fixtures.campaign('ready')],
    fields: { scheduleTime: undefined, notAfter: undefined },
  },
} satisfies Record<string, Row>
