import { creditRoutes, paymentModes, type CreditHistoryRow } from '@ghanti/contract/credits.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { useMemo } from 'react'
import { fileAddress } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useList } from '../../components/table/use-list.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { chargedName } from '../../i18n/charged-name.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import classes from './CreditsHistory.module.css'

/** Specification 2 §6, and whose line it is where the list may show other accounts than the reader's own. */
const columnsOf: Record<Role, readonly ColumnKey[]> = {
  user: ['amount', 'campaign', 'action', 'date'],
  reseller: ['account', 'fromTo', 'amount', 'campaign', 'action', 'balance', 'date'],
  superAdmin: ['account', 'from', 'to', 'amount', 'campaign', 'action', 'balance', 'date'],
}
type ColumnKey = keyof ReturnType<typeof everyColumn>

function everyColumn(t: TextsOf<'credits'>, format: Format) {
  const words = new Map([
    ['Campaign', t.campaign],
    ['Platform', t.statement.platform],
  ])
  const from = ({ fromUsername: name }: CreditHistoryRow) => words.get(name) ?? name
  const to = ({ toUsername: name }: CreditHistoryRow) => words.get(name) ?? name
  return {
    account: {
      key: 'account',
      header: t.columns.account,
      cell: ({ accountUsername: name }) => words.get(name) ?? name,
    },
    from: { key: 'from', header: t.columns.from, cell: from },
    to: { key: 'to', header: t.columns.to, cardTitle: true, cell: to },
    fromTo: {
      key: 'fromTo',
      header: t.columns.fromTo,
      cardTitle: true,
      // The specified word 'Campaign' stands for 'From' although a campaign's cost goes to it.
      cell: (row) => (row.action === 'campaign_deduction' ? `${to(row)} → ${from(row)}` : `${from(row)} → ${to(row)}`),
    },
    amount: {
      key: 'amount',
      header: t.columns.amount,
      align: 'right',
      nowrap: true,
      cell: (row) => (
        <span data-numeric className={row.credits < 0 ? classes.less : classes.more}>
          {row.credits > 0 ? '+' : ''}
          {format.rupees(row.credits)}
        </span>
      ),
    },
    campaign: {
      key: 'campaign',
      header: t.columns.campaign,
      cell: (row) => (row.campaignName === null ? '–' : chargedName(row.campaignName)),
    },
    action: {
      key: 'action',
      header: t.columns.action,
      card: 'line',
      cell: (row) => {
        const said = [row.reference, modeOf(row, t), noteOf(row)].filter(Boolean).join(' · ')
        return (
          <div>
            {t.actions[row.action]}
            {said && <span className={classes.note}>{said}</span>}
          </div>
        )
      },
    },
    balance: {
      key: 'balance',
      header: t.columns.balance,
      align: 'right',
      nowrap: true,
      cell: (row) => <span data-numeric>{format.rupees(row.userBalance)}</span>,
    },
    date: {
      key: 'date',
      header: t.columns.date,
      sortKey: 'reqDate',
      nowrap: true,
      card: 'line',
      cell: (row) => <NepalTime wire={row.reqDate} />,
    },
  } as const satisfies Record<string, Column<CreditHistoryRow>>
}

/** Translated if it is one of ours; modes of other programs stay as they are. */
function modeOf({ paymentMode }: CreditHistoryRow, t: TextsOf<'credits'>): string | null {
  const known = paymentModes.find((mode) => mode === paymentMode)
  return known ? t.recharge.modes[known] : paymentMode
}

/** The server's own notes are translated. */
function noteOf({ note }: CreditHistoryRow): string | null {
  return note?.startsWith(ofDeletedAccount) ? serverText(note) : note
}
const ofDeletedAccount = 'Balance of the deleted account '

type HistoryRoute = typeof creditRoutes.historyOfUser | typeof creditRoutes.history

/** Users load their own history, others the general one (specification 2 §6). */
export default function CreditsHistoryScreen() {
  const t = useTexts('credits')
  const format = useFormat()
  const { userId, role } = useSession()
  const list = useList<HistoryRoute>(role === 'user' ? creditRoutes.historyOfUser : creditRoutes.history, { userId })
  const shown = useMemo(() => {
    const every = everyColumn(t, format)
    return columnsOf[role].map((key): Column<CreditHistoryRow> => every[key])
  }, [role, t, format])
  return (
    <DataTable
      title={t.title}
      subtitle={role === 'user' ? t.subtitle : t.subtitleOwn}
      columns={shown}
      name="credits-history"
      rowId={(row) => row.id}
      list={list}
      csvHref={fileAddress(creditRoutes.historyCsv, { userId, ...list.filters.set, search: list.state.search })}
      searches={t.searches}
      empty={role === 'user' ? 'creditsOwn' : 'creditsBelow'}
      filters={{
        action: { label: t.columns.action, values: t.actions },
        date: { label: t.columns.date },
        ...(role !== 'user' && {
          customer: { label: t.filterLabels.customer },
          accounts: { label: t.filterLabels.accounts, values: t.accounts },
        }),
      }}
    />
  )
}
