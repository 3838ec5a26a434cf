import { campaignStatusOf } from '@ghanti/contract/campaign-status.ts'
import { smsCampaignRoutes, type SmsCampaignSummary } from '@ghanti/contract/sms-campaigns.ts'
import { fileAddress } from '../../api/client.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { useFormat } from '../../i18n/format.ts'
import { serverSentence, useTexts } from '../../i18n/language.ts'
import page from '../voice-campaigns/CampaignDetail.module.css'
import classes from './SmsReport.module.css'

export function Facts({ summary }: { summary: SmsCampaignSummary }) {
  const { facts } = useTexts('smsCampaigns')
  const format = useFormat()
  const { fresh, inFlight, waiting, nextDue } = summary.pending
  const pending = fresh + inFlight + waiting
  return (
    <section className={page.card} aria-label={facts.setup}>
      <dl className={classes.lines}>
        {pending > 0 && (
          <div>
            <dt>{facts.pending}</dt>
            <dd>
              {facts.pendingParts(format.count(fresh), format.count(inFlight), format.count(waiting))}
              {nextDue !== null && `, ${facts.next(format.time(nextDue))}`}
            </dd>
          </div>
        )}
        {!summary.feed && (
          <div>
            <dt>{facts.text}</dt>
            <dd className={classes.text}>{summary.smsText}</dd>
          </div>
        )}
        {summary.callCampaign === undefined && !summary.feed && (
          <div>
            <dt>{facts.file}</dt>
            <dd>
              {facts.fileCounts(
                format.count(summary.rowsInFile),
                format.count(summary.invalid),
                format.count(summary.duplicate),
              )}
              <Refused summary={summary} />
            </dd>
          </div>
        )}
        <div>
          <dt>{facts.price}</dt>
          <dd>{facts.perSegment(format.rupees(summary.perSegment))}</dd>
        </div>
        {!summary.feed && (
          <div>
            <dt>{summary.notAfter ? facts.notAfter : facts.sendUntil}</dt>
            <dd>
              <NepalTime wire={summary.sendUntil} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

export function History({ summary }: { summary: SmsCampaignSummary }) {
  const t = useTexts('smsCampaigns')
  const { facts } = t
  return (
    <section className={page.card} aria-label={facts.history}>
      <h2 className={page.heading}>{facts.history}</h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <ol className={page.history} tabIndex={0}>
        {summary.history.map(({ at, from, to, reason, by }, index) => (
          <li key={`${at} ${summary.history.length - index}`}>
            <NepalTime wire={at} seconds />
            <span>
              <strong>{facts.change(labelOf(from, t.status), labelOf(to, t.status))}</strong>
              {` · ${facts.by(by ?? facts.system)}`}
              {reason !== null && <span className={page.meaning}>{serverSentence(reason)}</span>}
            </span>
          </li>
        ))}
        <li>
          <NepalTime wire={summary.composedAt} seconds />
          <span>
            <strong>{facts.composed}</strong>
            {` · ${facts.by(summary.username)}`}
          </span>
        </li>
      </ol>
    </section>
  )
}

function Refused({ summary: { campaignId, invalid, duplicate, refusedKept } }: { summary: SmsCampaignSummary }) {
  const { facts } = useTexts('smsCampaigns')
  const format = useFormat()
  const count = invalid + duplicate
  if (count === 0) return null
  return (
    <span className={classes.refused}>
      <a href={fileAddress(smsCampaignRoutes.refusedCsv, { campaignId })} download>
        {facts.refused}
      </a>
      {refusedKept < count && ` · ${facts.refusedFirst(format.count(refusedKept), format.count(count))}`}
    </span>
  )
}

function labelOf(code: number, labels: Readonly<Record<string, string>>): string {
  return labels[campaignStatusOf(code) ?? ''] ?? ''
}
