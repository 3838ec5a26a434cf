import { hookRoutes, type HookRow, type HookState } from '@ghanti/contract/hooks.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../../api/client.ts'
import { jsonQuery, refresh } from '../../../api/query.ts'
import { confirm, showFailure } from '../../../components/ui/dialogs/dialogs.ts'
import Empty from '../../../components/ui/Empty.tsx'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import { NepalTime } from '../../../components/ui/NepalTime.tsx'
import { Status, type StatusKind } from '../../../components/ui/Status.tsx'
import { showDone } from '../../../components/ui/toasts/toasts.ts'
import { serverSentence } from '../../../i18n/language.ts'
import classes from '../Developers.module.css'
import { askRotate, openChange, openNewHook } from './dialogs.tsx'
import { hookTexts, useHookTexts } from './texts.ts'

const kinds: Record<HookState, StatusKind> = {
  unverified: 'held',
  active: 'done',
  resting: 'held',
  off: 'problem',
  paused: 'problem',
}
/** How soon a test that is on its way shows what came of it. */
const againMs = 2000

/** Addresses of the own account's programs, which are told what happens. */
export default function Hooks() {
  const t = useHookTexts()
  const query = useQuery({
    ...jsonQuery(hookRoutes.list, {}),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state, reason }) => state === 'unverified' && reason === null) ? againMs : false,
  })
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <div className={classes.loading} aria-busy />
  const add = <Button onClick={() => openNewHook()}>{t.createWhat}</Button>
  return (
    <section className={classes.part} aria-labelledby="webhooks">
      <div className={classes.head}>
        <div>
          <h2 id="webhooks">{t.title}</h2>
          <p>{t.hint}</p>
        </div>
        {query.data.length > 0 && add}
      </div>
      {query.data.length === 0 ? (
        <div className={classes.card}>
          <Empty drawing="lines" text={t.none}>
            {add}
          </Empty>
        </div>
      ) : (
        <ul className={classes.rows}>
          {query.data.map((hook) => (
            <Hook key={hook.hookId} of={hook} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Hook({ of: hook }: { of: HookRow }) {
  const t = useHookTexts()
  const { host, events, state } = hook
  return (
    <li className={classes.row}>
      <div className={classes.about}>
        <p className={classes.name}>
          {host === null ? t.byProgram : <span translate="no">{host}</span>}{' '}
          <Status is={kinds[state]} badge>
            {t.states[state]}
          </Status>
        </p>
        <p className={classes.detail}>{events.map((event) => t.events[event]).join(' · ')}</p>
        {host !== null && <Standing of={hook} />}
      </div>
      <Actions of={hook} />
    </li>
  )
}

function Standing({ of: hook }: { of: HookRow }) {
  const t = useHookTexts()
  const { state, reason, restsUntil, rotatesUntil, deliveredAt } = hook
  return (
    <>
      {reason !== null && state !== 'active' && <p className={classes.detail}>{serverSentence(reason)}</p>}
      {state !== 'unverified' && (
        <p className={classes.detail}>
          {deliveredAt === null ? (
            t.never
          ) : (
            <>
              {t.delivered} <NepalTime wire={deliveredAt} relative />
            </>
          )}
          {restsUntil !== null && (
            <>
              {' · '}
              {t.restsUntil} <NepalTime wire={restsUntil} relative />
            </>
          )}
        </p>
      )}
      {rotatesUntil !== null && (
        <p className={classes.detail}>
          {t.rotatesUntil} <NepalTime wire={rotatesUntil} />
        </p>
      )}
      {state === 'unverified' && <p className={classes.detail}>{t.unverifiedHint}</p>}
      {state === 'paused' && <p className={classes.detail}>{t.pausedHint}</p>}
    </>
  )
}

function Actions({ of: hook }: { of: HookRow }) {
  const t = useHookTexts()
  const name = hook.host ?? t.byProgram
  const small = { variant: 'default', size: 'compact-sm' } as const
  return (
    <div className={classes.actions}>
      {hook.host !== null && (
        <>
          <Button
            {...small}
            component={Link}
            to={`?tab=deliveries&hook=${hook.hookId}`}
            aria-label={t.deliveriesOf(name)}
          >
            {t.deliveries}
          </Button>
          <Button {...small} aria-label={t.testWhat(name)} onClick={() => void test(hook, name)}>
            {t.test}
          </Button>
          <Button {...small} aria-label={t.rotateWhat(name)} onClick={() => askRotate(hook)}>
            {t.rotate}
          </Button>
        </>
      )}
      <Button {...small} aria-label={t.changeTitle(name)} onClick={() => openChange(hook)}>
        {t.change}
      </Button>
      <Button {...small} aria-label={t.removeWhat(name)} onClick={() => askRemove(hook, name)}>
        {t.remove}
      </Button>
    </div>
  )
}

async function test({ hookId }: HookRow, name: string): Promise<void> {
  const t = hookTexts()
  try {
    await call(hookRoutes.test, { hookId })
    showDone(t.tested(name))
    setTimeout(() => void refresh(hookRoutes.list), againMs)
  } catch (error) {
    showFailure(error, t.fields, t.failed)
  }
}

function askRemove({ hookId }: HookRow, name: string): void {
  const t = hookTexts()
  confirm({
    title: name,
    verb: t.remove,
    question: t.removeQuestion,
    failure: t.removeFailed,
    labels: t.fields,
    danger: true,
    onYes: async () => {
      await call(hookRoutes.delete, { hookId }).finally(() => refresh(hookRoutes.list))
      showDone(t.removed(name))
    },
  })
}
