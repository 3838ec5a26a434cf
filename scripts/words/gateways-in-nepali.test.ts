import { expect, test } from 'vitest'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { readDelivered } from '../../server/src/drivers/sms/smpp/delivered.ts'
import { answerOf } from '../../server/src/drivers/sms/smpp/status.ts'
import { whyNot, words } from '../../server/src/drivers/sms/words.ts'

const refusals = Array.from({ length: 0x110 }, (_, status) => answerOf(status, ''))
const states = Array.from({ length: 10 }, (_, message_state) =>
  readDelivered({ esm_class: 4, receipted_message_id: 'x', message_state }, 'gsm7', new Date()),
)
const unreachable = ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'ENETUNREACH', 'ECONNRESET']

const said: Record<keyof typeof words, string> = {
  ...words,
  unreachable: words.unreachable('connection refused'),
  unanswered: words.unanswered(30),
  silent: words.silent(10),
  readsNothing: words.readsNothing(10),
  floods: words.floods(10_000),
  bindSilent: words.bindSilent(10),
  bindRefused: words.bindRefused('the password is wrong', '0x0E'),
  receiverLost: words.receiverLost(words.lost),
  refused: words.refused('the number is not valid', '0x0B'),
  partly: words.partly(words.noRoom, 1, 3),
  lacksLetter: words.lacksLetter('€'),
  badLength: words.badLength(15),
  strayAnswers: words.strayAnswers(2),
  errorReply: words.errorReply(500),
}

test.each([
  ...new Set([
    ...Object.values(said),
    ...refusals.flatMap((answer) => (answer.kind === 'refused' ? [answer.reason] : [])),
    ...states.flatMap((read) => (read.kind === 'receipt' && read.receipt.reason !== null ? [read.receipt.reason] : [])),
    ...unreachable.map((code) => words.unreachable(whyNot(Object.assign(new Error('?'), { code })))),
    'it could not be delivered (001)',
  ]),
])('gateways say in Nepali, too: %s', (english) => {
  expect(nepaliOf(english).replace(/\(0x\w+\)|\(TON\)|\(NPI\)/g, '')).not.toMatch(/[a-z]{2}/i)
})
