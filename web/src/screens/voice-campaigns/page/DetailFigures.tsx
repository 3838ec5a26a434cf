import { campaignStatusCode, campaignStatusOf, dispositions } from '@ghanti/contract/campaign-status.ts'
import type { ReactNode } from 'react'
import { useSession } from '../../../api/session.ts'
import { useFormat } from '../../../i18n/format.ts'
import { serverSentence, useTexts } from '../../../i18n/language.ts'
import { refusalOf } from '../allowed.ts'
import { ProgressBar } from '../Bars.tsx'
import classes from '../CampaignDetail.module.css'
import { ProgressText, StatusBadge, toneOfRow } from '../cells.tsx'
import type { CampaignDetail } from './detail.ts'
import { LateHold } from '../hold/LateHold.tsx'
import { isFinished, pendingCalls, progressShare } from '../progress.ts'
import { ReportButton } from '../ReportButton.tsx'
import { Outcomes } from './Outcomes.tsx'
import { PendingParts } from './PendingParts.tsx'
import { ReportState } from './ReportState.tsx'
import { saidOf } from './said.ts'

/** What came of the campaign, in one sentence and one bar; then its figures, quietly. */
export function Result({ detail }: { detail: CampaignDetail }) {
  const t = useTexts('campaignDetail')
  const format = useFormat()
  return (
    <section className={classes.card} aria-label={t.detail.counts}>
      <div className={classes.state}>
        <StatusBadge row={detail} />
        <Why detail={detail} />
      </div>
      <h2 className={classes.said}>{saidOf(detail, t, format)}</h2>
      {!isFinished(detail) && (
        <div className={classes.progress}>
          <ProgressBar share={progressShare(detail)} attempts={detail.attempts} tone={toneOfRow(detail)} />
          {campaignStatusOf(detail.campaignStatus) === 'running' && <ProgressText row={detail} />}
        </div>
      )}
      <Outcomes outcomes={detail.outcomes} />
      <Counts detail={detail} />
      <Explained detail={detail} />
    </section>
  )
}

/** The reason for the campaign's state. A running campaign also says when there is none, and a paused one who paused it. A finished one needs none. */
function Why({ detail }: { detail: CampaignDetail }) {
  const t = useTexts('campaignDetail')
  const format = useFormat()
  const { role } = useSession()
  const status = campaignStatusOf(detail.campaignStatus)
  const { hold, frozen } = detail
  // A freeze has its own bar, which says more.
  if (hold && !frozen) return <LateHold held={{ ...detail, cause: hold, isSms: false }} />
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

function Counts({ detail }: { detail: CampaignDetail }) {
  const { columns } = useTexts('voiceCampaigns')
  const { detail: names } = useTexts('campaignDetail')
  const format = useFormat()
  return (
    <dl className={classes.counts}>
      <Fact name={columns.totalNumbers}>{format.count(detail.numbersUploaded)}</Fact>
      <Fact name={columns.callsDialed}>{format.count(detail.numbersProcessed)}</Fact>
      <Fact name={columns.pendingCalls} below={<Pending detail={detail} />}>
        {format.count(pendingCalls(detail))}
      </Fact>
      <Fact name={columns.connectedCalls}>
        {format.count(detail.callsConnected)}
        <ReportButton row={detail} type="cc" />
      </Fact>
      <Fact name={columns.dtmfCount}>
        {format.count(detail.dtmfCount)}
        <ReportButton row={detail} type="dtmf" />
      </Fact>
      <Fact name={columns.dndCount}>{format.count(detail.dndCount)}</Fact>
      <Fact name={names.attemptsMade}>{format.count(detail.attempts)}</Fact>
      <Fact name={columns.totalPulses}>{format.count(detail.pulses)}</Fact>
      <Fact name={names.cost}>{names.rupees(format.rupees(detail.cost))}</Fact>
      <div className={classes.wide}>
        <dt>{names.report}</dt>
        <dd>
          <ReportState row={detail} />
        </dd>
      </div>
    </dl>
  )
}

function Fact({ name, below, children }: { name: string; below?: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={classes.count} data-numeric>
          {children}
        </span>
        {below}
      </dd>
    </div>
  )
}

function Pending({ detail }: { detail: CampaignDetail }) {
  return (
    <>
      <PendingParts row={detail} />
      {!isFinished(detail) && <PutOff detail={detail} />}
    </>
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

/** For whom a name is not enough. */
function Explained({ detail }: { detail: CampaignDetail }) {
  const { columns, outcomes } = useTexts('voiceCampaigns')
  const { detail: names, meanings, outcomeMeanings, explained } = useTexts('campaignDetail')
  const pending = isFinished(detail) ? meanings.pendingOver : meanings.pendingCalls
  const lines = [
    [columns.totalNumbers, meanings.totalNumbers],
    [columns.callsDialed, meanings.callsDialed],
    [columns.pendingCalls, pending],
    [columns.connectedCalls, meanings.connectedCalls],
    [columns.dtmfCount, meanings.dtmfCount],
    [columns.dndCount, meanings.dndCount],
    [names.attemptsMade, meanings.attemptsMade],
    [columns.totalPulses, meanings.totalPulses],
    ...dispositions
      .filter((name) => (detail.outcomes[name] ?? 0) > 0)
      .map((name) => [outcomes.names[name], outcomeMeanings[name]] as const),
  ] as const
  return (
    <details className={classes.explained}>
      <summary>{explained}</summary>
      <dl className={classes.lines}>
        {lines.map(([name, meaning]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
