import { connectFlow } from '@ghanti/callflow/flow.ts'
import type { Row } from './route-rows.ts'
import { changeSetting } from '../../modules/platform/actions.ts'
import { defaultCallingHours } from '../../modules/platform/rules-hours.ts'
import { newCall } from '../calls.ts'
import { testCall } from './route-fixtures-test-call.ts'
import { heardCampaign, type RouteFixture } from './route-fixtures.ts'

/** An ended call of a campaign that Call Now may follow, without one under way. */
const followedCall: RouteFixture = {
  ...heardCampaign,
  async make(app, owner, viewer) {
    await app.db
      .transaction()
      .execute((tx) => changeSetting(tx, 'callingHours', { ...defaultCallingHours, enabled: false }, null))
    const campaignId = Number(await heardCampaign.make(app, owner, viewer))
    await app.db
      .updateTable('campaign')
      .set({ status: 'cancelled' })
      .where('account_id', '=', owner.userId)
      .where('is_call_now', '=', true)
      .execute()
    // Other tests put the usual number on the platform's blacklist.
    const phone = 9_779_841_700_000 + campaignId
    return await newCall(app, owner, campaignId, { agent: '+9779801000001', phone })
  },
}

/** A Call Now that waits for its turn. */
const followup: RouteFixture = {
  ...heardCampaign,
  async make(app, owner, viewer) {
    const id = await testCall.make(app, owner, viewer)
    const flow = connectFlow({ agent: '+9779801000001', customer: '+9779841000001' })
    await app.db.updateTable('campaign').set({ is_call_now: true }).where('id', '=', Number(id)).execute()
    await app.db
      .updateTable('campaign_detail')
      .set({ flow: JSON.stringify(flow) })
      .where('campaign_id', '=', Number(id))
      .execute()
    return id
  },
}

export const singleCallRows = {
  'testCalls.detail': { on: ['testId', testCall] },
  'testCalls.stop': { on: ['testId', testCall] },
  'followups.begin': { on: ['callUID', followedCall] },
  'followups.detail': { on: ['followupId', followup] },
  'followups.stop': { on: ['followupId', followup] },
} satisfies Record<string, Row>
