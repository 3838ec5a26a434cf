import type { RowOf } from '@ghanti/contract/route.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useList } from '../../components/table/use-list.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { causeText } from './cause.ts'
import { keysText, type CampaignDetail } from './detail.ts'

const { attempts: route } = voiceCampaignRoutes
type AttemptRow = RowOf<typeof route>

const columns = (texts: TextsOf<'voiceCampaigns'>, format: Format): Column<AttemptRow>[] => {
  const { attempts: t, outcomes } = texts
  const names: Readonly<Record<string, string>> = outcomes.names
  return [
    { key: 'row', header: t.row, align: 'right', cell: (a) => format.count(a.row) },
    { key: 'mobile', header: t.mobile, nowrap: true, cardTitle: true, cell: (a) => format.phone(a.mobile) },
    { key: 'attempt', header: t.attempt, align: 'right', cell: (a) => format.count(a.attempt) },
    {
      key: 'disposition',
      header: t.disposition,
      nowrap: true,
      card: 'status',
      cell: (a) => names[a.disposition] ?? a.disposition,
    },
    { key: 'keys', header: t.keys, cell: (a) => keysText(a, texts, format.digits) || '–' },
    { key: 'start', header: t.start, nowrap: true, cell: (a) => <NepalTime wire={a.startTime} seconds /> },
    { key: 'answer', header: t.answer, nowrap: true, cell: (a) => clock(a.answerTime, a, format) },
    { key: 'end', header: t.end, nowrap: true, cell: (a) => clock(a.endTime, a, format) },
    { key: 'seconds', header: t.seconds, align: 'right', cell: (a) => format.count(a.seconds) },
    { key: 'pulses', header: t.pulses, align: 'right', cell: (a) => format.count(a.pulses) },
    { key: 'cost', header: t.cost, align: 'right', cell: (a) => format.rupees(a.cost) },
    { key: 'agent', header: t.agent, nowrap: true, cell: (a) => (a.agent === null ? '–' : format.phone(a.agent)) },
    { key: 'cause', header: t.cause, cell: (a) => causeText(a, t) || '–' },
    { key: 'sms', header: t.sms, cell: (a) => a.sms.map((message) => smsText(message, t)).join('; ') || '–' },
  ]
}

/** 'on success: sent, sms.example.com/…' */
function smsText(
  { occasion, state, reason, host }: AttemptRow['sms'][number],
  t: TextsOf<'voiceCampaigns'>['attempts'],
) {
  const said = reason === null ? host : `${serverText(reason)}, ${host}`
  return `${t.smsOccasions[occasion]}: ${t.smsStates[state]}, ${said}`
}

/** The day stands at the start already, unless the call went on past midnight. */
function clock(time: string | null, { startTime }: AttemptRow, format: Format): string {
  if (time === null) return '–'
  return format.moment(time.slice(0, 10) === startTime.slice(0, 10) ? time.slice(11) : time)
}

/** Every ended call, paged and filtered by the server. New ones come when asked for: the rows under one's eyes stay where they are. */
export default function Attempts({ detail }: { detail: CampaignDetail }) {
  const t = useTexts('voiceCampaigns')
  const format = useFormat()
  const { campaignId, attempts } = detail
  const list = useList(route, { campaignId })
  const shown = useMemo(() => columns(t, format), [t, format])
  // The attempts that there were when these rows were read.
  const [read, setRead] = useState({ rows: list.rows, attempts })
  if (read.rows !== list.rows) setRead({ rows: list.rows, attempts })
  return (
    <DataTable
      isScreen={false}
      title={t.detail.attempts}
      subtitle={t.attempts.subtitle(format.count(attempts))}
      columns={shown}
      name="attempts"
      rowId={(row) => row.attemptId}
      list={list}
      empty={<p>{t.attempts.empty}</p>}
      filters={{
        disposition: { label: t.attempts.disposition, values: t.outcomes.names },
        started: { label: t.filterLabels.started },
      }}
      tools={
        read.attempts !== attempts && (
          <Button variant="light" onClick={list.refetch}>
            {t.attempts.fresh}
          </Button>
        )
      }
    />
  )
}
