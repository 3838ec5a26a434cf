import type { Row } from './route-rows.ts'
import * as fixtures from './route-fixtures.ts'
import * as messages from './route-fixtures-messages.ts'

export const planRows = {
  'voiceCampaigns.edit': {
    on: ['campaignId', fixtures.campaign('ready')],
    fields: { scheduleTime: undefined, notAfter: undefined },
  },
  'smsCampaigns.edit': {
    on: ['campaignId', messages.editable],
    fields: { scheduleTime: undefined, notAfter: undefined },
  },
} satisfies Record<string, Row>
