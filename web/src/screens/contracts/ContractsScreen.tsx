import { contractRoutes, type ContractRow } from '@ghanti/contract/contracts.ts'
import { Button } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { Suspense, useMemo } from 'react'
import { call } from '../../api/client.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu, type MenuAction } from '../../components/table/RowMenu.tsx'
import { useList } from '../../components/table/use-list.ts'
import { confirm, showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { late } from '../../components/ui/loading/late.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from '../lines/Lines.module.css'
import { Used } from '../lines/Live.tsx'
import { refreshContracts } from './refresh.ts'

const ContractForm = late(() => import('./ContractForm.tsx'))
const readAgainMs = 2000

type Context = { t: TextsOf<'contracts'>; common: TextsOf<'common'>; format: Format }

const columns = (context: Context): Column<ContractRow>[] => [
  {
    key: 'contractName',
    header: context.t.columns.contractName,
    sortKey: 'contractName',
    cardTitle: true,
    cell: ({ contractName }) => <bdi>{contractName}</bdi>,
  },
  {
    key: 'channels',
    header: context.t.columns.channels,
    sortKey: 'channels',
    align: 'right',
    cell: ({ channelsUsed, channels }) => <Used used={channelsUsed} of={channels} />,
  },
  {
    key: 'cps',
    header: context.t.columns.cps,
    sortKey: 'cps',
    align: 'right',
    cell: ({ callsPerSecond, cps }) => <Used used={callsPerSecond} of={cps} />,
  },
  {
    key: 'dialers',
    header: context.t.columns.dialers,
    card: 'prose',
    cell: ({ dialers }) => <Parts dialers={dialers} />,
  },
  {
    key: 'trunks',
    header: context.t.columns.trunks,
    card: 'prose',
    cell: ({ trunks }) =>
      trunks.length === 0 ? (
        <span className={classes.dim}>{context.t.noTrunks}</span>
      ) : (
        <bdi>{trunks.map(({ trunkName, dialerName }) => context.t.trunkOf(trunkName, dialerName)).join(', ')}</bdi>
      ),
  },
  {
    key: 'action',
    header: context.t.columns.action,
    pinned: true,
    nowrap: true,
    cell: (row) => (
      <RowMenu
        label={context.common.table.takeAction}
        subject={row.contractName}
        actions={() => actionsOf(row, context)}
      />
    ),
  },
]

/** What each dialer uses now of what it was granted. */
function Parts({ dialers }: Pick<ContractRow, 'dialers'>) {
  const t = useTexts('contracts')
  const format = useFormat()
  if (dialers.length === 0) return <span className={classes.dim}>{t.idle}</span>
  return dialers.map((dialer) => (
    <div key={dialer.dialerName}>
      <bdi>{dialer.dialerName}</bdi>
      <span className={classes.more} data-numeric>
        {t.part(
          format.count(dialer.channelsUsed),
          format.count(dialer.channelsGranted),
          format.count(dialer.callsPerSecond),
          format.count(dialer.cpsGranted),
        )}
      </span>
    </div>
  ))
}

function openForm(row: ContractRow | null, t: TextsOf<'contracts'>): void {
  showDialog({
    title: row ? t.update : t.create,
    render: (close) => (
      <Suspense fallback={<div className={classes.loading} aria-busy />}>
        <ContractForm row={row} close={close} />
      </Suspense>
    ),
  })
}

function actionsOf(row: ContractRow, { t, format }: Context): MenuAction[] {
  return [
    { label: t.actions.update, icon: IconPencil, onClick: () => openForm(row, t) },
    {
      label: t.actions.delete,
      danger: true,
      disabledReason: row.trunks.length > 0 ? t.inUse(format.count(row.trunks.length)) : undefined,
      onClick: () =>
        confirm({
          title: row.contractName,
          verb: t.actions.delete,
          question: t.deleteQuestion,
          failure: t.deleteFailed,
          labels: t.labels,
          danger: true,
          onYes: () => call(contractRoutes.delete, { contractId: row.contractId }).finally(refreshContracts),
        }),
    },
  ]
}

export default function ContractsScreen() {
  const t = useTexts('contracts')
  const common = useTexts('common')
  const format = useFormat()
  const list = useList(contractRoutes.list, {}, { everyMs: readAgainMs })
  const context = useMemo(() => ({ t, common, format }), [t, common, format])
  const shown = useMemo(() => columns(context), [context])
  return (
    <DataTable
      title={t.title}
      subtitle={t.subtitle}
      columns={shown}
      name="contracts"
      rowId={(row) => row.contractId}
      list={list}
      empty="contracts"
      onNext={() => openForm(null, t)}
      primary={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => openForm(null, t)}>
          {t.create}
        </Button>
      }
    />
  )
}
