import * as fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { noRoomToSpeak } from '../server/src/modules/speech/rules.ts'
import { words } from '../server/src/voice/model/campaigns/words.ts'
import { words as smsWords } from '../server/src/sms/model/words.ts'

const now = new Date('2026-11-26T06:15:00Z')
const later = new Date('2026-11-26T07:15:00Z')

/** Each sentence as a campaign's page would have it. */
const ofCalls: { readonly [Name in keyof typeof words]: string } = {
  outsideHours: words.outsideHours(later, now),
  blocked: words.blocked('of this account', 'complaints'),
  dialerDown: words.dialerDown('Kathmandu', 'no answer'),
  trunkOnHold: words.trunkOnHold('NTC', 'SIP 503', later, now),
  trunkUnusable: words.trunkUnusable('NTC', 'it has no host'),
  lowBalance: words.lowBalance(1234, 200),
  accountsBusy: words.accountsBusy,
  noRate: words.noRate('trunk NTC'),
  settling: words.settling(3),
  affordable: words.affordable(1234, 2000),
  channelsBusy: words.channelsBusy(30, 'trunk NTC'),
  channelsKept: words.channelsKept('trunk NTC'),
  contractRate: words.contractRate(30, 'NTC'),
  mayNotShow: words.mayNotShow('NTC', 'caller ID 015970001'),
  groupInactive: words.groupInactive('Valley'),
  nextRetry: words.nextRetry(later, now),
  numberBusy: words.numberBusy,
  calledToday: words.calledToday(3, later, now),
  cappedToday: words.cappedToday(later, now),
  counting: words.counting,
  expired: words.expired,
  disabled: words.disabled('complaints'),
  disabledAbove: words.disabledAbove,
  frozen: words.frozen('stolen'),
  frozenAbove: words.frozenAbove,
  dialerRemoved: words.dialerRemoved('Kathmandu'),
  givenUp: words.givenUp('Kathmandu'),
  operatorTakes: words.operatorTakes('NTC', 10, 5),
  trunkRefuses: words.trunkRefuses(20, 2, 'SIP 404'),
  testNumberFails: words.testNumberFails('SIP 404'),
  refusedAlike: words.refusedAlike(10, 'SIP 404'),
  onHoldUntil: words.onHoldUntil(words.refusedAlike(10, 'SIP 404'), later, now),
  refusedBefore: words.refusedBefore,
  ofOperator: words.ofOperator('Ncell', words.trunkGone),
  onDialer: words.onDialer('Kathmandu', words.trunkGone),
  noEngine: words.noEngine('Kathmandu'),
  noTrunkForLeft: words.noTrunkForLeft('Kathmandu'),
  goesOver: words.goesOver(['Kathmandu', 'Pokhara'], words.trunkGone),
  trunkGone: words.trunkGone,
  trunkSettingUp: words.trunkSettingUp('NTC', 'Kathmandu'),
  overloaded: words.overloaded,
  dialerSlow: words.dialerSlow('Kathmandu', 900, 4),
  promptFault: words.promptFault('Welcome', 'Kathmandu', 'no such file', later, now),
  promptsPending: words.promptsPending,
  promptGone: words.promptGone('Welcome'),
  speechGone: words.speechGone(12_000),
  speechDown: words.speechDown('no answer', later, now),
  valuesUnspoken: words.valuesUnspoken(noRoomToSpeak(10_000_000_000)),
  lost: words.lost(2),
  expiring: words.expiring,
  notAfter: words.notAfter,
  callNowLate: words.callNowLate,
  testLate: words.testLate,
  requeueing: words.requeueing,
}

/** What an SMS campaign's page says, and at its end what a message says. */
const ofMessages: { readonly [Name in keyof typeof smsWords]: string } = {
  outsideHours: smsWords.outsideHours(later, now),
  blocked: smsWords.blocked('of the account', 'complaints'),
  settling: smsWords.settling(3),
  lowBalance: smsWords.lowBalance(1234, 200),
  affordable: smsWords.affordable(1234, 2000),
  nextSending: smsWords.nextSending(later, now),
  hadToday: smsWords.hadToday(5, later, now),
  noRoute: smsWords.noRoute('Ncell'),
  gatewayDown: smsWords.gatewayDown('NTC', 'no answer'),
  gatewayAway: smsWords.gatewayAway('NTC'),
  gatewayDisabled: smsWords.gatewayDisabled('NTC'),
  senderGone: smsWords.senderGone('GHANTI', 'Ncell'),
  expired: smsWords.expired,
  disabled: smsWords.disabled('complaints'),
  disabledAbove: smsWords.disabledAbove,
  frozen: smsWords.frozen('stolen'),
  frozenAbove: smsWords.frozenAbove,
  unapproved: smsWords.unapproved(3),
  lastDayOver: smsWords.lastDayOver,
  notAfter: smsWords.notAfter,
  notSent: smsWords.notSent,
  notSentInTime: smsWords.notSentInTime,
  noCallYet: smsWords.noCallYet,
  callsStopped: smsWords.callsStopped,
  late: smsWords.late,
  stoppedUnsent: smsWords.stoppedUnsent,
  requeueing: smsWords.requeueing,
  cutOff: smsWords.cutOff,
  noReceipt: smsWords.noReceipt,
  faulty: smsWords.faulty(3, 'no answer'),
}
/** Sentences that depend on a number or a hint, in their other form. */
const otherForms = [smsWords.outsideHours(null, now), smsWords.unapproved(1), smsWords.disabled(null)]

/** Sentences of a section's tables: '…' stands for any text, 'n' for a number. */
function sentencesIn(heading: string): string[] {
  const [, section = ''] = fs.readFileSync('docs/operating.md', 'utf8').split(`## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const firstCells = own.split('\n').flatMap((line) => line.match(/^\| ([^|]+) \|/)?.[1] ?? [])
  return firstCells
    .flatMap((cell) => [...cell.matchAll(/'([^']+)'/g)].map(([, sentence = '']) => sentence))
    .filter((sentence) => !/^[A-Z]/.test(sentence)) // names of screens
}
const patternOf = (sentence: string) =>
  new RegExp(
    `^${sentence
      .replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll('…', '.*')
      .replaceAll(/\bn\b/g, String.raw`[\d.,]+`)}$`,
  )

describe.each([
  // The table of calls says of one reason what messages say, too.
  { heading: 'Why does a campaign not dial?', sentences: ofCalls, also: [smsWords.notAfter] },
  { heading: 'Why does an SMS campaign not send?', sentences: ofMessages, also: otherForms },
])('$heading', ({ heading, sentences, also }) => {
  const inTable = sentencesIn(heading)

  test.each(Object.entries(sentences))('the operator finds what to do about: %s', (_, sentence) => {
    expect(
      inTable.filter((one) => patternOf(one).test(sentence)),
      sentence,
    ).not.toEqual([])
  })

  test.each(inTable)('the engine still says: %s', (sentence) => {
    const all = [...Object.values(sentences), ...also]
    expect(all.filter((one) => patternOf(sentence).test(one))).not.toEqual([])
  })
})
