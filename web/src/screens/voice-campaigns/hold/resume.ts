import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { overviewRoutes } from '@ghanti/contract/overview.ts'
import { smsCampaignRoutes } from '@ghanti/contract/sms-campaigns.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { confirm } from '../../../components/ui/dialogs/dialogs.ts'
import { textsOf } from '../../../i18n/language.ts'
import type { Held } from './Hold.tsx'

/** Asks, and resumes a campaign of calls or of messages. Needs the texts `campaignActions` and `voiceCampaigns`. */
export function resume({ campaignId, campaignName, isSms }: Pick<Held, 'campaignId' | 'campaignName' | 'isSms'>): void {
  confirm({
    title: campaignName,
    question: textsOf('campaignActions').questions.resume,
    failure: messages.resumeFailed,
    labels: textsOf('voiceCampaigns').labels,
    onYes: async () => {
      await call(isSms ? smsCampaignRoutes.resume : voiceCampaignRoutes.resume, { campaignId })
      await refresh(
        ...(isSms
          ? [smsCampaignRoutes.list, smsCampaignRoutes.summary]
          : [voiceCampaignRoutes.list, campaignDetailRoutes.detail]),
        overviewRoutes.own,
        overviewRoutes.reseller,
      )
    },
  })
}
