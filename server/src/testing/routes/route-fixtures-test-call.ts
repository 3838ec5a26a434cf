import { heardCampaign, type RouteFixture } from './route-fixtures.ts'

export const testCall: RouteFixture = {
  ...heardCampaign,
  async make(app, owner, viewer) {
    const testId = await heardCampaign.make(app, owner, viewer)
    await app.db.updateTable('campaign').set({ is_test: true }).where('id', '=', Number(testId)).execute()
    await app.db.deleteFrom('campaign_progress').where('campaign_id', '=', Number(testId)).execute()
    return testId
  },
}
