import { ownValue } from '@ghanti/contract/own-values.ts'
import type { BlacklistRow } from '@ghanti/contract/blacklist.ts'
import type { CallRouteRow } from '@ghanti/contract/call-routes.ts'
import type { ContractRow } from '@ghanti/contract/contracts.ts'
import type { DialerRow } from '@ghanti/contract/dialers.ts'
import { operatorLabel } from '@ghanti/contract/operators.ts'
import { callCost, type PlanRow } from '@ghanti/contract/plans.ts'
import type { PromptRow } from '@ghanti/contract/prompts.ts'
import type { RepeatDay } from '@ghanti/contract/repeats.ts'
import type { TrunkDispositionRow } from '@ghanti/contract/trunk-dispositions.ts'
import type { TrunkRow } from '@ghanti/contract/trunks.ts'
import type { VoicePackRow } from '@ghanti/contract/voices.ts'
import type { Viewer } from '../policy.ts'
import { accountWords, approvalWords, type Columns } from './columns.ts'

const exampleSeconds = 65
const secondsOf = (ms: number) => Math.round(ms / 100) / 10

const categories: Readonly<Record<string, string>> = {
  welcome: 'Welcome',
  menu: 'Menu',
  noinput: 'No input',
  wronginput: 'Wrong input',
  thanks: 'Thanks',
  optin: 'Opt in',
  optout: 'Opt out',
  action: 'Action',
}
const languages: Record<VoicePackRow['language'], string> = { ne: 'Nepali', en: 'English' }

/** `withOwner`: the list is of several accounts. */
export const promptColumns = (withOwner: boolean): Columns<PromptRow> => ({
  'File Name': (row) => row.fileName,
  'File Type': (row) => ownValue(categories, row.promptCategory) ?? row.promptCategory,
  Status: (row) => approvalWords[row.promptStatus] ?? '',
  Reason: (row) => row.rejectReason,
  Account: (row) => accountWords[row.accountType] ?? '',
  ...(withOwner && { 'Uploaded By': (row: PromptRow) => row.username }),
  'Length(s)': (row) => secondsOf(row.durationMs),
  Uploaded: (row) => row.uploadedAt,
})

export const voicePackColumns = ({ role }: Viewer): Columns<VoicePackRow> => ({
  Name: (row) => row.name,
  Language: (row) => languages[row.language],
  ...(role !== 'user' && { Owner: (row: VoicePackRow) => row.username ?? 'The platform' }),
  'Approved words': (row) => row.approvedWords,
  'All words': (row) => row.allWords,
  Waiting: (row) => row.pendingWords,
  Reason: (row) => row.rejectReason,
  Created: (row) => row.createdAt,
})

export const blacklistColumns: Columns<BlacklistRow> = {
  Mobile: (row) => row.mobile,
  Date: (row) => row.reqDate,
}

export const planColumns = ({ role }: Viewer): Columns<PlanRow> => ({
  'Plan Name': (row) => row.planName,
  'Pulse(s)': (row) => row.pulseDuration,
  'Pulse Price(paisa)': (row) => row.pulsePrice,
  'A call of 65 s(Rs)': ({ pulseDuration, pulsePrice }) =>
    callCost({ pulseMs: pulseDuration * 1000, pulsePaisa: pulsePrice }, exampleSeconds),
  'SMS Price(paisa)': (row) => row.smsPrice ?? 'the platform’s price',
  Accounts: (row) => row.usedBy,
  ...(role === 'superAdmin' && { 'Created By': (row: PlanRow) => row.username }),
  Status: (row) => (row.planStatus === 1 ? 'Enabled' : 'Disabled'),
})

export const dialerColumns: Columns<DialerRow> = {
  'Dialer Name': (row) => row.dialerName,
  ID: (row) => row.dialerId,
  'Dialer IP': (row) => row.dialerIP,
  Port: (row) => row.dialerPort,
  'Active CLIs': (row) => row.activeCli,
  Calls: (row) => row.dialerCalls,
  Channels: (row) => row.channelReduction ?? row.totalChannels,
  'Channels in use': (row) => row.state?.channelsUsed ?? null,
  CPS: (row) => row.cpsReduction ?? row.cps,
  'CPS now': (row) => row.state?.callsPerSecond ?? null,
  State: dialerState,
  Engine: (row) => row.state?.engineName ?? null,
  'Last failure': (row) => row.state?.lastFailure?.reason ?? null,
}

function dialerState({ givenUp, state }: DialerRow): string {
  if (givenUp) return `Given up: ${givenUp.reason}`
  if (!state) return noEngine
  if (state.reachable) return 'Reachable'
  return state.reason === null ? 'Out of reach' : `Out of reach: ${state.reason}`
}
const noEngine = 'No engine holds it'

export const trunkColumns: Columns<TrunkRow> = {
  'Trunk Name': (row) => row.trunkName,
  ID: (row) => row.trunkId,
  'Pilot Number': (row) => row.pilotNumber,
  Dialer: (row) => row.dialerName,
  'Active CLIs': (row) => row.activeCli,
  Channels: (row) => row.channels,
  'Channels in use': (row) => row.state?.channelsUsed ?? null,
  CPS: (row) => row.cps,
  'CPS now': (row) => row.state?.callsPerSecond ?? null,
  State: ({ state }) => trunkState(state),
  Answered: (row) => row.state?.recent.answered ?? null,
  'Of the last calls': (row) => row.state?.recent.calls ?? null,
  'Last failure': (row) => row.state?.lastFailure?.reason ?? null,
}

/** The worst known problem wins, as on screen. */
function trunkState(state: TrunkRow['state']): string {
  if (!state) return noEngine
  if (state.unusable) return `Cannot be used: ${state.unusable}`
  if (state.held) return `On hold: ${state.held.reason}`
  if (state.registered === 'rejected') return 'Registration refused'
  if (state.reachable === null) return 'Not known yet'
  return state.reachable ? 'Reachable' : 'Out of reach'
}

const signs: Record<TrunkDispositionRow['sign'], string> = {
  good: 'carried the call',
  congested: 'has no room: fewer calls a second',
  fault: 'did not carry the call',
  broken: 'carries no call until it is repaired',
  refusal: 'may be refusing: too many are a fault',
}
export const dispositionColumns: Columns<TrunkDispositionRow> = {
  Code: ({ sipStatus, q850Cause }) =>
    [sipStatus && `SIP ${sipStatus}`, q850Cause && `Cause ${q850Cause}`].filter(Boolean).join(', '),
  'The call counts as': (row) => row.disposition,
  'And the trunk': (row) => signs[row.sign],
}

export const callRouteColumns: Columns<CallRouteRow> = {
  'Route Name': (row) => row.routeName,
  Dialer: (row) => row.dialerName,
  'Trunks in order': ({ steps, dialerName: dialers }) =>
    steps
      .map(({ priority, trunkName, dialerName, weight, costPaisa, operators }) => {
        const trunk = dialerName === dialers ? trunkName : `${trunkName} (${dialerName})`
        const whose = operators.map((operator) => `, ${operatorLabel[operator]}`).join('')
        return `${priority}. ${trunk}, weight ${weight}, ${costPaisa} paisa a minute${whose}`
      })
      .join('; '),
  'Caller IDs': (row) => row.cliCount,
}

export const contractColumns: Columns<ContractRow> = {
  'Contract Name': (row) => row.contractName,
  Channels: (row) => row.channels,
  CPS: (row) => row.cps,
  'Channels in use': (row) => row.channelsUsed,
  'Calls a second now': (row) => row.callsPerSecond,
  Trunks: ({ trunks }) => trunks.map(({ trunkName, dialerName }) => `${trunkName} (${dialerName})`).join('; '),
}

const outcomes: Record<RepeatDay['outcome'], string> = {
  composed: 'Composed',
  nobody: 'Nobody is due',
  missed: 'Missed',
  failed: 'Failed',
}

export const repeatDayColumns: Columns<RepeatDay> = {
  Day: (row) => row.day,
  Outcome: (row) => outcomes[row.outcome],
  Campaign: (row) => row.campaignName,
  'Rows Due': (row) => row.rows,
  Reason: (row) => row.reasons.map(({ field, text }) => `${field} ${text}`).join('; ') || null,
}
