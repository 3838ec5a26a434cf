import { platformRoutes } from '@ghanti/contract/platform.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useLocalList } from '../../components/table/use-list.ts'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { Page } from '../../components/ui/Page.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useTexts } from '../../i18n/language.ts'
import { refreshStops, StopForm } from './StopForm.tsx'
import classes from './StopDialling.module.css'

export const loader = screenLoader(({ prefetch }) => void prefetch(jsonQuery(platformRoutes.dialBlocks, {})))

type DialBlock = ReplyOf<typeof platformRoutes.dialBlocks>[number]

const blockList = {
  sortKeys: ['-since', 'target', 'kind', 'what', 'by'],
  searchIn: (row: DialBlock) => `${row.target} ${row.reason} ${row.by}`,
  valueOf: {
    since: (row: DialBlock) => row.since,
    target: (row: DialBlock) => row.target,
    kind: (row: DialBlock) => row.kind,
    what: (row: DialBlock) => row.what,
    by: (row: DialBlock) => row.by,
  },
}

function lift(row: DialBlock, t: TextsOf<'platform'>): void {
  confirm({
    title: targetOf(row, t),
    verb: t.lift[row.what],
    question: t.liftQuestion[row.what],
    failure: t.liftFailed,
    onYes: async () => {
      await call(platformRoutes.allowDialling, { dialBlockId: row.dialBlockId })
      await refreshStops()
    },
  })
}

const targetOf = (row: DialBlock, t: TextsOf<'platform'>) => (row.kind === 'platform' ? t.kinds.platform : row.target)

const columns = (t: TextsOf<'platform'>): Column<DialBlock>[] => [
  { key: 'target', header: t.columns.target, sortKey: 'target', cardTitle: true, cell: (row) => targetOf(row, t) },
  { key: 'kind', header: t.columns.kind, sortKey: 'kind', cell: (row) => t.kinds[row.kind] },
  { key: 'what', header: t.columns.what, sortKey: 'what', cell: (row) => t.stoppable[row.what] },
  { key: 'reason', header: t.columns.reason, cell: (row) => row.reason },
  { key: 'by', header: t.columns.by, sortKey: 'by', nowrap: true, cell: (row) => row.by },
  {
    key: 'since',
    header: t.columns.since,
    sortKey: 'since',
    nowrap: true,
    cell: (row) => <NepalTime wire={row.since} relative />,
  },
  {
    key: 'action',
    header: t.columns.action,
    pinned: true,
    nowrap: true,
    cell: (row) => (
      <Button variant="default" size="xs" onClick={() => lift(row, t)}>
        {t.lift[row.what]}
      </Button>
    ),
  },
]

/** Stops calls and messages of the platform, an account, a dialer, a trunk or a gateway (docs/design.md#stop-all-dialling). */
export default function StopDiallingScreen() {
  const t = useTexts('platform')
  const blocks = useQuery(jsonQuery(platformRoutes.dialBlocks, {}))
  const list = useLocalList(
    {
      rows: blocks.data,
      error: blocks.error,
      isFetching: blocks.isFetching,
      refetch: () => void blocks.refetch(),
    },
    blockList,
  )
  const shown = useMemo(() => columns(t), [t])
  return (
    <div className={classes.screen}>
      <Page title={t.title} subtitle={t.subtitle}>
        <StopForm />
      </Page>
      <DataTable
        isScreen={false}
        title={t.open}
        columns={shown}
        rowId={(row) => row.dialBlockId}
        list={list}
        empty="stops"
      />
    </div>
  )
}
