import { hookRoutes, type DeliveryRow, type DeliveryState, type HookRow } from '@ghanti/contract/hooks.ts'
import { Button, NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../../api/client.ts'
import { jsonQuery } from '../../../api/query.ts'
import { Segments } from '../../../components/form/Segments.tsx'
import Empty from '../../../components/ui/Empty.tsx'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import { useFormat } from '../../../i18n/format.ts'
import classes from '../Developers.module.css'
import { useHookTexts } from '../hooks/texts.ts'
import { useDeveloperTexts } from '../texts.ts'
import { Delivery } from './Delivery.tsx'
import { openSendAgain } from './SendAgain.tsx'

const againMs = 3000
const pageSize = 50
const states = ['all', 'waiting', 'delivered', 'failed'] as const
type Shown = (typeof states)[number]
export type DeliveryOf = DeliveryRow & { hook: HookRow }

/** What was sent to the account's webhooks in the last seven days, to one or all. */
export default function Deliveries() {
  const { error, data: hooks, refetch } = useQuery(jsonQuery(hookRoutes.list, {}))
  if (error && !hooks) return <Failure error={error} onRetry={() => void refetch()} />
  if (!hooks) return <div className={classes.loading} aria-busy />
  return <Listed hooks={hooks.filter(({ host }) => host !== null)} />
}

function Listed({ hooks }: { hooks: readonly HookRow[] }) {
  const t = useDeveloperTexts().deliveries
  const { only, state, change } = useShown(hooks)
  return (
    <section className={classes.part} aria-labelledby="deliveries">
      <div className={classes.head}>
        <div>
          <h2 id="deliveries">{t.title}</h2>
          <p>{t.hint}</p>
        </div>
        {hooks.length > 0 && (
          <Button variant="default" onClick={() => openSendAgain(only)}>
            {t.failedAgain}
          </Button>
        )}
      </div>
      {hooks.length > 0 && (
        <div className={classes.tools}>
          <NativeSelect
            aria-label={t.to}
            data={[
              { value: '', label: t.all },
              ...hooks.map(({ hookId, host }) => ({ value: String(hookId), label: host ?? '' })),
            ]}
            value={only === undefined ? '' : String(only.hookId)}
            onChange={(event) => change('hook', event.currentTarget.value)}
          />
          <Segments
            label={t.state}
            value={state}
            onChange={(chosen) => change('state', chosen === 'all' ? '' : chosen)}
            data={states.map((value) => ({ value, label: t.states[value] }))}
          />
        </div>
      )}
      <Rows
        key={`${only?.hookId} ${state}`}
        hooks={only === undefined ? hooks : [only]}
        state={state}
        hasHooks={hooks.length > 0}
      />
    </section>
  )
}

/** In the address: `hook` and `state`. */
function useShown(hooks: readonly HookRow[]) {
  const [params, setParams] = useSearchParams()
  const only = hooks.find(({ hookId }) => String(hookId) === params.get('hook'))
  const state: Shown = states.find((one) => one === params.get('state')) ?? 'all'
  const change = (name: 'hook' | 'state', value: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return { only, state, change }
}

type Wanted = { hooks: readonly HookRow[]; state: Shown; before: number | null; signal: AbortSignal }

/** The newest first. Ids rise over all webhooks, so the next page of all is the next page of each. */
async function pageOf({ hooks, state, before, signal }: Wanted): Promise<DeliveryOf[]> {
  const of: { state?: DeliveryState } = state === 'all' ? {} : { state }
  const from = before === null ? of : { ...of, before }
  const each = hooks.map(async (hook) => {
    const rows = await call(hookRoutes.deliveries, { hookId: hook.hookId, ...from }, { signal })
    return rows.map((row) => ({ ...row, hook }))
  })
  const all = (await Promise.all(each)).flat()
  return all.toSorted((a, b) => b.deliveryId - a.deliveryId).slice(0, pageSize)
}

/** So many pages, and whether there are more. */
function useDeliveries(hooks: readonly HookRow[], state: Shown, pages: number) {
  return useQuery({
    queryKey: [hookRoutes.deliveries.path, hooks.map(({ hookId }) => hookId), state, pages],
    queryFn: async ({ signal }): Promise<{ rows: DeliveryOf[]; hasMore: boolean }> => {
      const rows: DeliveryOf[] = []
      for (let page = 0; page < pages; page++) {
        const before = rows.at(-1)?.deliveryId ?? null
        const more = await pageOf({ hooks, state, before, signal })
        rows.push(...more)
        if (more.length < pageSize) return { rows, hasMore: false }
      }
      return { rows, hasMore: true }
    },
    placeholderData: keepPreviousData,
    // What waits for its next try needs no look before that; with older pages in view all of them would be asked for again.
    refetchInterval: ({ state: { data } }) =>
      pages === 1 && data?.rows.some((row) => row.state === 'waiting' && row.tries === 0) ? againMs : false,
  })
}

function Rows({ hooks, state, hasHooks }: { hooks: readonly HookRow[]; state: Shown; hasHooks: boolean }) {
  const t = useDeveloperTexts().deliveries
  const texts = useHookTexts()
  const format = useFormat()
  const [pages, setPages] = useState(1)
  const query = useDeliveries(hooks, state, pages)
  if (query.error && !query.data)
    return <Failure error={query.error} labels={texts.fields} onRetry={() => void query.refetch()} />
  if (!query.data) return <div className={classes.loading} aria-busy />
  const { rows, hasMore } = query.data
  if (rows.length === 0)
    return (
      <div className={classes.card}>
        <Empty drawing="list" text={hasHooks ? t.none : t.noHooks} />
      </div>
    )
  return (
    <>
      <ul className={classes.rows} aria-label={t.count(format.count(rows.length))}>
        {rows.map((row) => (
          <Delivery key={row.deliveryId} of={row} />
        ))}
      </ul>
      {hasMore && (
        <div>
          <Button variant="default" loading={query.isPlaceholderData} onClick={() => setPages(pages + 1)}>
            {t.older}
          </Button>
        </div>
      )}
    </>
  )
}
