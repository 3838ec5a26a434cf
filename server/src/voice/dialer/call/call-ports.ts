import type { AgentMissed, NotRecorded } from '../../../db/tables.ts'
import type { DialerConnection, HungUp, LiveChannel, Media } from '../../../drivers/telephony/driver.ts'
import type { TranscriptLine } from '../../../modules/test-calls/rules.ts'
import type { Call } from './call.ts'
import type { TakenAgent } from '../../model/campaigns/numbers.sql.ts'
import type { Claimed } from '../../model/campaigns/claim.sql.ts'
import type { CliOfTrunk } from '../../model/calls/plan.ts'
import type { SavedStep } from '../../settle/steps.sql.ts'

/** An attempt, as claimed or as found open after a takeover. */
export type Attempt = {
  id: number
  channelId: string
  rowNo: number
  number: string
  attemptNo: number
  congestions: number
  failures: number
  reservedPaisa: number
  /** Unix ms by the database's clock. */
  claimedAt: number
  cli: CliOfTrunk
  /** The operator whose trunks it may use. 0 where the campaign's rows have one cursor. */
  stream: number
  /** Trunks that were at fault before the present one, which is the last of them again when only its host is another. */
  tried: readonly number[]
  /** Hosts of the present trunk that were at fault. Of a call that was found open, nobody knows them. */
  notHosts: readonly string[]
  /** The sounds of the row's values, by the flow's spoken columns. */
  spoken: readonly Media[]
  /** Of a Call Now that was found open: the customer's telephone may have been rung. */
  customerCalled?: boolean
}

/** The agent's leg, or how it ended; `leg` null: there was none, or nobody knows. */
export type AgentSeen = { state: LiveChannel['state'] | 'gone'; leg: HungUp | null }

/** What the calls of a dialer ask of their session and report to it. */
export type CallPorts = {
  connection: DialerConnection
  ringMs(call: Call): number
  save(step: SavedStep): void
  /** Fires once, on the first ringing, early media or answer: the trunk works. */
  carried(call: Call): void
  ended(call: Call, end: CallEnd): void
  /** The call may have rung, and the dialer has to be asked what became of it. */
  unresolved(call: Call): void
  failed(call: Call, what: string, error: unknown): void
  /** Records what happens in a test call. */
  transcribe(call: Call, line: TranscriptLine): void
  /** Fires once, when a prompt of an answered call failed. */
  unheard(call: Call, reason: string): void
  /** Part of the legs' names, because an engine that adopts a call may count its steps from the start again. */
  epoch: number
  /** Whether a telephone may be rung now. False: the database does not show that the dialer is ours. */
  mayRing(): boolean
  /** Whether a second leg may begin now, also by the contract of the call's trunk. False: it may soon, and other calls leave it the next place. */
  mayBeginLeg(call: Call): boolean
  /** Takes a channel of trunk and dialer for a second leg. False: none is free. */
  takeLeg(call: Call, channelId: string): boolean
  /** The host of the call's trunk that did not carry a second leg, if another may be called. */
  failedHost(call: Call, end: HungUp): string | null
  freeLeg(call: Call, channelId: string): void
  /** Takes the agent's number, or says why it is not rung. */
  takeAgent(call: Call, number: string): Promise<TakenAgent>
  /** `counts`: the leg is one of the number's calls of the day. */
  freeAgent(call: Call, number: string, counts: boolean): Promise<void>
  /** Whether an agent's telephone was engaged, as the table of dispositions and the trunk's own rules say. */
  isBusy(call: Call, leg: HungUp): boolean
  /** Whether an agent's leg that ended is one of its number's calls of the day. `talkMs`: for how long both sides stayed. */
  legCounts(call: Call, leg: HungUp, talkMs: number): boolean
  /** For Call Now: whether the customer, whose number the claim took, may be rung. False: an earlier engine may have rung them. */
  takeCustomer(call: Call): Promise<boolean>
  /** Returns the attempt's reservation afterwards. Null: the account lacks the money. */
  extend(call: Call, paisa: number): Promise<number | null>
  /** Writes the recording down, before it begins. */
  recording(call: Call, recordingId: string): void
  /** The recording never began. */
  notRecorded(recordingId: string): void
  /** Whether the account may store another recording. Never rejects. */
  hasRoom(call: Call): Promise<boolean>
  /** What both sides must hear before they are recorded. Null: nothing; 'missing': the dialer cannot play it now. */
  notice(call: Call): Media | 'missing' | null
  /** Reports why a conversation is not recorded that should have been. */
  withheld(call: Call, why: NotRecorded): void
}

export type CallEnd = {
  leg: HungUp | null
  /** Why nothing was dialled. Null: the call was dialled. `error`: the fault is ours. */
  refused: { outcome: 'notSent' | 'trunkFault' | 'error'; reason: string } | null
  patchBillMs: number | null
  /** How the last leg beside the first ended. `unknown`: it may have rung. */
  beside: HungUp | 'unknown' | null
  keys: string
  /** What the callee heard and answered (callflow/trail.ts). Null: the end of the call was not reported. */
  trail: string | null
  agent: string | null
  agentMissed: AgentMissed | null
  /** The last leg that an agent's number was taken for is one of that number's calls of the day. */
  agentCounts: boolean
  recordingId: string | null
  /** A prompt failed before the customer talked to an agent. */
  unheard: boolean
  reservedPaisa: number
  /** The end comes from the dialer's record, so it says nothing about the trunk as it is now. */
  fromRecord: boolean
}

export function attemptOf(row: Claimed, of: Pick<Attempt, 'claimedAt' | 'cli' | 'stream' | 'spoken'>): Attempt {
  return {
    ...of,
    id: row.id,
    channelId: row.channel_id,
    rowNo: row.no,
    number: `+${row.phone}`,
    attemptNo: row.attempt_no,
    congestions: row.congestions,
    failures: row.failures,
    reservedPaisa: row.reserved_paisa,
    tried: [],
    notHosts: [],
  }
}
