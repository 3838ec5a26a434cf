import {
  smsCampaignRoutes,
  type DeliveryStatus,
  type SmsCampaignSummary,
  type SmsReportRow,
} from '@ghanti/contract/sms-campaigns.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { fileAddress } from '../../api/client.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useList } from '../../components/table/use-list.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { tabParameter } from '../../components/ui/Tabs.tsx'
import { Status, type StatusKind } from '../../components/ui/Status.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { isOver } from './allowed.ts'

const { report: route } = smsCampaignRoutes
const besideTabs = { others: [tabParameter] }
const againMs = 3_000

/** While one of the shown messages can still change; rows keep their places. */
function againAfter(rows: readonly SmsReportRow[], over: boolean): number | null {
  const isOpen = rows.some(({ deliveryStatus }) => deliveryStatus === 'Waiting' || deliveryStatus === 'Submitted')
  return isOpen || (rows.length === 0 && !over) ? againMs : null
}

const toneOf: Record<DeliveryStatus, StatusKind> = {
  Waiting: 'neutral',
  Submitted: 'running',
  Delivered: 'done',
  Failed: 'problem',
  Expired: 'problem',
  Unknown: 'held',
  DND: 'neutral',
  Unreachable: 'neutral',
}

export function Messages({ summary }: { summary: SmsCampaignSummary }) {
  const { report: t } = useTexts('smsCampaigns')
  const format = useFormat()
  const { campaignId, numbersUploaded } = summary
  const over = isOver(summary)
  const list = useList(route, { campaignId }, { ...besideTabs, everyMs: (rows) => againAfter(rows, over) })
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  const { search } = list.state
  return (
    <DataTable
      isScreen={false}
      title={t.detailed}
      subtitle={t.subtitle(format.count(numbersUploaded))}
      columns={columns}
      name="sms-messages"
      rowId={(row) => row.messageId}
      list={list}
      empty="messages"
      filters={{ deliveryStatus: { label: t.columns.deliveryStatus, values: t.delivery } }}
      csvHref={null}
      primary={
        <Button
          component="a"
          href={fileAddress(smsCampaignRoutes.reportCsv, { campaignId, search, ...list.filters.set })}
          download
          variant="default"
          leftSection={<IconDownload size={15} stroke={1.7} aria-hidden />}
        >
          {t.download}
        </Button>
      }
    />
  )
}

function columnsOf({ columns, delivery }: TextsOf<'smsCampaigns'>['report'], format: Format): Column<SmsReportRow>[] {
  const time = (wire: string | null) => (wire === null ? '–' : <NepalTime wire={wire} seconds />)
  return [
    { key: 'msisdn', header: columns.msisdn, nowrap: true, cardTitle: true, cell: (row) => format.phone(row.msisdn) },
    { key: 'cli', header: columns.cli, nowrap: true, cell: (row) => row.cli },
    { key: 'submitTime', header: columns.submitTime, nowrap: true, cell: (row) => time(row.submitTime) },
    { key: 'deliveryTime', header: columns.deliveryTime, nowrap: true, cell: (row) => time(row.deliveryTime) },
    {
      key: 'deliveryStatus',
      header: columns.deliveryStatus,
      nowrap: true,
      card: 'status',
      cell: (row) => (
        <Status badge is={toneOf[row.deliveryStatus]}>
          {delivery[row.deliveryStatus]}
        </Status>
      ),
    },
    { key: 'row', header: columns.row, align: 'right', cell: (row) => format.count(row.row) },
    { key: 'segments', header: columns.segments, align: 'right', cell: (row) => format.count(row.segments) },
    {
      key: 'cost',
      header: columns.cost,
      align: 'right',
      cell: (row) => (row.cost === null ? '–' : format.rupees(row.cost)),
    },
    { key: 'reason', header: columns.reason, cell: (row) => (row.reason === null ? '–' : serverText(row.reason)) },
  ]
}
