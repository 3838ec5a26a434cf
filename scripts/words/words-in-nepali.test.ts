import { expect, test } from 'vitest'
import { campaignStatuses } from '@ghanti/contract/campaign-status.ts'
import { notesOf } from '@ghanti/callflow/sound/wav.ts'
import { readValue } from '@ghanti/callflow/speech/read.ts'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { signedInAs } from '@ghanti/contract/page-owner.ts'
import { whyNotDialable } from '@ghanti/contract/phone.ts'
import type { SpokenKind } from '@ghanti/contract/templates.ts'
import { demoOnlyHere, needsTls } from '../../server/src/modules/dialers/rules-address.ts'
import { namesOf } from '../../server/src/lib/list-of-names.ts'
import { columnsOfTemplate, ContactValidator } from '../../server/src/modules/contacts/rules.ts'
import { askedFor, orderProblems } from '../../server/src/modules/contacts/rules-dates.ts'
import { allocationProblems } from '../../server/src/modules/lines/rules.ts'
import { CliFileValidator } from '../../server/src/modules/lines/rules-file.ts'
import { added, moreThanFree, takenBack } from '../../server/src/modules/credits/rules.ts'
import { givingFault, holdersOf, tooManyPlans } from '../../server/src/modules/plans/rules.ts'
import { whyTooCheap } from '../../contract/src/plans.ts'
import {
  reportLimit,
  tooMuchADay,
  tooMuchAMinute,
  tooMuchAtOnce,
  workLimits,
} from '../../server/src/modules/limits/rules.ts'
import { isFrozenText } from '../../server/src/db/frozen.ts'
import { wasFrozen, wasLifted } from '../../server/src/modules/frozen/rules.ts'
import { disabledAbove } from '../../server/src/modules/auth/rules.ts'
import { defaultQuotas } from '../../contract/src/quotas.ts'
import { overQuota } from '../../server/src/modules/quotas/rules.ts'
import { noRoomToSpeak } from '../../server/src/modules/speech/rules.ts'
import { noSuchList, tooMany } from '../../server/src/modules/saved-views/rules.ts'
import { silence, tooManyDays } from '../../server/src/modules/recordings/rules.ts'
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
} from '../../server/src/modules/users/rules.ts'
import { contradictions } from '../../server/src/voice/dialer/symptoms/sdp.ts'
import { symptomWords } from '../../server/src/voice/dialer/symptoms/trunk-symptoms.ts'
import { provenWords } from '../../server/src/modules/voice-campaigns/rules.ts'
import { name, engine, ofTests, faults } from './sentences-of-the-engine.ts'
import { administratorsReason, refusal } from '../../server/src/modules/campaigns/rules.ts'
import { columnProblems } from '../../server/src/modules/sms-campaigns/rules.ts'

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
  amount: ['', 'x', '1.250,00', '1.234', '9999999999', '-1', '0'],
  date: ['31/02/2026', '2026', '2095-01-01', '11/05/2026'],
  month: ['13'],
  token: ['क', '1.5', '2026-12-01', '1'.repeat(21)],
  name: ['a 12345', 'a%', 'abc.d', 'क'.repeat(41), 'a b c d e f g h i'],
  service: ['1234', '12 34 5 a', '?'],
}
const kinds = Object.keys(unread) as SpokenKind[]
const readings = kinds.flatMap((kind) =>
  unread[kind].map((text) => {
    const reading = readValue(kind, text)
    return reading.ok ? 'it can be read' : `${name} ${reading.why}`
  }),
)
const inOtherOrder = (['dmy', 'mdy'] as const).map((order) => {
  const reading = readValue('date', order === 'dmy' ? '11/25/2026' : '25/11/2026', order)
  return reading.ok ? 'it can be read' : `${name} ${reading.why}`
})
const dateOrderFaults = [
  askedFor(name),
  ...[['mobile', name], ['mobile']].flatMap((columns) =>
    orderProblems({ columns, found: { [name]: 'mdy' }, asked: { [name]: 'dmy' } }).map(({ text }) => text),
  ),
]
const spoken = columnsOfTemplate(7).find(({ name: column }) => column === 'client_name')
const unspeakable = [
  `${name} ${spoken?.refuse('क.भारत') ?? 'it can be spoken'}`,
  ...[
    'nothing is heard of it',
    'it is longer than 1000 characters',
    'the speech engine answers 422',
    `voice pack '${name}' lacks a word of it`,
  ].map((why) => `${name} cannot be spoken: ${why}`),
]
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
  ...inOtherOrder,
  ...dateOrderFaults,
  ...unspeakable,
  `${name} takes 25.0 seconds to say, at most 20 are taken`,
  tooMuchAtOnce(reportLimit),
  ...Object.values(workLimits)
    .filter(({ byNetwork }) => !byNetwork)
    .flatMap((limit) => [
      tooMuchAtOnce(limit),
      tooMuchAMinute(limit, 40),
      ...(limit.perDay === Infinity ? [] : [tooMuchADay(limit, 4000)]),
    ]),
  tooMuchAtOnce(workLimits.strangers, 'network'),
  tooMuchAMinute(workLimits.strangers, 40, 'network'),
  'has more than 256 fields and items of lists',
  'has more than 16 levels of lists and fields',
  'has more than 256 parameters',
  'has 151 more errors',
  'took too long and was ended: ask for less at once',
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
  'is coded as GSM 6.10, which is not taken: save it as PCM, 16 bit',
  ...notesOf({ isOutOfPhase: true, missing: { promised: 4, there: 2 } }),
  'is not a campaign that you may see',
  'must not be before the beginning',
  'must not be less than the least',
  'holds more than 400 files',
  'does not have the name of a word in the list',
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
  tooManyPlans,
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
  'is not a day of the calendar',
  'is before today',
  'cannot be said together with a new domain',
  `must be that of '${name}'`,
  signedInAs(name),
  passwordWasReset,
  channelsChanged(30, 50),
  `Changed: ${changeable.join(', ')}`,
  hasChildren(Array(5).fill(name), 7),
  hasCampaigns([name], 1),
  hasReserved('1.50'),
  ...[1, 2].map((id) => notYourChild({ userId: 1, role: 'reseller' }, { id, parentUser: name })),
  'was disabled by the platform: only a super admin can enable it',
  isFrozenText,
  'is frozen already',
  'is not frozen',
  'is your own account: only one above freezes it',
  'is a super admin: disable it instead',
  'was frozen by the platform: only a super admin can lift it',
  'was frozen by an account above you: only that account can lift it',
  wasFrozen,
  wasLifted,
  lastSuperAdmin,
  'The account that asked for it is disabled.',
  `is disabled: ${disabledAbove}`,
  'is disabled: no link is sent',
  'no row of the contact file can be called: invalid 1,204, duplicate 3',
  noRoomToSpeak(10_000_000_000),
  `its values ${noRoomToSpeak(10_000_000_000)}`,
  ...linesOfFile.refused.map(({ reason }) => reason),
  ...allocating.map(({ text }) => text),
  `'015970001' is taken`,
  'is not a trunk',
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
  ...Object.values(symptomWords).map((said) => said(7, 200)),
  ...Object.values(contradictions).flatMap((said) => [
    said(101, 96),
    `${symptomWords.no_keys(200, 200)}: ${said(101, 96)}`,
    `${symptomWords.contradicting_answers(7, 200)}: ${said(101, 96)}`,
  ]),
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
  const abbreviations = /\b(GSM|16 bit|CLI|SIP|SMS|DNS|TLS|ETIMEOUT|SECRET|DTMF|CSV|UTF-\d+|PCM|Text|WAV|MB)\b/g
  const said = nepaliOf(english).replace(abbreviations, '')
  expect(said).not.toMatch(/[A-Za-z]/)
  expect(said).toMatch(/[\u0900-\u097f]/)
})
