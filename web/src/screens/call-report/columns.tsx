import { ownValue } from '@ghanti/contract/own-values.ts'
import type { CallRow } from '@ghanti/contract/call-report.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { deletedNumber } from '@ghanti/contract/phone.ts'
import { IconListDetails } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Column } from '../../components/table/DataTable.tsx'
import { RowMenu, type MenuAction } from '../../components/table/RowMenu.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { Status } from '../../components/ui/Status.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { chargedName } from '../../i18n/charged-name.ts'
import type { Format } from '../../i18n/format.ts'
import { serverText } from '../../i18n/language.ts'
import { askCallNow } from '../call-now/ask-call-now.ts'
import classes from './CallReport.module.css'
import { causeText } from './cause.ts'
import { keysText } from './keys.ts'
import { recordingActions } from './recording.ts'

type CallTexts = TextsOf<'callReport'>
/** `isOne`: within one campaign, whose file rows and attempts can be opened. */
export type CallContext = {
  t: CallTexts
  format: Format
  role: Role
  takeAction: string
  isOne: boolean
  go(path: string): void
}

type CallColumn = Column<CallRow>
const hiddenIf = (isHidden: boolean) => (isHidden ? ({ hidden: true } as const) : {})

function people({ t, format, role, isOne }: CallContext): CallColumn[] {
  const ofOthers = role !== 'user' && !isOne
  return [
    {
      key: 'customerNo',
      header: t.columns.customer,
      nowrap: true,
      cardTitle: true,
      cell: (row) =>
        row.customerNo === deletedNumber ? (
          format.phone(row.customerNo)
        ) : (
          <Link to={`/report?search=${row.customerNo}`} title={t.allCallsTo(format.phone(row.customerNo))}>
            <bdi>{format.phone(row.customerNo)}</bdi>
          </Link>
        ),
    },
    ...(ofOthers ? [{ key: 'username', header: t.columns.username, cell: (row: CallRow) => row.username }] : []),
    ...(isOne ? [] : [{ key: 'campaign', header: t.columns.campaign, card: 'line' as const, cell: campaignCell }]),
    {
      key: 'agentNo',
      header: t.columns.agent,
      nowrap: true,
      cell: (row) => agentCell(row, format),
    },
  ]
}

/** Who was talked to, or why the agent who was asked for was not. */
function agentCell({ agentNo, agentReason }: CallRow, format: Format) {
  if (agentNo !== null) return <bdi>{format.phone(agentNo)}</bdi>
  return agentReason === null ? '–' : <span className={classes.reason}>{serverText(agentReason)}</span>
}

/** A test call or Call Now has its own campaign, which has no page. */
function campaignCell({ campaignId, campaignName, kind }: CallRow) {
  return kind !== 'campaign' ? (
    chargedName(campaignName)
  ) : (
    <Link to={`/voice-campaign-summary/${campaignId}`}>{campaignName}</Link>
  )
}

function course({ t, format, isOne }: CallContext): CallColumn[] {
  const { attempts } = t
  const names: Readonly<Record<string, string>> = t.dispositions
  return [
    {
      key: 'start',
      header: t.columns.start,
      sortKey: 'attemptId',
      nowrap: true,
      card: 'line',
      cell: (row) => <NepalTime wire={row.startTime} seconds />,
    },
    {
      key: 'answer',
      header: attempts.answer,
      nowrap: true,
      hidden: true,
      cell: (row) => clock(row.answerTime, row, format),
    },
    { key: 'end', header: t.columns.end, nowrap: true, cell: (row) => clock(row.endTime, row, format) },
    {
      key: 'status',
      header: t.columns.status,
      nowrap: true,
      card: 'status',
      cell: ({ status, disposition }) => (
        <div>
          <Status is={status === 'Success' ? 'done' : 'neutral'}>{t.status[status]}</Status>
          {status === 'Fail' && <span className={classes.muted}>{ownValue(names, disposition) ?? disposition}</span>}
        </div>
      ),
    },
    {
      key: 'keys',
      header: attempts.keys,
      cell: (row) => (
        <div>
          <span translate="no">{keysText(row, t, format.digits) || '–'}</span>
          {row.keyNames !== '' && <span className={classes.muted}>{row.keyNames}</span>}
        </div>
      ),
    },
    {
      key: 'cause',
      header: attempts.cause,
      ...hiddenIf(!isOne),
      cell: (row) => <span translate="no">{causeText(row, attempts) || '–'}</span>,
    },
  ]
}

/** Only the time, because the start shows the day, unless the call lasted past midnight. */
function clock(time: string | null, { startTime }: CallRow, format: Format): string {
  if (time === null) return '–'
  return format.moment(time.slice(0, 10) === startTime.slice(0, 10) ? time.slice(11) : time)
}

function figures({ t: { attempts }, format, isOne }: CallContext): CallColumn[] {
  return [
    { key: 'seconds', header: attempts.seconds, align: 'right', cell: (row) => format.count(row.seconds) },
    { key: 'pulses', header: attempts.pulses, align: 'right', hidden: true, cell: (row) => format.count(row.pulses) },
    { key: 'cost', header: attempts.cost, align: 'right', cell: (row) => format.rupees(row.cost) },
    {
      key: 'row',
      header: attempts.row,
      align: 'right',
      card: 'more',
      ...hiddenIf(!isOne),
      cell: (row) => format.count(row.row),
    },
    {
      key: 'attempt',
      header: attempts.attempt,
      align: 'right',
      card: 'more',
      hidden: true,
      cell: (row) => format.count(row.attempt),
    },
  ]
}

function ways({ t, format, role, isOne }: CallContext): CallColumn[] {
  const { attempts } = t
  return [
    {
      key: 'cli',
      header: t.columns.cli,
      nowrap: true,
      hidden: true,
      cell: (row) => <bdi>{format.phone(row.cli)}</bdi>,
    },
    { key: 'operator', header: t.columns.operator, hidden: true, cell: (row) => t.operators[row.operator] },
    ...(role === 'superAdmin'
      ? [{ key: 'trunk', header: t.columns.trunk, hidden: true as const, cell: trunkText }]
      : []),
    ...(isOne
      ? []
      : [{ key: 'kind', header: t.columns.kind, hidden: true as const, cell: (row: CallRow) => t.kinds[row.kind] }]),
    {
      key: 'sms',
      header: attempts.sms,
      ...hiddenIf(!isOne),
      cell: (row) => row.sms.map((message) => smsText(message, attempts)).join('; ') || '–',
    },
    {
      key: 'attemptId',
      header: t.columns.attemptId,
      align: 'right',
      card: 'more',
      hidden: true,
      cell: (row) => row.callID,
    },
    { key: 'recordingId', header: t.columns.recordingId, hidden: true, cell: (row) => row.uuID ?? '–' },
  ]
}

/** 'NTC 1 → NTC 2': the trunks that were tried, the last one used last. */
const trunkText = ({ triedTrunks, trunkName }: CallRow): string =>
  trunkName === null ? '–' : [...triedTrunks, trunkName].join(' → ')

/** 'on success: sent, sms.example.com/…' */
function smsText({ occasion, key, state, reason, host }: CallRow['sms'][number], t: CallTexts['attempts']): string {
  const said = reason === null ? host : `${serverText(reason)}, ${host}`
  return `${t.smsOccasions[occasion]}${key === null ? '' : ` ${key}`}: ${t.smsStates[state]}, ${said}`
}

/** Only for the account that pays: it is charged by its plan. */
function callNowAction(row: CallRow, { t, format, role }: CallContext): MenuAction {
  return {
    label: t.callNow.action,
    disabledReason:
      role !== 'user' ? t.callNow.ownerAlone : row.customerNo === deletedNumber ? t.callNow.numberDeleted : undefined,
    onClick: () => askCallNow(row, format.phone(row.customerNo), t),
  }
}

function sipMessagesAction(row: CallRow, { t, go }: CallContext): MenuAction {
  return { label: t.sipMessages, icon: IconListDetails, onClick: () => go(`/sip-messages/call/${row.attemptId}`) }
}

/** The specification's columns first, then further ones. */
export function callColumns(context: CallContext): CallColumn[] {
  const { t, format, role, takeAction } = context
  return [
    ...people(context),
    ...course(context),
    ...figures(context),
    ...ways(context),
    {
      key: 'actions',
      header: t.columns.actions,
      pinned: true,
      controls: true,
      nowrap: true,
      cell: (row) => (
        <RowMenu
          label={takeAction}
          subject={`${format.phone(row.customerNo)}, ${format.moment(row.startTime)}`}
          actions={() => [
            ...recordingActions(row, context),
            callNowAction(row, context),
            ...(role === 'superAdmin' ? [sipMessagesAction(row, context)] : []),
          ]}
        />
      ),
    },
  ]
}

export function filterWords(t: CallTexts, role: Role) {
  const { filters } = t
  return {
    started: { label: filters.started },
    disposition: { label: filters.disposition, values: t.dispositions },
    key: { label: filters.key, values: keyNames },
    minSeconds: { label: filters.minSeconds },
    maxSeconds: { label: filters.maxSeconds },
    recorded: { label: filters.recorded, values: t.recorded },
    agentNo: { label: filters.agent, hint: filters.numberHint },
    operator: { label: filters.operator, values: t.operators },
    cli: { label: filters.cli, hint: filters.numberHint },
    ...(role === 'superAdmin' && { trunkId: { label: filters.trunk } }),
  }
}

const keyNames = Object.fromEntries(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*'].map((key) => [key, key]))
