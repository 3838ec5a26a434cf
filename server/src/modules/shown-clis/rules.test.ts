import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { expect, test } from 'vitest'
import { groupWords } from '../lines/rules-groups.ts'
import { shownWords as words } from './rules.ts'

const name = 'हिमाल'
test.each([
  words.mayNot(name, [name, name]),
  words.stillShown(name, [name]),
  words.lineMayNot(name),
  words.memberMayNot(name),
  words.noneMay,
  words.noneActive,
  groupWords.noCli,
  groupWords.isGroup,
  groupWords.inactive,
  groupWords.inGroups([name]),
  groupWords.changedAsGroup,
  'must have a letter: it is no number',
  'must be a list of caller IDs',
  'has more than 50 caller IDs',
  `has one that is neither a caller ID nor a range of them like 9801234500-9801234599: ${name}`,
])('said in Nepali, too: %s', (text) => {
  expect(nepaliOf(text)).not.toMatch(/[A-Za-z]/)
})
