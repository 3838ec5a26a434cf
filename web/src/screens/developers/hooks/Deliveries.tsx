import { hookRoutes, type DeliveryRow, type DeliveryState, type HookRow } from '@ghanti/contract/hooks.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { jsonQuery, useWrite } from '../../../api/query.ts'
import { showFailure } from '../../../components/ui/dialogs/dialogs.ts'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import { NepalTime } from '../../../components/ui/NepalTime.tsx'
import { Status, type StatusKind } from '../../../components/ui/Status.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { serverSentence } from '../../../i18n/language.ts'
import classes from '../Developers.module.css'
import { useHookTexts } from './texts.ts'

const kinds: Record<DeliveryState, StatusKind> = { waiting: 'neutral', delivered: 'done', failed: 'problem' }
const againMs = 3000

export function Deliveries({ of: { hookId } }: { of: HookRow }) {
  const t = useHookTexts()
  const query = useQuery({
    ...jsonQuery(hookRoutes.deliveries, { hookId }),
    refetchInterval: ({ state: { data } }) => (data?.some(({ state }) => state === 'waiting') ? againMs : false),
  })
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return null
  if (query.data.length === 0) return <p>{t.noDeliveries}</p>
  return (
    <ul className={classes.rows}>
      {query.data.map((delivery) => (
        <Delivery key={delivery.deliveryId} of={delivery} />
      ))}
    </ul>
  )
}

function Delivery({ of: delivery }: { of: DeliveryRow }) {
  const t = useHookTexts()
  const format = useFormat()
  const write = useWrite(hookRoutes.replay, [hookRoutes.deliveries])
  const { deliveryId, type, at, state, tries, dueAt, status, ms, reason } = delivery
  const again = () =>
    write.mutateAsync({ input: { deliveryId } }).catch((error: unknown) => showFailure(error, t.fields, t.againFailed))
  return (
    <li className={classes.row}>
      <div className={classes.about}>
        <p className={classes.name}>
          {t.events[type]}{' '}
          <Status is={kinds[state]} badge>
            {t.deliveryStates[state]}
          </Status>
        </p>
        <p className={classes.detail}>
          <NepalTime wire={at} />
          {tries > 0 && ` · ${t.tries(tries, format.count(tries))}`}
          {status !== null && (
            <>
              {' · '}
              <span translate="no">{status}</span>
            </>
          )}
          {ms !== null && ` · ${format.count(ms)} ms`}
          {dueAt !== null && tries > 0 && (
            <>
              {' · '}
              {t.next} <NepalTime wire={dueAt} relative />
            </>
          )}
        </p>
        {reason !== null && <p className={classes.detail}>{serverSentence(reason)}</p>}
      </div>
      {state !== 'waiting' && (
        <Button
          variant="default"
          size="compact-sm"
          loading={write.isPending}
          aria-label={t.againWhat(t.events[type], at)}
          onClick={() => void again()}
        >
          {t.again}
        </Button>
      )}
    </li>
  )
}
