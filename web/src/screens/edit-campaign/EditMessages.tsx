import { calendarRoutes } from '@ghanti/contract/calendar.ts'
import { smsCampaignRoutes, type SmsCampaignRow } from '@ghanti/contract/sms-campaigns.ts'
import { smsComposeRoutes } from '@ghanti/contract/sms-compose.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { Failed } from '../../components/ui/failures/Failed.tsx'
import { useTexts } from '../../i18n/language.ts'
import { EditForm, type Changes } from './EditForm.tsx'

export type EditedMessages = Pick<SmsCampaignRow, 'campaignId' | 'campaignName'>

export default function EditMessages({ campaignId, close }: EditedMessages & { close: () => void }) {
  const { fields, kept } = useTexts('editCampaign')
  const summary = useQuery({ ...jsonQuery(smsCampaignRoutes.summary, { campaignId }), gcTime: 0 })
  if (summary.error) return <Failed error={summary.error} labels={fields} />
  if (!summary.data) return <div aria-busy />
  const { campaignName, scheduleTime, sendUntil: end, notAfter } = summary.data
  const save = async (changes: Changes) => {
    await call(smsComposeRoutes.edit, { campaignId, ...changes })
    await refresh(calendarRoutes.range, smsCampaignRoutes.list, smsCampaignRoutes.summary)
  }
  const before = { campaignName, scheduleTime, end, notAfter }
  return <EditForm of="messages" before={before} kept={kept.messages} save={save} close={close} />
}
