import type { CliRow } from '@ghanti/contract/lines.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { Column } from '../../components/table/DataTable.tsx'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'
import lines from '../lines/Lines.module.css'
import { State } from '../lines/Live.tsx'
import { actionsOf } from './actions.tsx'

export type ViewKind = 'clis' | 'allocated'
export type Context = {
  kind: ViewKind
  role: Role
  username: string
  t: TextsOf<'clis'>
  common: TextsOf<'common'>
  format: Format
  go: (path: string) => void
}

/** Columns by role (specification 2 §6): resellers and users see the number and their actions, and who holds it if they choose so. */
const columnsOf: Record<ViewKind, Record<Role, readonly ColumnKey[]>> = {
  clis: {
    user: ['cli', 'action'],
    reseller: ['cli', 'holders', 'action'],
    superAdmin: ['cli', 'channels', 'status', 'trunk', 'pilotNumber', 'pool', 'holders', 'action'],
  },
  allocated: {
    user: [],
    reseller: ['cli', 'holder', 'givenBy', 'action'],
    superAdmin: ['cli', 'status', 'trunk', 'holder', 'givenBy', 'action'],
  },
}
type ColumnKey = keyof ReturnType<typeof everyColumn>

function holderColumns({ t, format }: Context) {
  return {
    holders: {
      key: 'holders',
      header: t.columns.holders,
      card: 'line',
      cell: (row) => holdersText(row, t, format),
    },
    holder: {
      key: 'holder',
      header: t.columns.holders,
      card: 'line',
      cell: (row) => <span className={lines.name}>{row.allocation?.username}</span>,
    },
    givenBy: {
      key: 'givenBy',
      header: t.columns.givenBy,
      cell: (row) => <span className={lines.name}>{row.allocation?.givenBy}</span>,
    },
  } as const satisfies Record<string, Column<CliRow>>
}

function everyColumn(context: Context) {
  const { t, common, format, role } = context
  return {
    cli: {
      key: 'cli',
      header: t.columns.cli,
      sortKey: 'cli',
      cardTitle: true,
      nowrap: true,
      cell: (row) => (
        <>
          <span data-numeric>{format.phone(row.cli)}</span>
          {row.members !== null && <span className={lines.more}>{t.group.size(format.count(row.members))}</span>}
          {role !== 'superAdmin' && row.cliStatus === 0 && <span className={lines.more}>{t.statuses.inactive}</span>}
        </>
      ),
    },
    channels: {
      key: 'channels',
      header: t.columns.channels,
      sortKey: 'channels',
      align: 'right',
      cell: (row) => <span data-numeric>{format.count(row.channels)}</span>,
    },
    status: {
      key: 'status',
      header: t.columns.status,
      card: 'status',
      cell: (row) => (
        <State
          light={row.cliStatus === 1 ? 'done' : 'neutral'}
          text={row.cliStatus === 1 ? t.statuses.active : t.statuses.inactive}
        />
      ),
    },
    trunk: { key: 'trunk', header: t.columns.trunk, cell: (row) => <WayOut row={row} t={t} /> },
    pilotNumber: {
      key: 'pilotNumber',
      header: t.columns.pilotNumber,
      nowrap: true,
      cell: (row) => (row.pilotNumber === null ? '–' : format.phone(row.pilotNumber)),
    },
    pool: { key: 'pool', header: t.columns.pool, cell: (row) => t.pools[row.pool] },
    ...holderColumns(context),
    action: {
      key: 'action',
      header: t.columns.action,
      nowrap: true,
      pinned: true,
      cell: (row) => (
        <RowMenu
          label={common.table.takeAction}
          subject={row.allocation ? `${row.cli}, ${row.allocation.username}` : row.cli}
          actions={() => actionsOf(row, context)}
        />
      ),
    },
  } as const satisfies Record<string, Column<CliRow>>
}

export function columnsFor(context: Context): Column<CliRow>[] {
  const every = everyColumn(context)
  const isHidden = (key: ColumnKey) => key === 'holders' && context.role === 'reseller'
  return columnsOf[context.kind][context.role].map((key): Column<CliRow> =>
    isHidden(key) ? { ...every[key], hidden: true } : every[key],
  )
}

function WayOut({ row, t }: { row: CliRow; t: TextsOf<'clis'> }) {
  if (row.trunkName === null) return <span className={lines.dim}>{t.noTrunk}</span>
  return (
    <div>
      <span className={lines.oneLine}>{row.trunkName}</span>
      <span className={lines.more}>{row.routeName === null ? row.dialerName : t.route.via(row.routeName)}</span>
    </div>
  )
}

function holdersText({ holders, holderCount }: CliRow, t: TextsOf<'clis'>, format: Format): string {
  if (holderCount === 0) return t.toNobody
  const more = holderCount - holders.length
  return more > 0 ? t.andMore(holders.join(', '), format.count(more)) : holders.join(', ')
}
