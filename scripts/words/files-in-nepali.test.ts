import { expect, test } from 'vitest'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { exportFaults } from '../../server/src/modules/exports/rules.ts'
import { faults } from '../../server/src/modules/base-from/rules.ts'

const said = [
  'is required: say which rows',
  'is not over: wait until it is finished or stop it',
  'must be another campaign',
  'cannot be made: 100 exports are kept, delete some of them',
  ...Object.values(exportFaults).map((fault) => (typeof fault === 'string' ? fault : fault(5_000_000))),
  ...Object.values(faults).map((fault) => (typeof fault === 'string' ? fault : fault(20))),
]

test.each(said)('%s', (text) => {
  expect(nepaliOf(text)).toMatch(/[\u0900-\u097f]/)
  expect(nepaliOf(text).replace(/\bMB\b/g, '')).not.toMatch(/[a-z]/i)
})
