import { rupeesText } from '@ghanti/contract/money.ts'
import { accountWords } from '../../dispatch/stopped-account.ts'
import { clockOf } from '../../modules/platform/rules-words.ts'

/** Why a campaign sends nothing, and why messages ended other than by the telephone. */
export const words = {
  outsideHours: (opensAt: Date | null, now: Date) =>
    opensAt
      ? `outside messaging hours, sends from ${clockOf(opensAt, now)}`
      : 'outside messaging hours: no messaging day is set within a year',
  blocked: (what: string, reason: string) => `all messages ${what} are stopped by the administrator: ${reason}`,
  settling: (messages: number) => `waiting for ${messages} ${messages === 1 ? 'message' : 'messages'} to settle`,
  lowBalance: (needPaisa: number, freePaisa: number) =>
    `the next message costs ${rupees(needPaisa)}, you have ${rupees(freePaisa)}`,
  affordable: (needPaisa: number, freePaisa: number) =>
    `the next message costs ${rupees(needPaisa)}, you have ${rupees(freePaisa)}: resume it to go on`,
  nextSending: (at: Date, now: Date) => `the next messages leave at ${clockOf(at, now)}`,
  hadToday: (messages: number, at: Date, now: Date) =>
    `this number had ${messages} ${messages === 1 ? 'message' : 'messages'} today: it may have more from ${clockOf(at, now)}`,
  noRoute: (operator: string) => `no gateway takes messages to ${operator}`,
  gatewayDown: (name: string, reason: string) => `gateway ${name} cannot send: ${reason}`,
  gatewayAway: (name: string) => `gateway ${name} is not connected`,
  gatewayDisabled: (name: string) => `gateway ${name} is disabled`,
  senderGone: (sender: string, operator: string) => `sender ID ${sender} is not approved for ${operator} any more`,
  ...accountWords,
  unapproved: (rows: number) =>
    rows === 1
      ? 'one row waits for an administrator to approve its columns'
      : `${rows} rows wait for an administrator to approve their columns`,
  lastDayOver: 'its last day is over',
  notAfter: 'the time after which it sends no messages has come',
  notSent: 'it was not sent by the last day of the campaign',
  notSentInTime: 'it was not sent before the time after which its campaign sends none',
  noCallYet: 'its messages leave as its calls end',
  callsStopped: 'its calls were stopped',
  late: 'it was not sent within its time',
  stoppedUnsent: 'it was stopped before it was sent',
  requeueing: 'messages are queued for the retry',
  cutOff: 'the server was cut off while it was being sent',
  noReceipt: 'no receipt said within 72 hours what became of it',
  faulty: (times: number, reason: string) => `${times} faults in a row: ${reason}`,
} as const

function rupees(paisa: number): string {
  return `Rs ${rupeesText(paisa)}`
}
