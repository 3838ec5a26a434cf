import { smsCampaignRoutes, type SmsCampaignSummary } from '@ghanti/contract/sms-campaigns.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { fileAddress } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { ActionMenu } from '../../components/table/RowMenu.tsx'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { NotFound } from '../errors/NotFound.tsx'
import { actionOf, pageMenu } from './actions.tsx'
import { concerns, isOver, refusalOf } from './allowed.ts'
import classes from './SmsReport.module.css'

const FrozenCampaign = late(
  async () => (await Promise.all([import('../freezing/FrozenCampaign.tsx'), loadTexts('users')]))[0],
)
const Result = late(() => import('./Result.tsx'))
const Parts = late(() => import('./Parts.tsx'))
const Unapproved = late(() => import('./Unapproved.tsx'))

function campaignIdOf(param: string | undefined): number | null {
  return /^[1-9]\d{0,8}$/.test(param ?? '') ? Number(param) : null
}

export const loader = screenLoader(({ params, prefetch }) => {
  const campaignId = campaignIdOf(params.campaignId)
  for (const part of [Result, Parts]) void part.preload()
  if (campaignId !== null) void prefetch(jsonQuery(smsCampaignRoutes.summary, { campaignId }))
})

/** SMS campaign report (specification 2 §2): one row of figures; the tab 'Detailed Report' has each message. */
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
  const go = (path: string) => void navigate(path)
  const context = { role, t, go }
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
            actions={() => pageMenu(summary, context, { label: table.refresh, onClick: onRefresh })}
          />
          <Primary summary={summary} context={context} />
        </>
      }
    >
      <div className={classes.sections}>
        {summary.frozen && (
          <Suspense>
            <FrozenCampaign campaignName={summary.campaignName} frozen={summary.frozen} bar="messages" />
          </Suspense>
        )}
        <Suspense fallback={<div className={classes.loading} aria-busy />}>
          <Result summary={summary} />
        </Suspense>
        {summary.archivedMessages && <Archived summary={summary} archived={summary.archivedMessages} />}
        {summary.unapproved > 0 && (
          <Suspense>
            <Unapproved summary={summary} />
          </Suspense>
        )}
        <Suspense>
          <Parts summary={summary} />
        </Suspense>
      </div>
    </Page>
  )
}

type PrimaryProps = { summary: SmsCampaignSummary; context: Parameters<typeof actionOf>[2] }

/** The one action that its state calls for. */
function Primary({ summary, context }: PrimaryProps) {
  const { report } = context.t
  if (summary.frozen && !isOver(summary)) {
    return (
      <Suspense>
        <FrozenCampaign campaignName={summary.campaignName} frozen={summary.frozen} />
      </Suspense>
    )
  }
  const offered = (['resume', 'pause', 'duplicate'] as const).filter(
    (one) => concerns(one, summary) && refusalOf(one, summary, context.role) === null,
  )
  const [action] = offered.filter((one) => one !== 'duplicate' || isOver(summary))
  if (!action) return null
  const { label, onClick } = actionOf(action, summary, context)
  return <Button onClick={onClick}>{action === 'duplicate' ? report.next : label}</Button>
}

type ArchivedMessages = NonNullable<SmsCampaignSummary['archivedMessages']>

function Archived({ summary, archived }: { summary: SmsCampaignSummary; archived: ArchivedMessages }) {
  const { report: t } = useTexts('smsCampaigns')
  const format = useFormat()
  const { campaignId } = summary
  return (
    <p>
      {t.archived(format.count(archived.rows), format.day(archived.at))}{' '}
      <a href={fileAddress(smsCampaignRoutes.archivedCsv, { campaignId })} download>
        {t.archivedDownload}
      </a>
    </p>
  )
}
