import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { stopTestCall, testCall, testCampaign, testComposed } from './actions.ts'

const { success: message } = messages

export const testCallHandlers: Handlers<'testCalls'> = {
  async composed(ctx, input) {
    return { message, testId: await testComposed(ctx, input) }
  },
  async ofCampaign(ctx, { campaignId, ...whom }) {
    return { message, testId: await testCampaign(ctx, campaignId, whom) }
  },
  detail: (ctx, { testId }) => testCall(ctx, testId),
  async stop(ctx, { testId }) {
    await stopTestCall(ctx, testId)
    return { message }
  },
}
