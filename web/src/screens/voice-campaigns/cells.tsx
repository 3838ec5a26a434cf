import { campaignStatusOf } from '@ghanti/contract/campaign-status.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import table from '../../components/table/DataTable.module.css'
import { Status } from '../../components/ui/Status.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { serverSentence, useTexts } from '../../i18n/language.ts'
import { actionOf, type ActionContext } from './actions.tsx'
import { OutcomeBar, ProgressBar } from './Bars.tsx'
import classes from './cells.module.css'
import { useClock } from './clock.ts'
import { progressShare, runningShare, timeLeft, withSample, type Sample } from './progress.ts'
import { toneOf } from './tones.ts'
import { ReasonButton } from './ReasonButton.tsx'
import { ReportButton } from './ReportButton.tsx'
import { reportStateText } from './ReportState.tsx'

/** The name; under it the owner and its report's state, and below the row why it does not dial. */
export function NameCell({ row, withOwner }: { row: CampaignRow; withOwner: boolean }) {
  const t = useTexts('voiceCampaigns')
  const said = [
    withOwner && row.username,
    row.deleted ? t.deleted[row.deleted] : row.archived && t.archived,
    reportStateText(row, t),
  ].filter(Boolean)
  return (
    <>
      <Link
        className={classes.name}
        data-alone={said.length === 0 || undefined}
        to={`/voice-campaign-summary/${row.campaignId}`}
      >
        {row.campaignName}
      </Link>
      {said.length > 0 && <small className={withOwner ? undefined : classes.said}>{said.join(' · ')}</small>}
      {row.reason !== null && <span className={table.reason}>{serverSentence(row.reason)}</span>}
    </>
  )
}

/** '' for a code that is not in the contract's table. */
export function statusLabel(code: number, t: TextsOf<'voiceCampaigns'>): string {
  const status = campaignStatusOf(code)
  return status ? t.status[status] : ''
}

export function toneOfRow(row: CampaignRow) {
  const status = campaignStatusOf(row.campaignStatus)
  return status ? toneOf[status] : 'neutral'
}

export function StatusBadge({ row }: { row: CampaignRow }) {
  const t = useTexts('voiceCampaigns')
  return (
    <Status badge is={toneOfRow(row)}>
      {statusLabel(row.campaignStatus, t)}
    </Status>
  )
}

/** The status; under it progress and time left, on phones as a bar. */
export function StatusCell({ row }: { row: CampaignRow }) {
  return (
    <>
      <StatusBadge row={row} />
      {campaignStatusOf(row.campaignStatus) === 'running' && <ProgressText row={row} brief />}
      <div className={classes.phoneBar}>
        <ProgressBar share={progressShare(row)} attempts={row.attempts} tone={toneOfRow(row)} />
      </div>
    </>
  )
}

/** '62 % · about 12 min left', `brief` in a cell; the speed is measured while the row is on screen. */
export function ProgressText({ row, brief = false }: { row: CampaignRow; brief?: boolean }) {
  const { progress } = useTexts('voiceCampaigns')
  const format = useFormat()
  const atMs = useClock(1_000)
  const [samples, setSamples] = useState<readonly Sample[]>([])
  if (samples.at(-1)?.atMs !== atMs) setSamples(withSample(samples, { atMs, attempts: row.attempts }))
  const left = timeLeft(row, samples, new Date(atMs))
  const duration = left && durationText(left.ms, progress, format)
  const said = duration && (left.atLeast ? progress.leftAtLeast(duration) : progress.left(duration))
  if (row.retryQueuing) return <small className={classes.small}>{progress.queuing}</small>
  return (
    <small className={classes.small} title={(brief && said) || undefined}>
      {progress.percent(format.count(Math.floor(progressShare(row) * 100)))}
      {said && ` · ${brief ? duration : said}`}
    </small>
  )
}

function durationText(ms: number, t: TextsOf<'voiceCampaigns'>['progress'], format: Format): string {
  const minutes = Math.ceil(ms / 60_000)
  if (minutes <= 1) return t.soon
  if (minutes < 60) return t.minutes(format.count(minutes))
  if (minutes < 48 * 60) return t.hours(format.count(Math.floor(minutes / 60)), format.count(minutes % 60))
  return t.days(format.count(Math.round(minutes / (24 * 60))))
}

export function DialedCell({ row }: { row: CampaignRow }) {
  const format = useFormat()
  return (
    <div className={classes.figure}>
      {format.count(row.numbersProcessed)}
      <ProgressBar share={progressShare(row)} attempts={row.attempts} tone={toneOfRow(row)} />
    </div>
  )
}

export function ConnectedCell({ row }: { row: CampaignRow }) {
  const format = useFormat()
  return (
    <div className={classes.figure}>
      <span className={classes.withIcon}>
        {format.count(row.callsConnected)}
        <ReportButton row={row} type="cc" />
      </span>
      <OutcomeBar outcomes={row.outcomes} />
    </div>
  )
}

export function DtmfCell({ row }: { row: CampaignRow }) {
  const format = useFormat()
  return (
    <span className={classes.withIcon}>
      {format.count(row.dtmfCount)}
      <ReportButton row={row} type="dtmf" />
    </span>
  )
}

export function RetryButton({ row, go }: { row: CampaignRow; go: ActionContext['go'] }) {
  const t = useTexts('voiceCampaigns')
  const { role } = useSession()
  const { label, disabledReason, onClick } = actionOf('retry', row, { role, t, go })
  return (
    <ReasonButton
      label={`${label}: ${row.campaignName}`}
      subject={row.campaignName}
      disabledReason={disabledReason}
      onClick={onClick}
    >
      {label}
    </ReasonButton>
  )
}

/** '62 %', '2 running, 43 %'; '' while nothing runs. */
export function tabText(rows: readonly CampaignRow[], t: TextsOf<'voiceCampaigns'>, format: Format): string {
  const now = runningShare(rows)
  return now ? t.tab(format.count(now.running), format.count(Math.floor(now.share * 100))) : ''
}
