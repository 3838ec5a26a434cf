import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { expect, test } from 'vitest'
import { stopWords } from '../../server/src/modules/platform/rules-words.ts'
import { operatorWords } from '../../server/src/sms/schedule/decide.ts'
import { ValueCheck } from '../../server/src/modules/contacts/rows/rules-values.ts'
import { sendWords } from '../../server/src/modules/sends/rules.ts'
import { words } from '../../server/src/sms/model/words.ts'

/** Names in Nepali, so that any Latin letter left is our own English. */
const name = 'हिमाल'
const now = new Date('2026-11-20T06:15:00Z')
const inHours = new Date('2026-11-20T09:15:00Z')
const inDays = new Date('2026-11-23T02:00:00Z')

const ofMessages: Record<keyof typeof words, string[]> = {
  outsideHours: [words.outsideHours(inHours, now), words.outsideHours(null, now)],
  blocked: ['of the platform', 'of the account', `of gateway ${name}`].map((what) => words.blocked(what, name)),
  settling: [words.settling(1), words.settling(12)],
  lowBalance: [words.lowBalance(150, 20)],
  affordable: [words.affordable(150, 2_000_000)],
  nextSending: [words.nextSending(inHours, now), words.nextSending(inDays, now)],
  hadToday: [words.hadToday(1, inDays, now), words.hadToday(5, inDays, now)],
  noRoute: [0, 1, 2, 3].map((operator) => words.noRoute(operatorWords(operator))),
  gatewayDown: [words.faulty(10, name)].map((why) => words.gatewayDown(name, why)),
  gatewayAway: [words.gatewayAway(name)],
  gatewayDisabled: [words.gatewayDisabled(name)],
  senderGone: [words.senderGone(name, operatorWords(1))],
  expired: [words.expired],
  disabled: [words.disabled(null), words.disabled(name)],
  disabledAbove: [words.disabledAbove],
  frozen: [words.frozen(null), words.frozen(name)],
  frozenAbove: [words.frozenAbove],
  unapproved: [words.unapproved(1), words.unapproved(12)],
  lastDayOver: [words.lastDayOver],
  notAfter: [words.notAfter],
  notSent: [words.notSent],
  notSentInTime: [words.notSentInTime],
  noCallYet: [words.noCallYet],
  callsStopped: [words.callsStopped],
  late: [words.late],
  stoppedUnsent: [words.stoppedUnsent],
  requeueing: [words.requeueing],
  cutOff: [words.cutOff],
  noReceipt: [words.noReceipt],
  faulty: [words.faulty(10, name)],
}

const ofSends: Record<keyof typeof sendWords, string[]> = {
  noText: [sendWords.noText],
  twoTexts: [sendWords.twoTexts],
  noTemplate: [sendWords.noTemplate],
  needless: [sendWords.needless],
  noValue: [sendWords.noValue([name])],
  needsApproval: [sendWords.needsApproval],
  value: [sendWords.value(name, 'it looks like an address')],
  unsendable: [sendWords.unsendable('the message is empty, since its columns are')],
  had: [sendWords.had(1), sendWords.had(5)],
  money: [sendWords.money(150, 20)],
  paused: [sendWords.paused],
  onHold: [sendWords.onHold(null), sendWords.onHold(words.frozenAbove)],
  frozen: [sendWords.frozen],
  stopped: [sendWords.stopped],
  blocked: [sendWords.blocked(name)],
}

const stopped = ['platform', 'account'].flatMap((of) => [
  stopWords.messages(`of the ${of}`, name),
  stopWords.all(`of the ${of}`, name),
])

const check = new ValueCheck({ words: [name], isStrict: true })
const waiting = [
  ...[name, 'क'.repeat(50), 'क\nख', 'क@ख', '९८४१०००००१'].map((value) => check.whyUnapproved(value)),
  `it completes the word '${name}'`,
].map((why) => `its {${name}} waits for approval: ${why}`)

test.each([
  ...stopped,
  ...waiting,
  ...waiting.map((why) => `${why}; it was rejected: ${name}`),
  ...Object.values(ofMessages).flat(),
  ...Object.values(ofSends).flat(),
  'is not a gateway',
  'must be messages for a gateway',
  'must be calls for a dialer',
  'must be calls for a trunk',
  'every number is blacklisted',
  'no row of the contact file can be sent a message: it has no rows',
  'no row of the contact file can be sent a message: invalid 1,204, duplicate 3, landlines 2',
])('in Nepali: %s', (english) => {
  expect(nepaliOf(english)).not.toMatch(/[A-Za-z]/)
})
