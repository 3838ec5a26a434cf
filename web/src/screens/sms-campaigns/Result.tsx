import type { SmsCampaignSummary } from '@ghanti/contract/sms-campaigns.ts'
import { smsInboxRoutes } from '@ghanti/contract/sms-inbox.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { listQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { useFormat } from '../../i18n/format.ts'
import { serverSentence, useTexts } from '../../i18n/language.ts'
import page from '../voice-campaigns/CampaignDetail.module.css'
import { LateHold } from '../voice-campaigns/hold/LateHold.tsx'
import { SmsStatus } from './cells.tsx'
import { DeliveryBar } from './DeliveryBar.tsx'
import classes from './SmsReport.module.css'

const counts = [
  'numbersUploaded',
  'smsSubmitted',
  'smsDelivered',
  'smsFailed',
  'smsExpired',
  'smsUnknown',
  'dndCount',
  'unreachable',
  'segments',
] as const

/** One sentence and one bar; then the row of specification 2 §2 (time, numbers uploaded, submitted, delivered, failed) and more figures, quietly. */
export default function Result({ summary }: { summary: SmsCampaignSummary }) {
  const t = useTexts('smsCampaigns')
  const format = useFormat()
  const { campaignId, optOuts } = summary
  const replies = useReplies(summary)
  return (
    <section aria-label={t.report.summary} className={page.card}>
      <div className={page.state}>
        <SmsStatus code={summary.campaignStatus} />
        <NepalTime wire={summary.scheduleTime} />
        {summary.hold && !summary.frozen ? (
          <LateHold held={{ ...summary, cause: summary.hold, isSms: true }} />
        ) : (
          summary.reason !== null && <span className={classes.reason}>{serverSentence(summary.reason)}</span>
        )}
      </div>
      <h2 className={page.said}>{saidOf()}</h2>
      <DeliveryBar summary={summary} />
      <dl className={page.counts}>
        {counts.map((key) => (
          <Figure key={key} name={t.columns[key]}>
            {format.count(summary[key])}
          </Figure>
        ))}
        <Figure name={t.report.replies}>
          {replies ? (
            <Link data-numeric to={`/sms-inbox?campaign=${campaignId}`}>
              {format.count(replies)}
            </Link>
          ) : (
            format.count(0)
          )}
        </Figure>
        <Figure name={t.columns.optOuts}>
          {optOuts === 0 ? (
            format.count(0)
          ) : (
            <Link
              to={`/sms-inbox?action=optOut&campaign=${campaignId}`}
              aria-label={t.report.showOptOuts(format.count(optOuts))}
            >
              {format.count(optOuts)}
            </Link>
          )}
        </Figure>
        <Figure name={t.columns.cost}>{format.rupees(summary.cost)}</Figure>
      </dl>
    </section>
  )

  /** '247 of 260 delivered, 3 replies, Rs 124.00' */
  function saidOf(): string {
    const { numbersUploaded, smsSubmitted, smsDelivered, smsFailed, cost } = summary
    const { said } = t.report
    if (smsSubmitted + smsFailed === 0) return said.fresh(format.count(numbersUploaded))
    return [
      said.delivered(format.count(smsDelivered), format.count(numbersUploaded)),
      ...(replies ? [said.replies(format.count(replies))] : []),
      said.cost(format.rupees(cost)),
    ].join(', ')
  }
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={page.count} data-numeric>
          {children}
        </span>
      </dd>
    </div>
  )
}

/** How many messages came back; undefined while that is not known. */
function useReplies({ campaignId, smsSubmitted }: SmsCampaignSummary): number | undefined {
  const { userId } = useSession()
  const inbox = listQuery(smsInboxRoutes.list, { userId, campaign: String(campaignId) }, { page: 1, pageSize: 1 })
  return useQuery({ ...inbox, enabled: smsSubmitted > 0 }).data?.total
}
