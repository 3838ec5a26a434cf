import { voiceRoutes, type VoicePackDetail } from '@ghanti/contract/voices.ts'
import { Button } from '@mantine/core'
import { IconHeadphones } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { ActionMenu } from '../../components/table/RowMenu.tsx'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { NotFound } from '../errors/NotFound.tsx'
import { decide, deletePack } from './actions.ts'
import { Coverage } from './Coverage.tsx'
import classes from './VoicePacks.module.css'
import { Words } from './Words.tsx'

const Recordings = late(() => import('./Recordings.tsx'))
const WaitingPlayer = late(() => import('./WaitingPlayer.tsx'))

function listenToWaiting(pack: VoicePackDetail): void {
  const render = () => (
    <Suspense fallback={<div className={classes.loading} aria-busy />}>
      <WaitingPlayer pack={pack} />
    </Suspense>
  )
  showDialog({ title: pack.name, render })
}

function packIdOf(param: string | undefined): number | null {
  return /^[1-9]\d{0,8}$/.test(param ?? '') ? Number(param) : null
}

export const loader = screenLoader(({ params, prefetch }) => {
  const packId = packIdOf(params.packId)
  if (packId !== null) void prefetch(jsonQuery(voiceRoutes.detail, { packId }))
})

export default function VoicePackScreen() {
  const packId = packIdOf(useParams().packId)
  return packId === null ? <NotFound /> : <Opened key={packId} packId={packId} />
}

function Opened({ packId }: { packId: number }) {
  const t = useTexts('voicePacks')
  const detail = useQuery(jsonQuery(voiceRoutes.detail, { packId }))
  if (!detail.data) {
    return (
      <Page title={t.detailTitle}>
        {detail.error ? (
          <Failure error={detail.error} onRetry={() => void detail.refetch()} />
        ) : (
          <div className={classes.loading} aria-busy />
        )}
        <Link to="/voice-packs">{t.back}</Link>
      </Page>
    )
  }
  return (
    <div className={classes.screen}>
      <Overview pack={detail.data} />
      <Words pack={detail.data} isFetching={detail.isFetching} onRefresh={() => void detail.refetch()} />
    </div>
  )
}

function Overview({ pack }: { pack: VoicePackDetail }) {
  const t = useTexts('voicePacks')
  const { table } = useTexts('common')
  const format = useFormat()
  const { role } = useSession()
  const navigate = useNavigate()
  const waits = pack.pendingWords > 0
  const mayDecide = role === 'superAdmin' && waits
  return (
    <Page
      title={pack.name}
      subtitle={
        <>
          <Link to="/voice-packs">{t.back}</Link>
          {` · ${t.languages[pack.language]}`}
          {role !== 'user' && ` · ${t.columns.owner}: ${pack.username ?? t.platform}`}
        </>
      }
      actions={
        <>
          {waits && (
            <Button
              variant="default"
              leftSection={<IconHeadphones size={15} stroke={1.7} aria-hidden />}
              onClick={() => listenToWaiting(pack)}
            >
              {t.listenAll.button}
            </Button>
          )}
          {mayDecide && (
            <>
              <Button onClick={() => decide(pack, 'approve', t, format)}>{t.actions.approve}</Button>
              <Button variant="default" onClick={() => decide(pack, 'reject', t, format)}>
                {t.actions.reject}
              </Button>
            </>
          )}
          <ActionMenu
            label={table.takeAction}
            subject={pack.name}
            actions={() => [deletePack(pack, role, t, () => void navigate('/voice-packs'))]}
          />
        </>
      }
    >
      <div className={classes.sections}>
        {pack.rejectReason && <p className={classes.rejected}>{t.rejectedWhy(pack.rejectReason)}</p>}
        <Coverage pack={pack} />
        <Suspense fallback={<div className={classes.loading} aria-busy />}>
          <Recordings pack={pack} />
        </Suspense>
      </div>
    </Page>
  )
}
