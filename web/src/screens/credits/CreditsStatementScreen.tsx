import { creditRoutes, statementKinds, type CreditStatement } from '@ghanti/contract/credits.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { fileAddress } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useLocalList } from '../../components/table/use-list.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { useBikramSambat } from '../../components/ui/NepalTime.tsx'
import { Page } from '../../components/ui/Page.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { chargedName } from '../../i18n/charged-name.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import history from './CreditsHistory.module.css'
import { lastMonths, monthAsked, monthNotOffered } from './months.ts'
import classes from './Statement.module.css'
import { late } from '../../components/ui/loading/late.tsx'

const AccountPicker = late(() => import('./AccountPicker.tsx'))

type Line = CreditStatement['lines'][number]

function askedOf(params: URLSearchParams, own: number) {
  const months = lastMonths(new Date())
  const account = params.get('account') ?? ''
  const isId = /^[1-9]\d{0,8}$/.test(account)
  return {
    months,
    gone: monthNotOffered(params.get('month'), months),
    noAccount: account !== '' && !isId ? account : null,
    sent: { userId: isId ? Number(account) : own, month: monthAsked(params.get('month'), months) },
  }
}

export const loader = screenLoader(({ url, userId, prefetch }) => {
  void prefetch(jsonQuery(creditRoutes.statement, askedOf(url.searchParams, userId).sent))
})

const columns = (t: TextsOf<'credits'>, format: Format): Column<Line>[] => [
  {
    key: 'name',
    header: t.statement.columns.name,
    sortKey: 'name',
    cardTitle: true,
    cell: (line) => (
      <span className={classes.name}>{line.name === 'Platform' ? t.statement.platform : chargedName(line.name)}</span>
    ),
  },
  { key: 'kind', header: t.statement.columns.kind, sortKey: 'kind', cell: (line) => t.statement.kinds[line.kind] },
  {
    key: 'entries',
    header: t.statement.columns.entries,
    sortKey: 'entries',
    align: 'right',
    cell: (line) => <span data-numeric>{format.count(line.entries)}</span>,
  },
  {
    key: 'credits',
    header: t.columns.amount,
    sortKey: 'credits',
    align: 'right',
    nowrap: true,
    cell: (line) => (
      <span data-numeric className={line.credits < 0 ? history.less : history.more}>
        {line.credits > 0 ? '+' : ''}
        {format.rupees(line.credits)}
      </span>
    ),
  },
]

const lineList = {
  sortKeys: ['kind', 'name', 'entries', 'credits'],
  searchIn: (line: Line) => line.name,
  valueOf: {
    kind: (line: Line) => statementKinds.indexOf(line.kind),
    name: (line: Line) => line.name,
    entries: (line: Line) => line.entries,
    credits: (line: Line) => line.credits,
  },
}

/** One account's money over a month in Nepal. */
export default function CreditsStatementScreen() {
  const t = useTexts('credits')
  const format = useFormat()
  const { userId, username, role } = useSession()
  const [params, setParams] = useSearchParams()
  const { months, gone, noAccount, sent } = askedOf(params, userId)
  const statement = useQuery(jsonQuery(creditRoutes.statement, sent))
  const choose = (name: 'month' | 'account', value: string) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      next.set(name, value)
      next.delete('page')
      return next
    })
  const list = useLocalList(
    {
      rows: statement.data?.lines,
      error: null,
      isFetching: statement.isFetching,
      refetch: () => void statement.refetch(),
    },
    lineList,
  )
  const shown = useMemo(() => columns(t, format), [t, format])
  const name = statement.data?.username ?? ''
  const whose = role === 'superAdmin' && sent.userId === userId ? t.statement.platform : name
  const bikramSambat = useBikramSambatMonths(sent.month)
  return (
    <div className={classes.screen}>
      <Page
        title={t.statement.title}
        subtitle={t.statement.subtitle}
        actions={
          <Button
            component="a"
            href={fileAddress(creditRoutes.statementCsv, sent)}
            download
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.7} aria-hidden />}
          >
            {t.statement.csv}
          </Button>
        }
      >
        {/* The month is in the table's title. On paper there is no picker that shows whose it is. */}
        <p className={classes.paper}>{`${t.statement.account}: ${name || username}`}</p>
        <div className={classes.choices}>
          <NativeSelect
            label={t.statement.month}
            data={months.map((month) => ({ value: month, label: monthName(month, t, format) }))}
            value={sent.month}
            onChange={(event) => choose('month', event.currentTarget.value)}
          />
          {role !== 'user' && (
            <Suspense fallback={<div className={classes.picker} aria-busy />}>
              <AccountPicker
                label={t.statement.account}
                own={{
                  value: String(userId),
                  label: role === 'superAdmin' ? t.statement.platform : t.statement.own(username),
                }}
                chosen={{
                  value: String(sent.userId),
                  label:
                    sent.userId !== userId
                      ? name
                      : role === 'superAdmin'
                        ? t.statement.platform
                        : t.statement.own(username),
                }}
                onChoose={(account) => choose('account', account)}
              />
            </Suspense>
          )}
        </div>
        {gone !== null && (
          <p role="status" className={classes.gone}>
            {t.statement.noMonth(gone, monthName(sent.month, t, format))}
          </p>
        )}
        {noAccount !== null && (
          <p role="status" className={classes.gone}>
            {t.statement.noAccount(noAccount)}
          </p>
        )}
        {statement.error && !statement.data && (
          <Failure error={statement.error} onRetry={() => void statement.refetch()} />
        )}
        {!statement.error && !statement.data && <div className={classes.loading} aria-busy />}
        {statement.data && <Sums statement={statement.data} />}
      </Page>
      {statement.data && (
        <DataTable
          isScreen={false}
          title={[whose, monthName(sent.month, t, format), bikramSambat].filter(Boolean).join(' · ')}
          columns={shown}
          rowId={(line) => `${line.kind} ${line.name} ${line.credits}`}
          list={list}
          empty="statement"
        />
      )}
    </div>
  )
}

function monthName(month: string, t: TextsOf<'credits'>, format: Format): string {
  return `${t.statement.months[Number(month.slice(5)) - 1]} ${format.digits(month.slice(0, 4))}`
}

/** A month AD as '2083 Kartik – 2083 Mangsir'; null until the converter has loaded. */
function useBikramSambatMonths(month: string): string | null {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
  const ends = [useBikramSambat(`${month}-01`), useBikramSambat(lastDay)]
  return ends.some((day) => day === null) ? null : ends.map((day) => day?.split(' ').slice(0, 2).join(' ')).join(' – ')
}

function Sums({ statement }: { statement: CreditStatement }) {
  const { statement: t } = useTexts('credits')
  const format = useFormat()
  const sums = [
    [t.opening, statement.opening],
    [t.in, statement.in],
    [t.out, Math.abs(statement.out)], // 'Out' implies the minus
    [t.closing, statement.closing],
  ] as const
  return (
    <dl className={classes.sums}>
      {sums.map(([label, rupees]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-numeric>{t.rupees(format.rupees(rupees))}</dd>
        </div>
      ))}
    </dl>
  )
}
