import { reportRoutes, type CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { fileAddress } from '../../../api/client.ts'
import { useTexts } from '../../../i18n/language.ts'
import { reportStateText } from '../ReportState.tsx'

export function ReportState({ row }: { row: CampaignRow }) {
  const campaigns = useTexts('voiceCampaigns')
  const { detail } = useTexts('campaignDetail')
  const { campaignId } = row
  const said = reportStateText(row, campaigns) ?? detail.reportNever
  if (row.reportStatus !== '2') return said
  return (
    <a href={fileAddress(reportRoutes.zip, { campaignZip: `${campaignId}.zip` })} download>
      {said}
    </a>
  )
}
