import { expect, test } from 'vitest'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { faults } from '../server/src/modules/base-from/rules.ts'

const said = [
  'is required: say which rows',
  'is not over: wait until it is finished or stop it',
  'must be another campaign',
  ...Object.values(faults).map((fault) => (typeof fault === 'string' ? fault : fault(20))),
]

test.each(said)('%s', (text) => {
  expect(nepaliOf(text)).toMatch(/[\u0900-\u097f]/)
  expect(nepaliOf(text)).not.toMatch(/[a-z]/i)
})
