import { smsCampaignRoutes, type SmsCampaignSummary } from '@ghanti/contract/sms-campaigns.ts'
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { fileAddress } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { ActionMenu } from '../../components/table/RowMenu.tsx'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { serverSentence, useTexts } from '../../i18n/language.ts'
import { NotFound } from '../errors/NotFound.tsx'
import { campaignMenu } from './actions.tsx'
import { SmsStatus } from './cells.tsx'
import classes from './SmsReport.module.css'

const Messages = late(() => import('./Messages.tsx'))
const Facts = late(() => import('./Facts.tsx'))
const Unapproved = late(() => import('./Unapproved.tsx'))

function campaignIdOf(param: string | undefined): number | null {
  return /^[1-9]\d{0,8}$/.test(param ?? '') ? Number(param) : null
}

export const loader = screenLoader(({ params, prefetch }) => {
  const campaignId = campaignIdOf(params.campaignId)
  if (campaignId !== null) void prefetch(jsonQuery(smsCampaignRoutes.summary, { campaignId }))
})

/** SMS campaign report (specification 2 §2): one row of figures; 'Detailed Report' shows each message. */
export default function SmsCampaignReportScreen() {
  const campaignId = campaignIdOf(useParams().campaignId)
  return campaignId === null ? <NotFound /> : <Opened key={campaignId} campaignId={campaignId} />
}

function Opened({ campaignId }: { campaignId: number }) {
  const { report: t } = useTexts('smsCampaigns')
  const format = useFormat()
  const summary = useQuery(jsonQuery(smsCampaignRoutes.summary, { campaignId }))
  if (summary.data) return <Report summary={summary.data} onRefresh={() => void summary.refetch()} />
  return (
    <Page title={t.campaign(format.digits(String(campaignId)))}>
      {summary.error ? (
        <Failure error={summary.error} onRetry={() => void summary.refetch()}>
          <Button component={Link} to="/sms-campaign-summary" variant="default" size="xs" mt="sm">
            {t.backToList}
          </Button>
        </Failure>
      ) : (
        <div className={classes.loading} aria-busy />
      )}
    </Page>
  )
}

function Report({ summary, onRefresh }: { summary: SmsCampaignSummary; onRefresh: () => void }) {
  const t = useTexts('smsCampaigns')
  const { table } = useTexts('common')
  const format = useFormat()
  const { role } = useSession()
  const navigate = useNavigate()
  const [detailed, setDetailed] = useState(false)
  return (
    <Page
      title={summary.campaignName}
      subtitle={
        <>
          <Link to="/sms-campaign-summary">{t.report.back}</Link>
          {` · ${t.report.campaign(format.digits(String(summary.campaignId)))} · ${summary.cli}`}
          {role !== 'user' && ` · ${t.report.owner}: ${summary.username}`}
          {summary.callCampaign && (
            <>
              {' · '}
              <Link to={`/voice-campaign-summary/${summary.callCampaign.campaignId}`}>
                {t.afterCalls(summary.callCampaign.campaignName)}
              </Link>
            </>
          )}
        </>
      }
      actions={
        <>
          <ActionMenu
            label={table.takeAction}
            subject={summary.campaignName}
            actions={() => campaignMenu(summary, { role, t, go: (path) => void navigate(path) })}
          />
          <Button
            variant="default"
            leftSection={<IconRefresh size={15} stroke={1.7} aria-hidden />}
            onClick={onRefresh}
          >
            {table.refresh}
          </Button>
        </>
      }
    >
      <Figures summary={summary} />
      {summary.archivedMessages && <Archived summary={summary} archived={summary.archivedMessages} />}
      <Suspense>
        <Facts summary={summary} />
      </Suspense>
      {summary.unapproved > 0 && (
        <Suspense>
          <div className={classes.waiting}>
            <Unapproved summary={summary} />
          </div>
        </Suspense>
      )}
      {detailed ? (
        <Suspense>
          <Messages summary={summary} />
        </Suspense>
      ) : (
        <div>
          <Button onClick={() => setDetailed(true)}>{t.report.detailed}</Button>
        </div>
      )}
    </Page>
  )
}

type ArchivedMessages = NonNullable<SmsCampaignSummary['archivedMessages']>

function Archived({ summary, archived }: { summary: SmsCampaignSummary; archived: ArchivedMessages }) {
  const { report: t } = useTexts('smsCampaigns')
  const format = useFormat()
  const { campaignId } = summary
  return (
    <p>
      {t.archived(format.count(archived.rows), format.day(archived.at))}{' '}
      <a href={fileAddress(smsCampaignRoutes.archivedCsv, { campaignId })}>{t.archivedDownload}</a>
    </p>
  )
}

/** The one row of specification 2 §2: name, status, time, numbers uploaded, submitted, delivered, failed; then additional figures. */
function Figures({ summary }: { summary: SmsCampaignSummary }) {
  const t = useTexts('smsCampaigns')
  const format = useFormat()
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
  return (
    <section aria-label={t.report.summary} className={classes.summary}>
      <div className={classes.state}>
        <SmsStatus code={summary.campaignStatus} />
        <NepalTime wire={summary.scheduleTime} />
        {summary.reason !== null && <span className={classes.reason}>{serverSentence(summary.reason)}</span>}
      </div>
      <dl className={classes.counts}>
        {counts.map((key) => (
          <div key={key}>
            <dt>{t.columns[key]}</dt>
            <dd data-numeric>{format.count(summary[key])}</dd>
          </div>
        ))}
        <div>
          <dt>{t.columns.optOuts}</dt>
          <dd data-numeric>
            {summary.optOuts === 0 ? (
              format.count(0)
            ) : (
              <Link
                to={`/sms-inbox?action=optOut&campaign=${summary.campaignId}`}
                aria-label={t.report.showOptOuts(format.count(summary.optOuts))}
              >
                {format.count(summary.optOuts)}
              </Link>
            )}
          </dd>
        </div>
        <div>
          <dt>{t.columns.cost}</dt>
          <dd data-numeric>{format.rupees(summary.cost)}</dd>
        </div>
      </dl>
    </section>
  )
}
