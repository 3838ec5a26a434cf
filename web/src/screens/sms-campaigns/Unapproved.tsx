import { messages } from '@ghanti/contract/messages.ts'
import { smsCampaignRoutes, type SmsCampaignSummary, type UnapprovedRow } from '@ghanti/contract/sms-campaigns.ts'
import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useList } from '../../components/table/use-list.ts'
import { tabParameter } from '../../components/ui/Tabs.tsx'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import classes from './SmsReport.module.css'

const { unapproved: route, approveValues, rejectValues } = smsCampaignRoutes
const besideTabs = { others: [tabParameter] }
const again = () => refresh(route, smsCampaignRoutes.summary, smsCampaignRoutes.list)

/** Rows whose values need approval; a super admin decides on all of them at once. */
export default function Unapproved({ summary }: { summary: SmsCampaignSummary }) {
  const all = useTexts('smsCampaigns')
  const { unapproved: t } = all
  const format = useFormat()
  const { role } = useSession()
  const { campaignId, campaignName: title, unapproved } = summary
  const list = useList(route, { campaignId }, besideTabs)
  const columns = useMemo(() => columnsOf(all, format), [all, format])
  const approve = () =>
    confirm({
      title,
      verb: t.approve,
      question: t.approveQuestion(format.count(unapproved)),
      failure: messages.requestFailed,
      labels: all.labels,
      onYes: () => call(approveValues, { campaignId }).then(again),
    })
  const reject = () =>
    confirm({
      title,
      verb: t.reject,
      question: t.rejectQuestion(format.count(unapproved)),
      failure: messages.requestFailed,
      labels: all.labels,
      danger: true,
      reason: { required: true },
      onYes: (reason) => call(rejectValues, { campaignId, reason }).then(again),
    })
  return (
    <DataTable
      isScreen={false}
      title={t.title(format.count(unapproved))}
      subtitle={t.subtitle}
      columns={columns}
      name="sms-unapproved"
      rowId={(row) => row.row}
      list={list}
      empty="unapproved"
      primary={
        role === 'superAdmin' && (
          <div className={classes.decide}>
            <Button onClick={approve}>{t.approve}</Button>
            <Button variant="default" onClick={reject}>
              {t.reject}
            </Button>
          </div>
        )
      }
    />
  )
}

const columnsOf = (
  { unapproved: t, report: { columns } }: TextsOf<'smsCampaigns'>,
  format: Format,
): Column<UnapprovedRow>[] => [
  { key: 'msisdn', header: columns.msisdn, nowrap: true, cardTitle: true, cell: (row) => format.phone(row.msisdn) },
  {
    key: 'smsText',
    header: t.text,
    card: 'line',
    cell: (row) => <span className={classes.text}>{row.smsText}</span>,
  },
  { key: 'reason', header: columns.reason, card: 'line', cell: (row) => serverText(row.reason) },
  { key: 'row', header: columns.row, sortKey: 'row', align: 'right', cell: (row) => format.count(row.row) },
]
