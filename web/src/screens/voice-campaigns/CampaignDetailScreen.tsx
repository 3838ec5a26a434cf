import { answerRoutes } from '@ghanti/contract/answers.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { Button } from '@mantine/core'
import { IconHeadphones } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { ActionMenu } from '../../components/table/RowMenu.tsx'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useIdleLoad } from '../../components/ui/loading/use-idle-load.ts'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { NotFound } from '../errors/NotFound.tsx'
import { openPreviewCall } from '../preview-call/open.tsx'
import { actionOf, importPerform } from './actions.tsx'
import { refusalOf } from './allowed.ts'
import { tabText } from './cells.tsx'
import { isHistoryBehind, type CampaignDetail } from './page/detail.ts'
import { isFinished } from './progress.ts'
import classes from './CampaignDetail.module.css'
import { ByOperatorSection } from './page/ByOperator.tsx'
import { Result } from './page/DetailFigures.tsx'
import { pageMenu } from './page/page-menu.ts'
import { AwaitedReports } from './ReportState.tsx'
import { late } from '../../components/ui/loading/late.tsx'

// Below the fold, or decoration.
const FrozenCampaign = late(
  async () => (await Promise.all([import('../freezing/FrozenCampaign.tsx'), loadTexts('users')]))[0],
)
const TemplateIcon = late(() => import('../compose/templates/TemplateIcon.tsx'))
const Below = late(() => import('./page/Below.tsx'))

const historyAgainMs = 1_000

function campaignIdOf(param: string | undefined): number | null {
  return /^[1-9]\d{0,8}$/.test(param ?? '') ? Number(param) : null
}

export const loader = screenLoader(({ params, prefetch }) => {
  const campaignId = campaignIdOf(params.campaignId)
  if (campaignId === null) return
  for (const part of [Below, TemplateIcon]) void part.preload()
  void prefetch(jsonQuery(campaignDetailRoutes.detail, { campaignId }))
  void prefetch(jsonQuery(answerRoutes.ofCampaign, { campaignId }))
})

export default function CampaignDetailScreen() {
  const campaignId = campaignIdOf(useParams().campaignId)
  return campaignId === null ? <NotFound /> : <Opened key={campaignId} campaignId={campaignId} />
}

function Opened({ campaignId }: { campaignId: number }) {
  const t = useTexts('campaignDetail')
  const format = useFormat()
  // Live events carry the row; what else a status change affects is reloaded.
  const detail = useQuery({
    ...jsonQuery(campaignDetailRoutes.detail, { campaignId }),
    refetchInterval: ({ state }) => (state.data && isHistoryBehind(state.data) ? historyAgainMs : false),
  })
  if (!detail.data) {
    return (
      <Page title={t.title(format.digits(String(campaignId)))}>
        {detail.error ? (
          <Failure error={detail.error} onRetry={() => void detail.refetch()}>
            <Button component={Link} to="/voice-campaign-summary" variant="default" size="xs" mt="sm">
              {t.detail.backToList}
            </Button>
          </Failure>
        ) : (
          <div className={classes.loading} aria-busy />
        )}
      </Page>
    )
  }
  return (
    <>
      <Overview detail={detail.data} onRefresh={() => void detail.refetch()} />
      <AwaitedReports />
    </>
  )
}

function Overview({ detail, onRefresh }: { detail: CampaignDetail; onRefresh: () => void }) {
  const t = useTexts('campaignDetail')
  const campaigns = useTexts('voiceCampaigns')
  const { table } = useTexts('common')
  const format = useFormat()
  const session = useSession()
  const { role } = session
  const navigate = useNavigate()
  const go = (path: string) => void navigate(path)
  useIdleLoad(importPerform)
  const isBelowLoaded = Below.useLoaded()
  return (
    <Page
      title={detail.campaignName}
      tabPrefix={tabText([detail], campaigns, format)}
      subtitle={
        <>
          <Link to="/voice-campaign-summary">{t.detail.back}</Link>
          {` · ${t.title(format.digits(String(detail.campaignId)))} · `}
          <span className={classes.type}>
            <Suspense>
              <TemplateIcon id={detail.templateId} size={15} />
            </Suspense>{' '}
            {campaigns.types[detail.templateId]}
          </span>
          {role !== 'user' && ` · ${t.detail.owner}: ${detail.username}`}
        </>
      }
      actions={
        <>
          <ActionMenu
            label={table.takeAction}
            subject={detail.campaignName}
            actions={() => pageMenu(detail, { session, t, campaigns, refresh: table.refresh, onRefresh, go })}
          />
          <Button
            variant="default"
            leftSection={<IconHeadphones size={15} stroke={1.7} aria-hidden />}
            onClick={() => openPreviewCall(detail.campaignName, { campaignId: detail.campaignId })}
          >
            {t.detail.hear}
          </Button>
          <Primary detail={detail} go={go} />
        </>
      }
    >
      <div className={classes.sections}>
        {detail.frozen && (
          <Suspense>
            <FrozenCampaign campaignName={detail.campaignName} frozen={detail.frozen} bar="calls" />
          </Suspense>
        )}
        <Result detail={detail} />
        <ByOperatorSection detail={detail} />
        {isBelowLoaded ? (
          <Suspense fallback={<div className={classes.later} aria-busy />}>
            <Below detail={detail} />
          </Suspense>
        ) : (
          <div className={classes.later} aria-busy />
        )}
      </div>
    </Page>
  )
}

/** The one action that its state calls for: whatever a freeze holds needs that lifted, what dials can be paused, what is held resumed, and what is over leads to the next one. */
function Primary({ detail, go }: { detail: CampaignDetail; go: (path: string) => void }) {
  const t = useTexts('campaignDetail')
  const campaigns = useTexts('voiceCampaigns')
  const { role } = useSession()
  if (detail.frozen && !isFinished(detail)) {
    return (
      <Suspense>
        <FrozenCampaign campaignName={detail.campaignName} frozen={detail.frozen} />
      </Suspense>
    )
  }
  const action = (['resume', 'pause', 'newFrom'] as const).find((one) => refusalOf(one, detail, role) === null)
  if (!action) return null
  const { label, onClick } = actionOf(action, detail, { role, t: campaigns, go })
  return <Button onClick={onClick}>{action === 'newFrom' ? t.next : label}</Button>
}
