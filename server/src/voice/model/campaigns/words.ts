import { accountWords } from '../../../dispatch/stopped-account.ts'
import { clockOf, startWords, triedAgain } from '../../../modules/platform/rules-words.ts'

/** The reasons why a campaign does not dial, as people read them. */
export const words = {
  ...startWords,
  settling: (calls: number) => `waiting for ${calls} ${calls === 1 ? 'call' : 'calls'} to settle`,
  affordable: (reservePaisa: number, freePaisa: number) =>
    `${startWords.lowBalance(reservePaisa, freePaisa)}: resume it to go on`,
  channelsBusy: (channels: number, whose: string) => `all ${channels} channels of ${whose} are busy`,
  channelsKept: (whose: string) => `the free channels of ${whose} are kept for calls to agents`,
  contractRate: (cps: number, contract: string) =>
    `all ${cps} ${cps === 1 ? 'call' : 'calls'} a second of contract ${contract} are taken`,
  mayNotShow: (trunk: string, what: string) => `trunk ${trunk} may not show ${what}`,
  groupInactive: (group: string) => `no caller ID of group ${group} is active`,
  nextRetry: (at: Date, now: Date) => `next retry ${clockOf(at, now)}`,
  numberBusy: 'another call to this number is under way',
  calledToday: (calls: number, at: Date, now: Date) =>
    `this number was called ${calls} ${calls === 1 ? 'time' : 'times'} today: it may be called again from ${clockOf(at, now)}`,
  cappedToday: (at: Date, now: Date) =>
    `most of its numbers were called as often today as they may be: they may be called again from ${clockOf(at, now)}`,
  counting: 'the calls of today are being counted again after a crash of the database',
  ...accountWords,
  dialerRemoved: (name: string) => `dialer ${name} was removed`,
  givenUp: (name: string) => `dialer ${name} was given up: calls begin again when it answers`,
  operatorTakes: (trunk: string, asked: number, takes: number) =>
    `trunk ${trunk}: asked for ${asked}/s, operator takes ${takes}/s`,
  trunkRefuses: (calls: number, customers: number, cause: string) =>
    `the last ${calls} calls of ${customers} customers were all refused alike: ${cause}`,
  testNumberFails: (reason: string) => `its test number fails as its calls do: ${reason}`,
  refusedAlike: (calls: number, cause: string) => `its last ${calls} calls were all refused alike: ${cause}`,
  onHoldUntil: (reason: string, probeAt: Date, now: Date) => `${reason}; ${triedAgain(probeAt, now)}`,
  refusedBefore: 'its calls were refused alike before',
  ofOperator: (operator: string, reason: string) => `numbers of ${operator}: ${reason}`,
  onDialer: (dialer: string, reason: string) => `on dialer ${dialer}: ${reason}`,
  noEngine: (dialer: string) => `no engine serves dialer ${dialer}`,
  noTrunkForLeft: (dialer: string) => `dialer ${dialer} has no trunk for the numbers that are left`,
  goesOver: (dialers: readonly string[], reason: string) =>
    `calls go over ${dialers.length === 1 ? 'dialer' : 'dialers'} ${dialers.join(', ')}; ${reason}`,
  trunkGone: 'its trunk was removed',
  trunkSettingUp: (name: string, dialer: string) => `trunk ${name} is being set up on dialer ${dialer}`,
  overloaded: 'the server is busy, calls wait',
  dialerSlow: (name: string, answersInMs: number, callsPerSecond: number) =>
    `dialer ${name} answers in ${answersInMs} ms: at most ${callsPerSecond} ${callsPerSecond === 1 ? 'call' : 'calls'} a second`,
  promptFault: (prompt: string, dialer: string, reason: string, retryAt: Date, now: Date) =>
    `prompt ${prompt} cannot be played on dialer ${dialer}: ${reason}; ${triedAgain(retryAt, now)}`,
  promptsPending: 'its prompts are being brought to the dialer',
  promptGone: (names: string) => `a prompt of the campaign is gone: ${names}`,
  speechGone: (values: number) =>
    `the sound of ${values.toLocaleString('en')} spoken ${values === 1 ? 'value' : 'values'} is not kept any more: compose it again`,
  speechDown: (reason: string, retryAt: Date, now: Date) =>
    `the speech engine does not answer: ${reason}; ${triedAgain(retryAt, now)}`,
  valuesUnspoken: (why: string) => `its values ${why}`,
  lost: (calls: number) =>
    `${calls} ${calls === 1 ? 'call was' : 'calls were'} lost: nobody knows how they ended; a retry calls them again`,
  expiring: 'its last day is over',
  notAfter: 'the time after which it begins no calls has come',
  callNowLate: 'the call could not be made within a minute',
  testLate: 'the call could not be made within ten minutes',
  requeueing: 'rows are queued for the retry',
}
