import { traceRoutes, type Trace } from '@ghanti/contract/traces.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { fileAddress } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { NotFound } from '../errors/NotFound.tsx'
import { idOf } from '../lines/opened.ts'
import { Ladder } from './Ladder.tsx'
import classes from './Traces.module.css'

const ofCall = (attemptId: number) => jsonQuery(traceRoutes.ofCall, { attemptId })
const ofTest = (testId: number) => jsonQuery(traceRoutes.ofTest, { testId })

export const loader = screenLoader(({ params, prefetch }) => {
  const [attemptId, testId] = [idOf(params.attemptId), idOf(params.testId)]
  if (attemptId !== null) void prefetch(ofCall(attemptId))
  if (testId !== null) void prefetch(ofTest(testId))
})

export default function SipMessagesScreen() {
  const params = useParams()
  const [attemptId, testId] = [idOf(params.attemptId), idOf(params.testId)]
  if (attemptId !== null) return <OfCall key={attemptId} attemptId={attemptId} />
  return testId === null ? <NotFound /> : <OfTest key={testId} testId={testId} />
}

function OfCall({ attemptId }: { attemptId: number }) {
  return <Opened found={useQuery(ofCall(attemptId))} />
}

function OfTest({ testId }: { testId: number }) {
  return <Opened found={useQuery(ofTest(testId))} />
}

function Opened({ found: { data, error, isFetching, refetch } }: { found: UseQueryResult<Trace> }) {
  const t = useTexts('traces')
  if (data) return <Shown trace={data} />
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <Page title={t.title}>
      {isMissing ? (
        <div className={classes.missing} role="status">
          <p>{t.none}</p>
          <p className={classes.dim}>{t.noneWhy}</p>
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            {t.lookAgain}
          </Button>
        </div>
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.loading} aria-busy />
      )}
    </Page>
  )
}

function Shown({ trace }: { trace: Trace }) {
  const t = useTexts('traces')
  const format = useFormat()
  const { traceId, trunkName, dialerName, startedAt, pddMs } = trace
  const hrefOf = (as: 'pcap' | 'text') => fileAddress(traceRoutes.download, { traceId, format: as })
  const download = (as: 'pcap' | 'text') => (
    <Button
      variant="default"
      component="a"
      href={hrefOf(as)}
      download
      leftSection={<IconDownload size={15} stroke={1.7} aria-hidden />}
    >
      {t[as]}
    </Button>
  )
  return (
    <Page
      title={t.title}
      subtitle={t.of(trunkName, dialerName, format.timeWithSeconds(startedAt))}
      actions={
        <>
          {download('pcap')}
          {download('text')}
        </>
      }
    >
      <p className={classes.facts}>{pddMs === null ? t.noPdd : t.pdd(format.count(pddMs))}</p>
      <Ladder messages={trace.messages} />
      <p className={classes.dim}>{t.secrets}</p>
    </Page>
  )
}
