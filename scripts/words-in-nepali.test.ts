import { expect, test } from 'vitest'
import { campaignStatuses } from '@ghanti/contract/campaign-status.ts'
import { readValue } from '@ghanti/callflow/speech/read.ts'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { whyNotDialable } from '@ghanti/contract/phone.ts'
import type { SpokenKind } from '@ghanti/contract/templates.ts'
import { faultOf } from '../server/src/lib/trunk-failure.ts'
import { testWords } from '../server/src/engine/trunks/trunk-test-words.ts'
import { words } from '../server/src/engine/schedule/words.ts'
import { demoOnlyHere, needsTls } from '../server/src/modules/dialers/rules-address.ts'
import { namesOf } from '../server/src/lib/list-of-names.ts'
import { ContactValidator } from '../server/src/modules/contacts/rules.ts'
import { allocationProblems } from '../server/src/modules/lines/rules.ts'
import { CliFileValidator } from '../server/src/modules/lines/rules-file.ts'
import { added, moreThanFree, takenBack } from '../server/src/modules/credits/rules.ts'
import { givingFault, holdersOf } from '../server/src/modules/plans/rules.ts'
import { whyTooCheap } from '../contract/src/plans.ts'
import { reportLimit, tooMuchAMinute, tooMuchAtOnce, workLimits } from '../server/src/modules/limits/rules.ts'
import { disabledAbove } from '../server/src/modules/auth/rules.ts'
import { defaultQuotas } from '../contract/src/quotas.ts'
import { overQuota } from '../server/src/modules/quotas/rules.ts'
import { noSuchList, tooMany } from '../server/src/modules/saved-views/rules.ts'
import { silence, tooManyDays } from '../server/src/modules/recordings/rules.ts'
import {
  changeable,
  channelsChanged,
  hasCampaigns,
  hasChildren,
  hasReserved,
  lastSuperAdmin,
  notYourChild,
  passwordWasReset,
  tooFewChannels,
  tooManyChannels,
  typeHasCampaigns,
  typeHasChildren,
} from '../server/src/modules/users/rules.ts'
import { provenWords } from '../server/src/modules/voice-campaigns/rules.ts'
import { administratorsReason, refusal } from '../server/src/modules/campaigns/rules.ts'
import { columnProblems } from '../server/src/modules/sms-campaigns/rules.ts'

/** Names are the people's own and stay: here Nepali ones, so that every letter left is English of ours. */
const name = 'हिमाल'
const now = new Date('2026-11-20T06:15:00Z')
const [inHours, inDays] = [new Date('2026-11-20T09:15:00Z'), new Date('2026-11-23T02:00:00Z')]

const engine: Record<keyof typeof words, string[]> = {
  outsideHours: [words.outsideHours(inHours, now), words.outsideHours(inDays, now), words.outsideHours(null, now)],
  blocked: ['of the platform', `of dialer ${name}`, `of trunk ${name}`, 'of its trunk', 'of the account'].map((what) =>
    words.blocked(what, name),
  ),
  settling: [words.settling(1), words.settling(12)],
  lowBalance: [words.lowBalance(150, 20)],
  affordable: [words.affordable(150, 2_000_000)],
  mayNotShow: ['caller ID 015970001', `caller ID group ${name}`].map((what) => words.mayNotShow(name, what)),
  groupInactive: [words.groupInactive(name)],
  channelsKept: [words.channelsKept(`trunk ${name}`)],
  channelsBusy: ['dialer', 'trunk', 'contract'].map((kind) => words.channelsBusy(30, `${kind} ${name}`)),
  contractRate: [words.contractRate(1, name), words.contractRate(30, name)],
  accountsBusy: [words.accountsBusy],
  numberBusy: [words.numberBusy],
  cappedToday: [words.cappedToday(inDays, now)],
  calledToday: [words.calledToday(1, inHours, now), words.calledToday(3, inDays, now)],
  ...{ callNowLate: [words.callNowLate], counting: [words.counting] },
  nextRetry: [words.nextRetry(inHours, now), words.nextRetry(inDays, now)],
  ...{ expired: [words.expired], disabledAbove: [words.disabledAbove] },
  disabled: [words.disabled(null), words.disabled(name)],
  dialerDown: ['it is being connected', 'the connection was lost'].map((why) => words.dialerDown(name, why)),
  dialerRemoved: [words.dialerRemoved(name)],
  givenUp: [words.givenUp(name)],
  trunkHeld: [
    'it was on hold before',
    '401: it wants other credentials',
    '10 calls running failed: 503: it takes no calls now',
    '30 of the last 50 calls failed: cause 38',
    '40 of the last 50 calls were refused: no cause was given',
  ].flatMap((why) => [words.trunkHeld(name, why, inHours, now), words.trunkHeld(name, why, now, now)]),
  operatorTakes: [words.operatorTakes(name, 10, 5), words.operatorTakes(name, 10, 0.5)],
  trunkRefuses: ['SIP 404', 'cause 1'].map((cause) => words.trunkRefuses(10, 2, cause)),
  testNumberFails: [words.testNumberFails(words.refusedAlike(10, 'SIP 404'))],
  refusedAlike: [words.refusedAlike(10, 'SIP 404')],
  heldUntil: [
    words.refusedAlike(10, 'SIP 404'),
    words.refusedBefore,
    '16 of the last 20 calls were refused: SIP 603',
  ].map((why) => words.heldUntil(why, inHours, now)),
  refusedBefore: [words.refusedBefore],
  ofOperator: [['Ncell', 'other operators'].map((whose) => words.ofOperator(whose, words.trunkGone)).join('; ')],
  onDialer: [[name, name].map((one) => words.onDialer(one, words.trunkGone)).join('; ')],
  ...{ noEngine: [words.noEngine(name)], noTrunkForLeft: [words.noTrunkForLeft(name)] },
  goesOver: [words.goesOver([name], words.overloaded), words.goesOver([name, name], words.overloaded)],
  trunkGone: [words.trunkGone],
  trunkUnusable: [
    'it has no SIP host',
    `DNS does not know its host ${name}`,
    `DNS does not know its host ${name}, only this machine's own list does: a dialer asks DNS alone, so enter its address`,
    `DNS does not answer for its host ${name} (ETIMEOUT)`,
    'the dialer has no transport for TLS (transport-tls in its pjsip.conf)',
    'the dialer has no client certificate 7 (transport-tls-7 in its pjsip.conf)',
    `the dialer does not take its settings: ${name}`,
    `its host cannot be one: ${name}`,
    'its port cannot be one: 0',
    `its user cannot be one: ${name}`,
    'its codecs cannot be: none',
    'it is to register, but user or secret is missing',
  ].map((why) => words.trunkUnusable(name, why)),
  trunkSettingUp: [words.trunkSettingUp(name, name)],
  overloaded: [words.overloaded],
  dialerSlow: [words.dialerSlow(name, 240, 8), words.dialerSlow(name, 900, 1)],
  noRate: [`dialer ${name}`, `trunk ${name}`, 'caller ID 015970001', 'the account'].map((whose) => words.noRate(whose)),
  promptGone: [words.promptGone(name)],
  speechGone: [words.speechGone(1), words.speechGone(1200)],
  speechDown: [
    'it takes too long',
    'it answers 503',
    'its answer is not a wav file',
    'it is being stopped',
    'it cannot be reached',
    'its answer has more than 12000000 bytes',
    `voice pack '${name}' has just changed`,
  ].map((why) => words.speechDown(why, inHours, now)),
  promptFault: [
    'the dialer could not play it',
    'the dialer could not fetch it within 15 s',
    'its file is not there',
    `it could not be brought to the dialer: ${name}`,
    'it could not be brought to the dialer: its file is damaged',
    'its sound is lost: its file is not there',
    'its sound is lost: the voice that said it is not there any more',
    'its sound is lost: speaking it again fails: it would be longer now',
    'its sound is lost: the speech engine does not answer: it takes too long',
  ].map((why) => words.promptFault(name, name, why, inHours, now)),
  promptsComing: [words.promptsComing],
  lost: [words.lost(1), words.lost(12)],
  testLate: [words.testLate],
  notAfter: [words.notAfter],
  expiring: [words.expiring],
  requeueing: [words.requeueing],
}

const ends = ['SIP 486', 'cause 17', 'no cause was given', 'the ringing time is over', 'nothing was heard of the call']
const ofTests: Record<keyof typeof testWords, string[]> = {
  gone: [testWords.gone],
  dialerDown: [testWords.dialerDown(null), testWords.dialerDown('it is being connected')],
  letGo: [testWords.letGo],
  noChannel: [testWords.noChannel],
  numberBusy: [testWords.numberBusy],
  noTurn: [testWords.noTurn],
  reachable: [testWords.reachable(null), testWords.reachable(12)],
  unreachable: [testWords.unreachable(`trunk ${name} does not answer`)],
  ringing: [testWords.ringing],
  answered: [testWords.answered],
  spoke: [testWords.spoke(3200, 5000)],
  busy: ends.map(testWords.busy),
  noAnswer: ends.map(testWords.noAnswer),
  invalid: ends.map(testWords.invalid),
  rejected: ends.map(testWords.rejected),
  failed: [...ends, `trunk ${name} is unreachable`].map(testWords.failed),
  unknown: [testWords.unknown],
}
const end = { endedBy: 'network', sipStatus: null, cause: null, alerted: false } as const
const faults = [
  ...[401, 403, 407, 408, 488, 500, 502, 503].map((sipStatus) => ({ ...end, sipStatus })),
  ...[3, 18, 34, 38, 41, 42, 47, 58, 88, 102].map((cause) => ({ ...end, cause })),
  { ...end, endedBy: 'ringTimeout' as const },
].map((one) => faultOf(one) ?? 'it is no fault')

const actions = ['pause', 'stop', 'resume', 'retry'] as const
const states = campaignStatuses.flatMap((status) =>
  (['user', 'reseller'] as const).flatMap((role) =>
    ([null, 'administrator'] as const).flatMap((holdCause) =>
      actions.map((action) => refusal(action, { name, status, holdCause, isRetry: false }, role)),
    ),
  ),
)

const used = { ...defaultQuotas, bytes: 499_950_000, recordingBytes: 0, rows: 2_999_000 }
const quotaKinds = ['bytes', 'rows', 'campaigns', 'prompts', 'blacklist'] as const

const validator = new ContactValidator([], ',')
const rows = [
  ['mobile', name],
  ['9812345678'],
  ['9812345678'],
  ['9812345678', 'क'.repeat(10_001)],
  Array(101).fill('9812345679'),
]
const rowReasons = rows.flatMap((cells, line) => {
  const row = validator.validate(cells, line)
  return row && 'reason' in row ? [row.reason] : []
})
const unread: Record<SpokenKind, string[]> = {
  amount: ['', '1,000', '1.234', '9999999999'],
  date: ['31/02/2026', '2026', '2095-01-01'],
  month: ['13'],
  token: ['A-1', '1'.repeat(21)],
  name: ['A1', 'a,b', 'क'.repeat(41), 'a b c d e f'],
  service: ['1234', '12 34 5 a', '?'],
}
const kinds = Object.keys(unread) as SpokenKind[]
const readings = kinds.flatMap((kind) =>
  unread[kind].map((text) => {
    const reading = readValue(kind, text)
    return reading.ok ? 'it can be read' : `${name} ${reading.why}`
  }),
)
const unspeakable = [
  'nothing is heard of it',
  'it is longer than 1000 characters',
  'the speech engine answers 422',
  `voice pack '${name}' lacks a word of it`,
].map((why) => `${name} cannot be spoken: ${why}`)
const sold = { name, enabled: true, segmentPaisa: 150 }
const price = (pulseMs = 30_000, pulsePaisa = 50) => ({ ...sold, pulseMs, pulsePaisa })
const giving = { plan: price(), held: false, own: null, below: [] }
const planFaults = [
  { ...giving, plan: undefined },
  { ...giving, plan: { ...price(), enabled: false } },
  { ...giving, own: 'none' as const },
  { ...giving, own: price(30_000, 60) },
  { ...giving, own: { ...price(), segmentPaisa: 160 } },
  { ...giving, below: [{ username: name, plan: price(60_000, 90) }] },
  { ...giving, below: [{ username: name, plan: { ...price(), segmentPaisa: 140 } }] },
].map((one) => givingFault(one)?.text ?? 'it is no fault')
const numbers = ['', '9.84E+09', 'abc', '12?4', '+14155550100', '98123', '981234567890123', '59700012', '1234567890']

const linesOfFile = new CliFileValidator()
const lines = [
  ['15970001'],
  ['abc'],
  ['015970001', '0'],
  ['015970001'],
  ['01-5970001'],
  ['015970002', '3', 'क'.repeat(101)],
]
lines.forEach((cells, n) => linesOfFile.validate(cells, n + 1))
const holding = { cliId: 1, accountId: 2, username: name, givenBy: 1, ofPlatform: true }
const allocating = [
  allocationProblems([], {
    giver: { userId: 1, role: 'superAdmin' },
    clis: new Map(),
    holdings: [],
    takers: new Map(),
  }),
  allocationProblems([{}, { cliId: 1, userId: 2 }, { cliId: 1, userId: 3 }, { cliId: 9, userId: 2 }], {
    giver: { userId: 1, role: 'superAdmin' },
    clis: new Map([[1, { number: '015970001', pool: 'dedicated' }]]),
    holdings: [holding],
    takers: new Map([[2, name]]),
  }),
].flat()

test.each([
  ...[...Object.values(engine), ...Object.values(ofTests)].flat(),
  ...faults,
  ...states,
  administratorsReason('pause', name),
  administratorsReason('stop', name),
  ...rowReasons,
  ...readings,
  ...unspeakable,
  `${name} takes 25.0 seconds to say, at most 20 are taken`,
  tooMuchAtOnce(reportLimit),
  ...Object.values(workLimits).flatMap((limit) => [tooMuchAtOnce(limit), tooMuchAMinute(limit, 40)]),
  'holds a picture that does not fit into its own size',
  'is the name of another of your SMS campaigns',
  'is missing: no file was uploaded in the last hour',
  'is not there any more: upload the file again',
  'is not a file that was uploaded',
  'has 66 segments, and 10 are allowed',
  columnProblems({ templateId: 1, smsText: `{${name}}` }, ['नाम'])[0]?.text ?? 'it has no fault',
  `the sender ID is not approved for ${name}`,
  'the message is empty, since its columns are',
  'the message has 11 segments, and 10 are allowed',
  'a landline takes no messages',
  'the number is on a blacklist',
  'has no message left that failed or expired',
  `'${name}' of ${name} is cheaper for messages than '${name}' of ${name}: it has to be changed`,
  'is the name of another of your voice packs',
  'would be more than the 10 voice packs that you may have',
  `is the same word as ${name}`,
  'holds nothing but silence',
  'is not a campaign that you may see',
  'must not be before the beginning',
  'must not be less than the least',
  'holds more than 400 files',
  'is not called like a word of the list',
  'is not a word of the list',
  'is a zip that cannot be read: it is damaged or encrypted',
  noSuchList,
  tooMany,
  `has ${name} twice`,
  'has a search that is longer than 100 characters',
  `sorts by a column that this list does not have: ${name}`,
  `has a filter that this list does not have: ${name}`,
  `has a filter ${name} that cannot be ${name}`,
  'has changed since you looked at it: look again',
  'has no recordings that wait',
  ...numbers.map((number) => `the number ${whyNotDialable(number)}`),
  ...planFaults,
  `is too low: ${whyTooCheap(price(60_000, 90), price())}`,
  'is too low: you pay 150 paisa a segment yourself',
  moreThanFree(640),
  `Balance of the deleted account ${name}`,
  'must look like 2026-11',
  'must be an amount in rupees with at most two decimals, below 1000000000',
  `belongs to ${name}, who recharges it`,
  added(5025),
  takenBack(100),
  `cannot be given by '${name}': is not one of your plans`,
  'cannot be recharged by itself',
  'cannot be compared: you have no plan yourself',
  'must be one of 1, 10, 15, 30, 60 seconds',
  `is used by ${holdersOf([name, name], 3)}: give them another plan first`,
  'every number is blacklisted',
  'it has no SIP host',
  `trunk ${name}: the operator rejects its registration`,
  'its password cannot be read: SECRET is not what it was when it was entered',
  'no engine took it up within 10 seconds',
  'the engine that ran it went away: nobody knows how it ended',
  demoOnlyHere,
  needsTls,
  `has the trunks ${namesOf([name])}: delete them or move them first`,
  `has the caller IDs ${namesOf(Array(7).fill(name))}: delete them or move them first`,
  `cannot be tested: no engine holds its dialer '${name}'`,
  `cannot be called over: all dialling of the platform is stopped (${name})`,
  'cannot change while calls are up there (3): stop dialling first',
  'has calls that are being ended (3): try again in a few seconds',
  'does not answer and has calls that are open (3): give it up first',
  'was given up already',
  'answers: there is nothing to give up',
  'is coming back at this moment: look again in a few seconds',
  provenWords(null),
  provenWords(34_000),
  `is where dialer '${name}' is already`,
  tooManyChannels(12),
  tooFewChannels(12),
  typeHasChildren([name], 1),
  typeHasCampaigns,
  'must be that of your own account',
  'is no day of the calendar',
  'is before today',
  'cannot be said together with a new domain',
  `must be that of '${name}'`,
  passwordWasReset,
  channelsChanged(30, 50),
  `Changed: ${changeable.join(', ')}`,
  hasChildren(Array(5).fill(name), 7),
  hasCampaigns([name], 1),
  hasReserved('1.50'),
  ...[1, 2].map((id) => notYourChild({ userId: 1, role: 'reseller' }, { id, parentUser: name })),
  'was disabled by the platform: only a super admin can enable it',
  lastSuperAdmin,
  'The account that asked for it is disabled.',
  `is disabled: ${disabledAbove}`,
  'is disabled: no link is sent',
  'no row of the contact file can be called: invalid 1,204, duplicate 3',
  ...linesOfFile.refused.map(({ reason }) => reason),
  ...allocating.map(({ text }) => text),
  `'015970001' is taken`,
  'is no trunk',
  'is allocated to nobody',
  'is required: several accounts hold it',
  'does not hold it from you',
  'has a quote in line 7 that is never closed',
  ...quotaKinds.map((what) => overQuota(what, 1_500_000_000, used, defaultQuotas) ?? ''),
  'is more than 366 days ahead',
  'is not a caller ID of yours',
  'is inactive: it has no trunk',
  `is used by '${name}' (Running), '${name}' (On Hold): wait until they are finished or stop them`,
  'SIP 486, cause 17, ended by the network',
  ...Object.values(silence).flatMap((said) => (typeof said === 'string' ? [said] : [])),
  ...[1, 90].flatMap((n) => [silence.old(n), silence.removed('2026-11-20', n), tooManyDays(n)]),
  silence.deleted('2026-11-20'),
  'applies to users only: no one else makes calls',
  'cause 16, ended by us, not charged: a prompt was not heard',
  ...['user', 'campaign', 'attempt', 'message', 'dialer', 'trunk', 'gateway'].map((kind) => `${kind} 7`),
  'a prompt was not heard after the answer: the dialer could not play it; such calls are ended and not charged',
  '250 paisa above its reservation',
  'the mail server did not take it',
  'it holds 3 that belong to no call of this installation; they stay there',
  `given up after 9 tries, it stays on the dialer as ${name}: it is cut`,
  'the customer: 1200 ms by the dialer’s record, no answer in history',
  'the customer: 1200 ms by the dialer’s record, 900 ms in history; the agents: no answer by the dialer’s record, 10 ms in history',
  'it was begun before',
  `${name} is in call of the campaign already`,
  'row 7 had its final outcome',
  'attempt 4 of 3',
  'it is over with 2 calls up',
  '12 attempts ended, 11 are counted',
  '31 channels of 30 are taken',
  '21 calls began within a second, 20 may',
  'an agent without a customer',
  'it costs 400 paisa, 200 are reserved',
])('in Nepali: %s', (english) => {
  const abbreviations = /\b(CLI|SIP|SMS|DNS|TLS|ETIMEOUT|SECRET|DTMF|CSV|UTF-\d+|PCM|Text|WAV|MB)\b/g
  const said = nepaliOf(english).replace(abbreviations, '')
  expect(said).not.toMatch(/[A-Za-z]/)
  expect(said).toMatch(/[\u0900-\u097f]/)
})
