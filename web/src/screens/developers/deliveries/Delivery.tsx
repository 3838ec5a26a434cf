import { hookRoutes, type DeliveryState } from '@ghanti/contract/hooks.ts'
import { Button } from '@mantine/core'
import { useWrite } from '../../../api/query.ts'
import { showFailure } from '../../../components/ui/dialogs/dialogs.ts'
import { NepalTime } from '../../../components/ui/NepalTime.tsx'
import { Status, type StatusKind } from '../../../components/ui/Status.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { serverSentence } from '../../../i18n/language.ts'
import classes from '../Developers.module.css'
import { useHookTexts } from '../hooks/texts.ts'
import type { DeliveryOf } from './Deliveries.tsx'

const kinds: Record<DeliveryState, StatusKind> = { waiting: 'neutral', delivered: 'done', failed: 'problem' }

/** One event on its way to one webhook, and what came of it. */
export function Delivery({ of: delivery }: { of: DeliveryOf }) {
  const t = useHookTexts()
  const write = useWrite(hookRoutes.replay, [hookRoutes.deliveries])
  const { deliveryId, type, at, state, reason } = delivery
  const again = () =>
    write.mutateAsync({ input: { deliveryId } }).catch((error: unknown) => showFailure(error, t.fields, t.againFailed))
  return (
    <li className={classes.row}>
      <div className={classes.about}>
        <p className={classes.name}>
          {t.events[type]} <code translate="no">{type}</code>{' '}
          <Status is={kinds[state]} badge>
            {t.deliveryStates[state]}
          </Status>
        </p>
        <Tries of={delivery} />
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

function Tries({ of: { hook, at, tries, status, ms, dueAt, state } }: { of: DeliveryOf }) {
  const t = useHookTexts()
  const format = useFormat()
  return (
    <p className={classes.detail}>
      <NepalTime wire={at} seconds /> · <span translate="no">{hook.host}</span>
      {tries > 0 && ` · ${t.tries(tries, format.count(tries))}`}
      {status !== null && (
        <>
          {' · '}
          <span translate="no">{status}</span>
        </>
      )}
      {ms !== null && ` · ${format.count(ms)} ms`}
      {state === 'waiting' && dueAt !== null && tries > 0 && (
        <>
          {' · '}
          {t.next} <NepalTime wire={dueAt} relative />
        </>
      )}
    </p>
  )
}
