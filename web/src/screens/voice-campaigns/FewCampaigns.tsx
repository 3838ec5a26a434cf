import { voiceCampaignRoutes, type CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { SentOf } from '../../api/client.ts'
import { listQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { useIdleLoad } from '../../components/ui/loading/use-idle-load.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { importPerform } from './actions.tsx'
import { ProgressBar } from './Bars.tsx'
import { NameCell, ProgressText, StatusBadge, toneOfRow } from './cells.tsx'
import classes from './FewCampaigns.module.css'
import { pauseOrResume } from './pause-or-resume.ts'
import { isFinished, progressShare } from './progress.ts'
import { ReasonButton } from './ReasonButton.tsx'

const { list: route } = voiceCampaignRoutes

/** Live events update rows but bring no new ones. */
const againMs = 15_000

type FewCampaignsProps = {
  sent: SentOf<typeof route>
  most: number
  empty: ReactNode
  /** Finished campaigns leave the list at once. */
  onlyUnfinished?: boolean
  /** A campaign that the page shows elsewhere. */
  without?: number | undefined
}

export default function FewCampaigns({ sent, most, empty, onlyUnfinished = false, without }: FewCampaignsProps) {
  const query = { ...listQuery(route, sent, { page: 1, pageSize: most }), refetchInterval: againMs }
  const { isError, data, error, refetch } = useQuery(query)
  useIdleLoad(importPerform)
  const unfinished = data?.rows.filter((row) => !onlyUnfinished || !isFinished(row))
  const isShort = unfinished !== undefined && unfinished.length < (data?.rows.length ?? 0)
  const rows = unfinished?.filter(({ campaignId }) => campaignId !== without)
  // Others may take the place of a finished one.
  useEffect(() => {
    if (isShort) void refetch()
  }, [isShort, refetch])
  if (isError && !rows) return <Failure error={error} onRetry={() => void refetch()} />
  if (!rows) return <div className={classes.loading} aria-busy />
  if (rows.length === 0) return <div className={classes.empty}>{empty}</div>
  return (
    <ul className={classes.campaigns}>
      {rows.map((row) => (
        <Campaign key={row.campaignId} row={row} />
      ))}
    </ul>
  )
}

function Campaign({ row }: { row: CampaignRow }) {
  const t = useTexts('voiceCampaigns')
  const format = useFormat()
  const { role } = useSession()
  const go = useNavigate()
  const act = pauseOrResume(row, { role, t, go: (path: string) => void go(path) })
  return (
    <li className={classes.campaign}>
      <div className={classes.name}>
        <NameCell row={row} withOwner={role !== 'user'} />
      </div>
      <div className={classes.state}>
        <StatusBadge row={row} />
        {!isFinished(row) && <ProgressText row={row} />}
      </div>
      <div className={classes.bar}>
        <ProgressBar share={progressShare(row)} attempts={row.attempts} tone={toneOfRow(row)} />
        <small>
          {t.columns.callsDialed}: {format.count(row.numbersProcessed)} · {t.columns.connectedCalls}:{' '}
          {format.count(row.callsConnected)}
        </small>
      </div>
      {!isFinished(row) && (
        <ReasonButton
          label={`${act.label}: ${row.campaignName}`}
          subject={row.campaignName}
          disabledReason={act.disabledReason}
          onClick={act.onClick}
        >
          {act.label}
        </ReasonButton>
      )}
    </li>
  )
}
