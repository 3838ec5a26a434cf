import type { Handlers } from '../../http/types.ts'
import { findUsers } from '../users/actions-find.ts'
import { findCampaigns } from '../voice-campaigns/actions-find.ts'

export const findHandlers: Handlers<'find'> = {
  async find(ctx, { search }) {
    const [campaigns, users] = await Promise.all([findCampaigns(ctx, search), findUsers(ctx, search)])
    return { campaigns, users }
  },
}
