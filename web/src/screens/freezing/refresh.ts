import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { customerRoutes } from '@ghanti/contract/customers.ts'
import { smsCampaignRoutes } from '@ghanti/contract/sms-campaigns.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { refresh } from '../../api/query.ts'

/** What shows whether an account is frozen. */
export const refreshFrozen = (): Promise<unknown> =>
  refresh(userRoutes.list, customerRoutes.detail, campaignDetailRoutes.detail, smsCampaignRoutes.summary)
