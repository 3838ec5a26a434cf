import { messages } from '@ghanti/contract/messages.ts'
import { callCost, planRoutes, pulseSeconds, type PlanRow } from '@ghanti/contract/plans.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { call } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { listQuery, refresh } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { listQueryOf } from '../../components/table/list-state.ts'
import { useList } from '../../components/table/use-list.ts'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Plans.module.css'
import { PlanSwitch } from './PlanSwitch.tsx'

export const loader = screenLoader(({ url, userId, prefetch }) => {
  void prefetch(listQuery(planRoutes.list, { userId }, listQueryOf(url, planRoutes.list.sort)))
})

const exampleSeconds = 65

const columns = (t: TextsOf<'plans'>, format: Format, role: Role): Column<PlanRow>[] => [
  {
    key: 'planName',
    header: t.columns.planName,
    sortKey: 'planName',
    cardTitle: true,
    cell: (row) => <span className={classes.name}>{row.planName}</span>,
  },
  {
    key: 'pulseDuration',
    header: t.columns.pulseDuration,
    sortKey: 'pulseDuration',
    align: 'right',
    nowrap: true,
    cell: (row) => t.seconds(format.count(row.pulseDuration)),
  },
  {
    key: 'pulsePrice',
    header: t.columns.pulsePrice,
    sortKey: 'pulsePrice',
    align: 'right',
    nowrap: true,
    cell: (row) => <span data-numeric>{t.paisa(format.count(row.pulsePrice))}</span>,
  },
  {
    key: 'example',
    header: t.columns.example,
    align: 'right',
    nowrap: true,
    cell: (row) => <span data-numeric>{t.rupees(format.rupees(Number(callCost(priceOf(row), exampleSeconds))))}</span>,
  },
  {
    key: 'smsPrice',
    header: t.columns.smsPrice,
    align: 'right',
    nowrap: true,
    cell: (row) =>
      row.smsPrice === null ? (
        <span className={classes.dim}>{t.ofPlatform}</span>
      ) : (
        <span data-numeric>{t.paisa(format.count(row.smsPrice))}</span>
      ),
  },
  {
    key: 'usedBy',
    header: t.columns.usedBy,
    align: 'right',
    cell: (row) => <span data-numeric>{format.count(row.usedBy)}</span>,
  },
  ...(role === 'superAdmin' ? [createdBy(t)] : []),
  {
    key: 'planStatus',
    header: t.columns.status,
    sortKey: 'planStatus',
    nowrap: true,
    controls: true,
    card: 'status',
    cell: (row) => <PlanSwitch plan={row} />,
  },
  {
    key: 'action',
    header: t.columns.action,
    pinned: true,
    cell: (row) => (
      <Button variant="default" size="xs" aria-label={`${t.delete}: ${row.planName}`} onClick={() => askDelete(row, t)}>
        {t.delete}
      </Button>
    ),
  },
]

const createdBy = (t: TextsOf<'plans'>): Column<PlanRow> => ({
  key: 'username',
  card: 'line',
  header: t.columns.createdBy,
  sortKey: 'username',
  cell: (row) => (row.username === 'Platform' ? t.platform : row.username),
})

const priceOf = (row: PlanRow) => ({ pulseMs: row.pulseDuration * 1000, pulsePaisa: row.pulsePrice })

function askDelete(row: PlanRow, t: TextsOf<'plans'>): void {
  confirm({
    title: row.planName,
    verb: t.delete,
    question: t.deleteQuestion,
    failure: messages.planDeleteFailed,
    labels: { planId: row.planName },
    danger: true,
    onYes: () => call(planRoutes.delete, { planId: row.planId }).finally(() => refresh(planRoutes.list)),
  })
}

/** The viewer's own plans; for super admins all, with their creators (specification 2 §6). */
export default function VoicePlansScreen() {
  const t = useTexts('plans')
  const format = useFormat()
  const { userId, role } = useSession()
  const list = useList(planRoutes.list, { userId })
  const shown = useMemo(() => columns(t, format, role), [t, format, role])
  return (
    <DataTable
      title={t.title}
      subtitle={t.subtitle}
      columns={shown}
      name="voice-plans"
      rowId={(row) => row.planId}
      list={list}
      filters={{
        planStatus: { label: t.columns.status, values: { '1': t.enabled, '0': t.disabled } },
        pulseDuration: {
          label: t.columns.pulseDuration,
          values: Object.fromEntries(pulseSeconds.map((seconds) => [seconds, t.seconds(format.count(seconds))])),
        },
        ...(role === 'superAdmin' && { owner: { label: t.owner } }),
      }}
      empty="plans"
      primary={
        <Button component={Link} to="/add-voice-plan" leftSection={<IconPlus size={16} aria-hidden />}>
          {t.add}
        </Button>
      }
    />
  )
}
