import { repeatRoutes, type Repeat, type RepeatState } from '@ghanti/contract/repeats.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import { useLocalList } from '../../components/table/use-list.ts'
import { Status, type StatusKind } from '../../components/ui/Status.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { repeatMenu } from './actions.ts'
import { Outcome } from './Outcome.tsx'
import { Reasons } from './Reasons.tsx'
import { ruleText } from './rule-text.ts'

const { list: route } = repeatRoutes

export const loader = screenLoader(({ prefetch }) => void prefetch(jsonQuery(route, {})))

export const stateTones: Record<RepeatState, StatusKind> = { active: 'running', paused: 'held', ended: 'neutral' }

const columns = (t: TextsOf<'repeats'>, takeAction: string, format: Format): Column<Repeat>[] => [
  {
    key: 'name',
    header: t.columns.name,
    cardTitle: true,
    cell: ({ repeatId, repeatName }) => <Link to={`/repeating/${repeatId}`}>{repeatName}</Link>,
  },
  {
    key: 'state',
    header: t.columns.state,
    card: 'line',
    cell: ({ repeatState, faults }) => (
      <>
        <Status is={stateTones[repeatState]}>{t.states[repeatState]}</Status>
        {faults.length > 0 && (
          <>
            <Status is="problem">{t.faults}</Status>
            <Reasons of={faults} />
          </>
        )}
      </>
    ),
  },
  { key: 'rule', header: t.columns.rule, card: 'prose', cell: (row) => ruleText(row, t, format) },
  { key: 'contacts', header: t.columns.contacts, cell: ({ baseName }) => <bdi>{baseName}</bdi> },
  {
    key: 'next',
    header: t.columns.next,
    nowrap: true,
    cell: ({ nextDay }) => (nextDay === null ? '–' : format.day(nextDay)),
  },
  {
    key: 'last',
    header: t.columns.last,
    cell: ({ lastDay }) => (lastDay === null ? '–' : <Outcome outcome={lastDay.outcome} day={lastDay.day} />),
  },
  { key: 'until', header: t.columns.until, nowrap: true, cell: ({ untilDay }) => format.day(untilDay) },
  {
    key: 'action',
    header: t.columns.action,
    pinned: true,
    nowrap: true,
    cell: (row) => <RowMenu label={takeAction} subject={row.repeatName} actions={() => repeatMenu(row, t)} />,
  },
]

const how = { sortKeys: [], searchIn: ({ repeatName }: Repeat) => repeatName, valueOf: {} }

export default function RepeatsScreen() {
  const t = useTexts('repeats')
  const { takeAction } = useTexts('common').table
  const format = useFormat()
  const { data, error, isFetching, refetch } = useQuery(jsonQuery(route, {}))
  const list = useLocalList({ rows: data, error, isFetching, refetch: () => void refetch() }, how)
  const shown = useMemo(() => columns(t, takeAction, format), [t, takeAction, format])
  return (
    <DataTable
      title={t.title}
      subtitle={t.subtitle}
      columns={shown}
      name="repeating"
      rowId={(row) => row.repeatId}
      list={list}
      empty="repeating"
      primary={
        <Button component={Link} to="/add-repeating" leftSection={<IconPlus size={16} aria-hidden />}>
          {t.add}
        </Button>
      }
    />
  )
}
