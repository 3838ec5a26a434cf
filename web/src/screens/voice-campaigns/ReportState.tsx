import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import classes from './cells.module.css'
import { useAwaitedReports } from './report.ts'

/** Queued, being made, ready, or failed with the reason; null when there never was one. */
export function reportStateText(row: CampaignRow, { report }: TextsOf<'voiceCampaigns'>): string | null {
  if (row.reportStatus === '0') return report.queued
  if (row.reportStatus === '1') return report.making
  if (row.reportStatus === '2') return report.ready
  return row.reportReason === null ? null : report.failed(serverText(row.reportReason))
}

/** Says which downloads wait, because their rows may be on another page. */
export function AwaitedReports() {
  const { report } = useTexts('voiceCampaigns')
  const names = [...new Set(useAwaitedReports().map(({ campaignName }) => campaignName))]
  return (
    <div role="status" className={classes.awaited}>
      {names.map((name) => (
        <p key={name}>{report.ofCampaign(name)}</p>
      ))}
    </div>
  )
}
