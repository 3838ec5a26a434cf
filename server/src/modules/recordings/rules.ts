import { nepalDayOf } from '@ghanti/contract/time.ts'
import type { AgentMissed, NotRecorded } from '../../db/tables.ts'

export type Conversation = {
  patch_bill_ms: number | null
  /** Why there was no conversation. Null: no agent was asked for. */
  agent_missed: AgentMissed | null
  /** Why it was not recorded although conversations are. Null: no reason was stored. */
  withheld: NotRecorded | null
  recording: string | null
  is_stored: boolean
  is_due: boolean
  /** It could not be fetched yet. */
  is_late: boolean
  is_given_up: boolean
  is_old: boolean
  /** When it was removed, and after how many days. Without days, somebody deleted it. */
  removed_at: Date | null
  removed_after: number | null
}

function removedOn(at: Date, afterDays: number | null): string {
  return afterDays === null ? silence.deleted(nepalDayOf(at)) : silence.removed(nepalDayOf(at), afterDays)
}

export const tooManyDays = (most: number) => `must not be more than ${most}: the platform keeps them no longer`

/** Why there is nothing to hear. Null: there is a recording. */
export function whySilent(of: Conversation, keptDays: number): string | null {
  if (of.is_stored) return null
  if (of.patch_bill_ms === null) return of.agent_missed === null ? silence.noAgent : silence[of.agent_missed]
  if (of.recording === null) return of.withheld === null ? silence.notRecorded : silence[of.withheld]
  if (of.removed_at !== null) return removedOn(of.removed_at, of.removed_after)
  if (of.is_given_up) return silence.givenUp
  if (of.is_late) return silence.late
  if (of.is_due) return silence.coming
  return of.is_old ? silence.old(keptDays) : silence.lost
}

export const silence = {
  noAgent: 'no agent was talked to',
  noChannel: 'no channel was free for the call to the agent',
  notFree: 'no agent was free',
  busy: 'agent busy',
  notReached: 'the agent did not answer',
  blacklisted: 'the agent’s number is on a blacklist',
  calledOften: 'the agent’s number has had all the calls that it may have in a day',
  noMoney: 'there was no money for the call to the agent',
  notRecorded: 'the conversation was not recorded',
  noRoom: 'the conversation was not recorded: the recordings of the account have taken all the room that they may take',
  noNotice: 'the conversation was not recorded: the notice before it could not be played to its end',
  coming: 'the recording is being fetched from the dialer',
  late: 'the recording could not be fetched from the dialer yet; it will be tried again',
  givenUp: 'the recording could not be fetched from the dialer; it will not be tried again',
  old: (days: number) => `recordings are kept for ${days} ${days === 1 ? 'day' : 'days'}`,
  removed: (day: string, days: number) =>
    `the recording was removed on ${day}, after ${days} ${days === 1 ? 'day' : 'days'}`,
  deleted: (day: string) => `the recording was deleted on ${day}`,
  fileGone: 'is gone: its file is not stored any more',
  lost: 'the recording was lost',
}
