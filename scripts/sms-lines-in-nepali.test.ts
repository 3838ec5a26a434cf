import { expect, test } from 'vitest'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { Operators, SenderName } from '@ghanti/contract/sms-senders.ts'
import { OperatorPrefixes } from '@ghanti/contract/operators.ts'
import { TextApproval } from '@ghanti/contract/sms-texts.ts'
import { senderWords } from '../server/src/modules/sms-senders/rules.ts'
import { textWords } from '../server/src/modules/sms-texts/rules.ts'

/** Names are the people's own and stay: here Nepali ones, so that every letter left is English of ours. */
const name = 'हिमाल'
type Schema = { safeParse(value: unknown): { error?: { issues: { message: string }[] } | undefined } }
const said = (schema: Schema, value: unknown) => schema.safeParse(value).error?.issues.map(({ message }) => message)
const prefixes = { ntc: [], ncell: [], smart: [] }

test.each([
  ...Object.values(senderWords).map((words) => (typeof words === 'string' ? words : words(name))),
  textWords.tooMany,
  textWords.taken(name),
  textWords.decided('Approved'),
  textWords.needsApproval({ by: 'account' }),
  textWords.needsApproval({ by: 'word', word: name }),
  textWords.pending(name),
  textWords.rejected(name),
  ...(said(SenderName, '!!!') ?? ['nothing']),
  ...(said(Operators, 'x') ?? ['nothing']),
  ...(said(Operators, []) ?? ['nothing']),
  ...(said(Operators, ['ntc', 'ntc']) ?? ['nothing']),
  ...(said(TextApproval, { promotional: true, words: 'x' }) ?? ['nothing']),
  ...(said(TextApproval, { promotional: true, words: Array(501).fill('x') }) ?? ['nothing']),
  ...(said(OperatorPrefixes, { ...prefixes, ntc: 'x' }) ?? ['nothing']),
  ...(said(OperatorPrefixes, { ...prefixes, ntc: ['12'] }) ?? ['nothing']),
  ...(said(OperatorPrefixes, { ...prefixes, ntc: Array(101).fill('984') }) ?? ['nothing']),
  ...(said(OperatorPrefixes, { ...prefixes, ntc: ['984'], ncell: ['984'] }) ?? ['nothing']),
])('in Nepali: %s', (english) => {
  const nepali = nepaliOf(english)
  expect(nepali).not.toMatch(/[A-Za-z]/)
  expect(nepali).toMatch(/[\u0900-\u097f]/)
})
