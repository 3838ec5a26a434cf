import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { IconDownload, IconLoader2 } from '@tabler/icons-react'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { ReasonButton } from './ReasonButton.tsx'
import { downloadReport, useIsAwaited } from './report.ts'

/** The download icon beside Connected Calls ('cc') and Dtmf Count ('dtmf'). */
export function ReportButton({ row, type }: { row: CampaignRow; type: 'cc' | 'dtmf' }) {
  const { report } = useTexts('voiceCampaigns')
  const format = useFormat()
  const { campaignId, campaignName } = row
  const busy = useIsAwaited(campaignId, type)
  const count = type === 'cc' ? row.callsConnected : row.dtmfCount
  const none = type === 'cc' ? report.ccNone : report.dtmfNone
  return (
    <ReasonButton
      look="icon"
      label={`${report[type](format.count(count))}: ${campaignName}`}
      subject={campaignName}
      disabledReason={count === 0 ? none : undefined}
      busy={busy}
      onClick={() => void downloadReport({ campaignId, campaignName, type })}
    >
      {busy ? <IconLoader2 size={15} aria-hidden /> : <IconDownload size={15} stroke={1.7} aria-hidden />}
    </ReasonButton>
  )
}
