import { insightRoutes, type CallTable, type Grain, type MessageTable } from '@ghanti/contract/insight.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { fileAddress, type SentOf } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { useFilters, type FilterView } from '../../components/table/use-list.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { askedOf, others } from './asked.ts'
import classes from './Insight.module.css'

const FilterBar = late(async () => {
  const [part] = await Promise.all([import('../../components/table/filters/FilterBar.tsx'), loadTexts('filters')])
  return part
})
const AccountPicker = late(() => import('../credits/AccountPicker.tsx'))

const Calls = late(() => import('./Calls.tsx'))
const Messages = late(() => import('./Messages.tsx'))

const againMs = 15_000

const callsOf = (sent: ReturnType<typeof askedOf>['sent']) => jsonQuery(insightRoutes.calls, sent)
const messagesOf = (sent: ReturnType<typeof askedOf>['sent']) =>
  jsonQuery(insightRoutes.messages, sent as Parameters<typeof jsonQuery<typeof insightRoutes.messages>>[1])

const callsCsvOf = (sent: ReturnType<typeof askedOf>['sent']) => (table: CallTable) =>
  fileAddress(insightRoutes.callsCsv, { ...sent, table })
const messagesCsvOf = (sent: ReturnType<typeof askedOf>['sent']) => (table: MessageTable) =>
  fileAddress(insightRoutes.messagesCsv, { ...sent, table } as SentOf<typeof insightRoutes.messagesCsv>)

export const loader = screenLoader(({ url, userId, prefetch }) => {
  const { what, sent } = askedOf(url.searchParams, userId)
  void (what === 'calls' ? prefetch(callsOf(sent)) : prefetch(messagesOf(sent)))
})

export default function InsightScreen() {
  const t = useTexts('insight')
  const { userId, role } = useSession()
  const [params] = useSearchParams()
  const { what, sent, list } = askedOf(params, userId)
  const filters = useFilters(list, others)
  const live = { placeholderData: keepPreviousData, refetchInterval: againMs }
  const calls = useQuery({ ...callsOf(sent), ...live, enabled: what === 'calls' })
  const messages = useQuery({ ...messagesOf(sent), ...live, enabled: what === 'messages' })
  const asked = what === 'calls' ? calls : messages
  return (
    <div className={classes.screen}>
      <Page
        title={t.title}
        subtitle={t.subtitle[role]}
        actions={
          <Button
            variant="default"
            leftSection={<IconPrinter size={16} stroke={1.7} aria-hidden />}
            onClick={() => window.print()}
          >
            {t.print}
          </Button>
        }
      >
        <Choices filters={filters} username={asked.data?.username} by={asked.data?.by} />
      </Page>
      {asked.error && <Failure error={asked.error} labels={labelsOf(t)} onRetry={() => void asked.refetch()} />}
      {!asked.error && !asked.data && <div className={classes.loading} aria-busy />}
      {!asked.error && (
        <Suspense fallback={<div className={classes.loading} aria-busy />}>
          {what === 'calls' && calls.data && (
            <Calls answer={calls.data} sent={sent} at={calls.dataUpdatedAt} csvOf={callsCsvOf(sent)} />
          )}
          {what === 'messages' && messages.data && (
            <Messages answer={messages.data} at={messages.dataUpdatedAt} csvOf={messagesCsvOf(sent)} />
          )}
        </Suspense>
      )}
    </div>
  )
}

const labelsOf = ({ filters, by, of, account }: TextsOf<'insight'>) => ({
  ...filters,
  by,
  of,
  userId: account,
  trunkId: filters.trunk,
  campaignId: filters.campaign,
})

type ChoicesProps = { filters: FilterView; username: string | undefined; by: Grain | undefined }

function Choices({ filters, username, by }: ChoicesProps) {
  const t = useTexts('insight')
  const { userId, role, username: own } = useSession()
  const [params] = useSearchParams()
  const { what, userId: chosen } = askedOf(params, userId)
  const { declared, set, change } = filters
  const ownLabel = role === 'superAdmin' ? t.platform : t.own(own)
  const choose = (key: string, value: string) => change({ [key]: value })
  return (
    <>
      <div className={classes.choices}>
        <NativeSelect
          label={t.what}
          data={(['calls', 'messages'] as const).map((value) => ({ value, label: t.whats[value] }))}
          value={what}
          onChange={(event) =>
            change({
              what: event.currentTarget.value,
              of: null,
              by: null,
              operator: null,
              template: null,
              trunkId: null,
              campaignId: null,
            })
          }
        />
        <NativeSelect
          label={t.by}
          data={valuesOf(declared['by']).map((value) => ({ value, label: t.grains[value as Grain] }))}
          value={set['by'] ?? by ?? 'day'}
          onChange={(event) => choose('by', event.currentTarget.value)}
        />
        <NativeSelect
          label={t.of}
          data={[{ value: '', label: t.nothing }, ...dimensionsOf(declared['of'], role, t)]}
          value={set['of'] ?? ''}
          onChange={(event) => choose('of', event.currentTarget.value)}
        />
        {role !== 'user' && (
          <Suspense fallback={<div className={classes.picker} aria-busy />}>
            <AccountPicker
              label={t.account}
              own={{ value: String(userId), label: ownLabel }}
              chosen={{ value: String(chosen), label: chosen === userId ? ownLabel : (username ?? '') }}
              onChoose={(account) => change({ account: account === String(userId) ? null : account })}
            />
          </Suspense>
        )}
      </div>
      <div className={classes.bar}>
        <Suspense fallback={<div aria-busy />}>
          <FilterBar filters={filters} words={wordsOf(what, role, t)} elsewhere={chosenAbove} />
        </Suspense>
      </div>
    </>
  )
}

type Declared = FilterView['declared'][string] | undefined
const valuesOf = (filter: Declared): readonly string[] => (filter?.kind === 'choice' ? filter.values : [])

const chosenAbove = ['by', 'of']

/** Dimensions of the platform are for super admins, and users have no customers. */
function dimensionsOf(filter: Declared, role: Role, t: TextsOf<'insight'>) {
  return valuesOf(filter)
    .filter((value) => role === 'superAdmin' || (value !== 'trunk' && value !== 'gateway'))
    .filter((value) => role !== 'user' || value !== 'customer')
    .map((value) => ({ value, label: t.dimensions[value as keyof typeof t.dimensions] }))
}

function wordsOf(what: 'calls' | 'messages', role: Role, t: TextsOf<'insight'>) {
  const { started, operator, template, trunk, campaign } = t.filters
  return {
    started: { label: started },
    operator: { label: operator, values: t.operators },
    ...(what === 'calls' && {
      template: { label: template, values: t.templates },
      campaignId: { label: campaign },
      ...(role === 'superAdmin' && { trunkId: { label: trunk } }),
    }),
  }
}
