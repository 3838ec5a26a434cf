import type { Handlers } from '../../http/types.ts'
import { findClis } from '../lines/actions-find.ts'
import { findSmsCampaigns } from '../sms-campaigns/actions-find.ts'
import { findUsers } from '../users/actions-find.ts'
import { findCalls, findCampaigns } from '../voice-campaigns/actions-find.ts'

export const findHandlers: Handlers<'find'> = {
  async find(ctx, { search }) {
    const [campaigns, smsCampaigns, users, clis] = await Promise.all([
      findCampaigns(ctx, search),
      findSmsCampaigns(ctx, search),
      findUsers(ctx, search),
      findClis(ctx, search),
    ])
    return { campaigns, smsCampaigns, users, clis }
  },
  number: (ctx, { mobile }) => findCalls(ctx, mobile),
}
