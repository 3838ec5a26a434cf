import { smsCampaignRoutes, type SmsCampaignRow } from '@ghanti/contract/sms-campaigns.ts'
import { campaignStatusOf } from '@ghanti/contract/campaign-status.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import type { SentOf } from '../../api/client.ts'
import { listQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { ProgressBar } from '../voice-campaigns/Bars.tsx'
import classes from '../voice-campaigns/FewCampaigns.module.css'
import { toneOf } from '../voice-campaigns/tones.ts'
import { ReasonButton } from '../voice-campaigns/ReasonButton.tsx'
import { actionOf } from '../sms-campaigns/actions.tsx'
import { isOver } from '../sms-campaigns/allowed.ts'
import { sentShare } from '../sms-campaigns/progress.ts'
import { SmsName, SmsStatus } from '../sms-campaigns/cells.tsx'
import overview from './Overview.module.css'
import { Section } from './Section.tsx'

const { list: route } = smsCampaignRoutes

/** Live events update rows but do not bring new ones. */
const againMs = 15_000

export default function Sending({ sent, most }: { sent: SentOf<typeof route>; most: number }) {
  const { sending: t } = useTexts('overview')
  const query = { ...listQuery(route, sent, { page: 1, pageSize: most }), refetchInterval: againMs }
  const { isError, isLoading, data, error, refetch } = useQuery(query)
  const rows = data?.rows.filter((row) => !isOver(row))
  const isFailed = isError && !rows
  if (isLoading) return <div className={overview.later} aria-busy />
  if (!isFailed && !rows?.length) return null
  return (
    <Section title={t.title} links={<Link to="/sms-campaign-summary">{t.all}</Link>}>
      {isFailed ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <ul className={classes.campaigns}>
          {rows?.map((row) => (
            <Campaign key={row.campaignId} row={row} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function Campaign({ row }: { row: SmsCampaignRow }) {
  const t = useTexts('smsCampaigns')
  const { sending } = useTexts('overview')
  const format = useFormat()
  const { role } = useSession()
  const go = useNavigate()
  const context = { role, t, go: (path: string) => void go(path) }
  const [pause, resume] = [actionOf('pause', row, context), actionOf('resume', row, context)]
  const act = pause.disabledReason !== undefined && resume.disabledReason === undefined ? resume : pause
  const status = campaignStatusOf(row.campaignStatus)
  const share = sentShare(row)
  return (
    <li className={classes.campaign}>
      <div className={classes.name}>
        <SmsName row={row} withOwner={role !== 'user'} />
      </div>
      <div>
        <SmsStatus code={row.campaignStatus} />
      </div>
      <div className={classes.bar}>
        <ProgressBar
          share={share}
          label={sending.progress(format.count(Math.floor(share * 100)), format.count(row.smsSubmitted))}
          tone={status ? toneOf[status] : 'neutral'}
        />
        <small>
          {t.columns.smsSubmitted}: {format.count(row.smsSubmitted)} · {t.columns.smsDelivered}:{' '}
          {format.count(row.smsDelivered)}
        </small>
      </div>
      <ReasonButton
        label={`${act.label}: ${row.campaignName}`}
        subject={row.campaignName}
        disabledReason={act.disabledReason}
        onClick={act.onClick}
      >
        {act.label}
      </ReasonButton>
    </li>
  )
}
