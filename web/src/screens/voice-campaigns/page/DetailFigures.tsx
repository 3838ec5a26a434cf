import { campaignStatusCode, campaignStatusOf } from '@ghanti/contract/campaign-status.ts'
import type { ReactNode } from 'react'
import { useSession } from '../../../api/session.ts'
import { useFormat } from '../../../i18n/format.ts'
import { serverSentence, useTexts } from '../../../i18n/language.ts'
import { refusalOf } from '../allowed.ts'
import { ProgressBar } from '../Bars.tsx'
import classes from '../CampaignDetail.module.css'
import { ProgressText, StatusBadge, toneOfRow } from '../cells.tsx'
import type { CampaignDetail } from './detail.ts'
import { isFinished, pendingCalls, progressShare } from '../progress.ts'
import { ReportButton } from '../ReportButton.tsx'
import { PendingParts } from './PendingParts.tsx'
import { ReportState } from './ReportState.tsx'
import { Section } from './Section.tsx'

export function StateSection({ detail }: { detail: CampaignDetail }) {
  const t = useTexts('campaignDetail')
  const format = useFormat()
  return (
    <Section title={t.detail.state} wide>
      <div className={classes.state}>
        <div>
          <StatusBadge row={detail} />
          <Why detail={detail} />
        </div>
        <div className={classes.progress}>
          <ProgressBar tall share={progressShare(detail)} attempts={detail.attempts} tone={toneOfRow(detail)} />
          {campaignStatusOf(detail.campaignStatus) === 'running' && <ProgressText row={detail} />}
        </div>
        <dl className={classes.facts}>
          <Fact name={t.detail.cost}>{t.detail.rupees(format.rupees(detail.cost))}</Fact>
          <Fact name={t.detail.report}>
            <ReportState row={detail} />
          </Fact>
        </dl>
      </div>
    </Section>
  )
}

/** The reason for the campaign's state. A running campaign also says when there is none, and a paused one who paused it. A finished one needs none. */
function Why({ detail }: { detail: CampaignDetail }) {
  const t = useTexts('campaignDetail')
  const format = useFormat()
  const { role } = useSession()
  const status = campaignStatusOf(detail.campaignStatus)
  const parts: string[] = []
  if (detail.reason !== null) parts.push(serverSentence(detail.reason))
  else if (status === 'running') parts.push(t.detail.noReason)
  if (status === 'paused') {
    const pause = detail.history.find(({ to }) => to === campaignStatusCode.pausing)
    if (pause && detail.reason === null)
      parts.push(t.detail.paused(pause.by ?? t.history.system, format.time(pause.at)))
    if (refusalOf('resume', detail, role) === null) parts.push(t.detail.resume)
  }
  return parts.length > 0 ? <p className={classes.why}>{parts.join(' ')}</p> : null
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-numeric>{children}</dd>
    </div>
  )
}

export function CountsSection({ detail }: { detail: CampaignDetail }) {
  const { columns } = useTexts('voiceCampaigns')
  const { detail: names, meanings } = useTexts('campaignDetail')
  const format = useFormat()
  const over = isFinished(detail)
  const counts = [
    { name: columns.totalNumbers, count: detail.numbersUploaded, meaning: meanings.totalNumbers },
    { name: columns.callsDialed, count: detail.numbersProcessed, meaning: meanings.callsDialed },
    {
      name: columns.pendingCalls,
      count: pendingCalls(detail),
      meaning: over ? meanings.pendingOver : meanings.pendingCalls,
      parts: true,
    },
    { name: columns.connectedCalls, count: detail.callsConnected, meaning: meanings.connectedCalls, report: 'cc' },
    { name: columns.dtmfCount, count: detail.dtmfCount, meaning: meanings.dtmfCount, report: 'dtmf' },
    { name: columns.dndCount, count: detail.dndCount, meaning: meanings.dndCount },
    { name: names.attemptsMade, count: detail.attempts, meaning: meanings.attemptsMade },
    { name: columns.totalPulses, count: detail.pulses, meaning: meanings.totalPulses },
  ] as const
  return (
    <Section title={names.counts} wide>
      <dl className={classes.counts}>
        {counts.map((line) => (
          <div key={line.name}>
            <dt>{line.name}</dt>
            <dd>
              <span className={classes.count} data-numeric>
                {format.count(line.count)}
                {'report' in line && <ReportButton row={detail} type={line.report} />}
              </span>
              <span className={classes.meaning}>{line.meaning}</span>
              {'parts' in line && <PendingParts row={detail} />}
              {'parts' in line && !over && <PutOff detail={detail} />}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function PutOff({ detail: { putOff } }: { detail: CampaignDetail }) {
  const t = useTexts('campaignDetail')
  const format = useFormat()
  const parts = (['numberBusy', 'calledToday'] as const).filter((why) => putOff[why] > 0)
  if (parts.length === 0) return null
  return (
    <span className={classes.meaning}>{parts.map((why) => t.putOff[why](format.count(putOff[why]))).join(' ')}</span>
  )
}
