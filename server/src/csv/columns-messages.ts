import type { UnapprovedRow } from '@ghanti/contract/sms-campaigns.ts'
import type { GatewayRow } from '@ghanti/contract/sms-gateways.ts'
import type { InboxAction, InboxRow } from '@ghanti/contract/sms-inbox.ts'
import type { RouteRow } from '@ghanti/contract/sms-routes.ts'
import { operatorLabel } from '@ghanti/contract/operators.ts'
import type { SenderRow } from '@ghanti/contract/sms-senders.ts'
import type { TextRow } from '@ghanti/contract/sms-texts.ts'
import type { Viewer } from '../policy.ts'
import { accountWords, approvalWords, type Columns } from './columns.ts'

export const unapprovedColumns: Columns<UnapprovedRow> = {
  'Mobile No.': (row) => row.msisdn,
  Message: (row) => row.smsText,
  Reason: (row) => row.reason,
  Row: (row) => row.row,
}

const drivers: Record<GatewayRow['driver'], string> = {
  simulator: 'Simulator (no message leaves)',
  smpp: 'SMPP',
  http: 'HTTP',
}
export const gatewayColumns: Columns<GatewayRow> = {
  Gateway: (row) => row.gatewayName,
  Kind: (row) => drivers[row.driver],
  Where: (row) => row.place ?? 'In this server',
  State: gatewayState,
  Unanswered: (row) => row.state?.windowUsed ?? null,
  'Unanswered at most': (row) => row.window,
  'Segments/s': (row) => row.state?.perSecond ?? null,
  'Segments/s at most': (row) => row.tps,
  Waiting: (row) => row.state?.waiting ?? null,
  Routes: (row) => row.routes,
  'Last error': (row) => row.state?.lastError ?? null,
  'Time of it': (row) => row.state?.lastErrorTime ?? null,
}

function gatewayState({ enabled, state }: GatewayRow): string {
  if (!enabled) return 'Disabled'
  if (!state) return 'No engine is connected to it'
  if (state.held !== null) return `On hold: ${state.held}`
  return state.bound ? 'Connected' : 'Not connected'
}

const inboxActionWords: Record<InboxAction, string> = {
  waiting: 'Not looked at yet',
  kept: 'Kept',
  optOut: 'Opted out',
  alreadyOut: 'Already on the blacklist',
  optIn: 'Opt-out taken back',
  notOut: 'No opt-out to take back',
  help: 'Asked for help',
}
export const inboxColumns = ({ role }: Viewer): Columns<InboxRow> => ({
  From: (row) => row.msisdn,
  Message: (row) => row.smsText,
  'What was done': (row) => inboxActionWords[row.action],
  'After campaign': (row) => row.campaignName ?? row.campaignId,
  ...(role !== 'user' && { Customer: (row: InboxRow) => row.username ?? 'Nobody had written to it' }),
  To: (row) => row.to,
  Received: (row) => row.receivedTime,
})

export const smsRouteColumns: Columns<RouteRow> = {
  Operators: ({ operators }) => operators.map((operator) => operatorLabel[operator]).join(', '),
  'Sender ID': (row) => row.cliName ?? 'All others',
  'Gateways in order': ({ steps }) =>
    steps.map((step) => `${step.priority}. ${step.gatewayName}, weight ${step.weight}`).join('; '),
}

export const senderColumns = ({ role }: Viewer): Columns<SenderRow> => ({
  'Sender ID': (row) => row.cliName,
  Status: (row) => approvalWords[row.cliStatus] ?? '',
  Reason: (row) => row.reason,
  Operators: ({ operators }) => operators.map((operator) => operatorLabel[operator]).join(', '),
  'Segments a second': (row) => row.tps,
  ...(role !== 'user' && {
    Customer: (row: SenderRow) => row.username,
    Company: (row: SenderRow) => row.company,
  }),
  Asked: (row) => row.askedAt,
})

export const textColumns = ({ role }: Viewer): Columns<TextRow> => ({
  Name: (row) => row.textName,
  Text: (row) => row.smsText,
  Status: (row) => approvalWords[row.textStatus] ?? '',
  Reason: (row) => row.reason,
  ...(role !== 'user' && {
    Customer: (row: TextRow) => row.username,
    Account: (row: TextRow) => accountWords[row.accountType] ?? '',
  }),
  Changed: (row) => row.changedAt,
})
