import { expect, test } from 'vitest'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { repeatStates, type RepeatRule } from '../../contract/src/repeats.ts'
import { ruleProblems, words } from '../../server/src/modules/repeats/rules.ts'
import * as setups from '../../server/src/modules/setups/rules.ts'

const now = new Date('2026-11-26T12:00:00+05:45')
const rule: RepeatRule = {
  rule: 'weekly',
  weekdays: [3],
  offsetDays: 0,
  time: '10:00',
  fromDay: '2026-11-26',
  untilDay: '2026-11-30',
}
const problems = [
  ruleProblems(rule, ['mobile'], now),
  ruleProblems({ ...rule, rule: 'column', weekdays: undefined, column: 'x' }, ['mobile'], now),
  ruleProblems({ ...rule, fromDay: '2026-02-31', untilDay: '2030-01-01' }, ['mobile'], now),
].flat()
const { isNot, ...plain } = words

test.each([
  ...Object.values(plain),
  ...repeatStates.flatMap((state) =>
    ['paused', 'resumed', 'ended']
      .filter((done) => state === 'ended' || done === (state === 'active' ? 'resumed' : 'paused'))
      .map((done) => isNot(state, done)),
  ),
  ...problems.map(({ text }) => text),
  setups.taken,
  setups.tooMany,
  "is called again by 'Dues', 'Fees': end the repeating campaign first",
])('%s is in Nepali', (text) => expect(nepaliOf(text)).not.toBe(text))
