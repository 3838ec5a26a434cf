import { calendarRoutes } from '@ghanti/contract/calendar.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { voiceCampaignRoutes, type CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { Failed } from '../../components/ui/failures/Failed.tsx'
import { useTexts } from '../../i18n/language.ts'
import { formOfComposed } from '../compose/opened/composed-form.ts'
import { EditForm, type Before, type Changes } from './EditForm.tsx'

export type Edited = Pick<CampaignRow, 'campaignId' | 'campaignName'>
type Detail = ReplyOf<typeof campaignDetailRoutes.detail>

export default function EditCampaign({ campaignId, close }: Edited & { close: () => void }) {
  const { fields, kept } = useTexts('editCampaign')
  const detail = useQuery({ ...jsonQuery(campaignDetailRoutes.detail, { campaignId }), gcTime: 0 })
  if (detail.error) return <Failed error={detail.error} labels={fields} />
  if (!detail.data) return <div aria-busy />
  const save = async (changes: Changes) => {
    await call(composeRoutes.edit, { campaignId, ...changes })
    await refresh(calendarRoutes.range, voiceCampaignRoutes.list, campaignDetailRoutes.detail)
  }
  return <EditForm of="calls" before={beforeOf(detail.data)} kept={kept.calls} save={save} close={close} />
}

function beforeOf({ campaignName, scheduleTime, dialUntil, notAfter, composed }: Detail): Before {
  const { ringSeconds } = composed
  const { template, templateName, keys, agents, keyLabels } = formOfComposed(composed)
  return {
    campaignName,
    scheduleTime,
    end: dialUntil,
    notAfter,
    ringSeconds: typeof ringSeconds === 'number' ? String(ringSeconds) : '',
    keys: { template, templateName, keys, agents, keyLabels },
  }
}
