import { followupRoutes, type Followup } from '@ghanti/contract/followups.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { closeFollowup, isAskedHere } from '../../api/followup-state.ts'
import { useLiveInterrupted } from '../../api/live-state.ts'
import { jsonQuery, useWrite } from '../../api/query.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { useFormat } from '../../i18n/format.ts'
import { serverSentence, useTexts } from '../../i18n/language.ts'
import { Refused } from '../test-call/Refused.tsx'
import shared from '../../components/ui/OneCall.module.css'
import classes from './CallNow.module.css'

/** The polling interval while the stream is interrupted. */
const askAgainMs = 2_000

/** Follows a Call Now, with a button to hang up until it has ended, and then its outcome. Stays open while other screens are used. */
export default function CallNowDrawer({ followupId }: { followupId: number }) {
  const t = useTexts('callNow')
  const isCut = useLiveInterrupted()
  const followup = useQuery({
    ...jsonQuery(followupRoutes.detail, { followupId }),
    staleTime: Infinity,
    refetchInterval: ({ state }) => (isCut && state.data?.state !== 'ended' ? askAgainMs : false),
  })
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isAskedHere(followupId)) main.current?.focus({ preventScroll: true })
  }, [followupId])
  const { data } = followup
  return (
    <aside ref={main} tabIndex={-1} className={classes.drawer} aria-label={t.title}>
      <h2>{t.title}</h2>
      {data ? (
        <Course followup={data} />
      ) : (
        followup.error && <Failure error={followup.error} onRetry={() => void followup.refetch()} />
      )}
      {data?.state !== 'ended' && <HangUp followupId={followupId} canClose={followup.isError} />}
      {data?.state === 'ended' && (
        <div className={shared.buttons}>
          <Button variant="default" onClick={closeFollowup}>
            {t.close}
          </Button>
        </div>
      )}
    </aside>
  )
}

function HangUp({ followupId, canClose }: { followupId: number; canClose: boolean }) {
  const t = useTexts('callNow')
  const stop = useWrite(followupRoutes.stop)
  return (
    <>
      {stop.error && <Refused error={stop.error} labels={{ followupId: t.title }} />}
      <div className={shared.buttons}>
        {canClose && (
          <Button variant="default" onClick={closeFollowup}>
            {t.close}
          </Button>
        )}
        <Button
          loading={stop.isPending}
          disabled={stop.isSuccess}
          onClick={() => stop.mutate({ input: { followupId } })}
        >
          {t.hangUp}
        </Button>
      </div>
    </>
  )
}

const steps = ['agentRinging', 'customerRinging', 'talking'] as const

function Course({ followup }: { followup: Followup }) {
  const t = useTexts('callNow')
  const format = useFormat()
  const { state, reason, seconds, cost, disposition } = followup
  const numbers = { agent: format.phone(followup.agentNo), customer: format.phone(followup.customerNo) }
  const isEnded = state === 'ended'
  const at = steps.findIndex((step) => step === state)
  const names: Readonly<Record<string, string>> = t.dispositions
  return (
    <>
      <div role="status" className={classes.now}>
        <p className={shared.state}>
          {isEnded ? t.ended[disposition === 'ANSWER' ? 'talked' : 'not'] : t.now[state](numbers)}
        </p>
        {reason !== null && <p className={shared.reason}>{serverSentence(reason)}</p>}
      </div>
      {!isEnded && (
        <ol className={classes.steps}>
          {steps.map((step, index) => (
            <li
              key={step}
              data-is={index < at ? 'done' : index === at ? 'now' : 'later'}
              aria-current={index === at ? 'step' : undefined}
            >
              {t.steps[step](numbers)}
            </li>
          ))}
        </ol>
      )}
      {isEnded && (
        <dl className={classes.result}>
          <dt>{t.customer}</dt>
          <dd>
            <bdi>{numbers.customer}</bdi>
          </dd>
          <dt>{t.agent}</dt>
          <dd>
            <bdi>{numbers.agent}</bdi>
          </dd>
          {disposition !== null && (
            <>
              <dt>{t.result}</dt>
              <dd>{names[disposition] ?? disposition}</dd>
            </>
          )}
          <dt>{t.lasted}</dt>
          <dd>{t.seconds(format.count(seconds))}</dd>
          <dt>{t.cost}</dt>
          <dd>{format.rupees(cost)}</dd>
        </dl>
      )}
    </>
  )
}
