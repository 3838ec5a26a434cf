import { campaignStatusOf } from '@ghanti/contract/campaign-status.ts'
import type { SmsCampaignRow } from '@ghanti/contract/sms-campaigns.ts'
import { Link } from 'react-router'
import table from '../../components/table/DataTable.module.css'
import { Status } from '../../components/ui/Status.tsx'
import { serverSentence, useTexts } from '../../i18n/language.ts'
import { toneOf } from '../voice-campaigns/tones.ts'

/** Nothing for a code that is not in the contract's table. */
export function SmsStatus({ code }: { code: number }) {
  const t = useTexts('smsCampaigns')
  const status = campaignStatusOf(code)
  if (!status) return null
  return (
    <Status badge is={toneOf[status]}>
      {t.status[status]}
    </Status>
  )
}

/** The name; under it the owner, and below the row why it does not send. */
export function SmsName({ row, withOwner }: { row: SmsCampaignRow; withOwner: boolean }) {
  const { afterCalls, archived, deleted } = useTexts('smsCampaigns')
  const { callCampaign } = row
  const said = [
    withOwner && row.username,
    row.deleted ? deleted[row.deleted] : row.archived && archived,
    callCampaign && afterCalls(callCampaign.campaignName),
  ].filter(Boolean)
  return (
    <>
      <Link to={`/sms-campaign-report/${row.campaignId}`}>{row.campaignName}</Link>
      {said.length > 0 && <small>{said.join(' · ')}</small>}
      {row.reason !== null && <span className={table.reason}>{serverSentence(row.reason)}</span>}
    </>
  )
}
