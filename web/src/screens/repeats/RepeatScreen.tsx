import { campaignStatusLabel, campaignStatusOf } from '@ghanti/contract/campaign-status.ts'
import { repeatRoutes, type RepeatDay } from '@ghanti/contract/repeats.ts'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useMemo } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { ActionMenu } from '../../components/table/RowMenu.tsx'
import { useList } from '../../components/table/use-list.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { Status } from '../../components/ui/Status.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { NotFound } from '../errors/NotFound.tsx'
import { repeatMenu } from './actions.ts'
import { Outcome } from './Outcome.tsx'
import { Reasons } from './Reasons.tsx'
import { stateTones } from './RepeatsScreen.tsx'
import { ruleText } from './rule-text.ts'

function idOf(param: string | undefined): number | null {
  return /^[1-9]\d{0,8}$/.test(param ?? '') ? Number(param) : null
}

export const loader = screenLoader(({ params, prefetch }) => {
  const repeatId = idOf(params.repeatId)
  if (repeatId !== null) void prefetch(jsonQuery(repeatRoutes.detail, { repeatId }))
})

export default function RepeatScreen() {
  const repeatId = idOf(useParams().repeatId)
  return repeatId === null ? <NotFound /> : <Opened key={repeatId} repeatId={repeatId} />
}

const columns = (t: TextsOf<'repeats'>, format: Format): Column<RepeatDay>[] => [
  { key: 'day', header: t.detail.columns.day, nowrap: true, cardTitle: true, cell: ({ day }) => format.day(day) },
  {
    key: 'outcome',
    header: t.detail.columns.outcome,
    card: 'prose',
    cell: ({ outcome, reasons }) => (
      <>
        <Outcome outcome={outcome} />
        {outcome === 'missed' && <small>{t.detail.missed}</small>}
        <Reasons of={reasons} />
      </>
    ),
  },
  {
    key: 'campaign',
    header: t.detail.columns.campaign,
    cell: ({ campaignId, campaignName }) =>
      campaignId === null ? '–' : <Link to={`/voice-campaign-summary/${campaignId}`}>{campaignName}</Link>,
  },
  {
    key: 'status',
    header: t.detail.columns.status,
    cell: ({ campaignStatus }) => {
      const status = campaignStatus === null ? undefined : campaignStatusOf(campaignStatus)
      return status ? serverText(campaignStatusLabel[status]) : '–'
    },
  },
  {
    key: 'rows',
    header: t.detail.columns.rows,
    align: 'right',
    cell: ({ rows }) => <span data-numeric>{rows === null ? '–' : format.count(rows)}</span>,
  },
]

function Opened({ repeatId }: { repeatId: number }) {
  const t = useTexts('repeats')
  const { takeAction } = useTexts('common').table
  const format = useFormat()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(jsonQuery(repeatRoutes.detail, { repeatId }))
  const list = useList(repeatRoutes.days, { repeatId })
  const shown = useMemo(() => columns(t, format), [t, format])
  if (!data)
    return (
      <Page title={t.title} subtitle={<Link to="/repeating">{t.detail.back}</Link>}>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
      </Page>
    )
  return (
    <DataTable
      title={data.repeatName}
      subtitle={
        <>
          <Link to="/repeating">{t.detail.back}</Link>
          {' · '}
          <Status is={stateTones[data.repeatState]}>{t.states[data.repeatState]}</Status>
          {` · ${ruleText(data, t, format)}, `}
          <span data-whole>{t.detail.until(format.day(data.untilDay))}</span>
          {' · '}
          <Link to={`/contact-files/${data.baseId}`}>{data.baseName}</Link>
          {data.nextDays.length > 0 && ` · ${t.detail.next}`}
          {data.nextDays.map(({ day }, at) => (
            <Fragment key={day}>
              {' '}
              <span data-whole>{format.day(day) + (at + 1 < data.nextDays.length ? ',' : '')}</span>
            </Fragment>
          ))}
          {data.faults.length > 0 && (
            <>
              {' · '}
              <Status is="problem">{t.faults}</Status> <Reasons of={data.faults} />
            </>
          )}
        </>
      }
      columns={shown}
      name="repeating-days"
      rowId={(row) => row.day}
      list={list}
      empty="repeatingDays"
      primary={
        <ActionMenu
          label={takeAction}
          subject={data.repeatName}
          actions={() => repeatMenu(data, t, () => void navigate('/repeating'))}
        />
      }
    />
  )
}
