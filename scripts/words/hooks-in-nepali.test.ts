import { expect, test } from 'vitest'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { words } from '../../server/src/modules/hooks/rules.ts'
import { strangerReported } from '../../server/src/modules/keys/rules.ts'

const said = [
  ...Object.values(words).filter((word) => typeof word === 'string'),
  strangerReported,
  'must name at least one',
  words.tooMany(10),
  words.answered(500),
  words.redirected(302),
  words.slow(15),
  words.unreachable('connection refused'),
]

test.each(said)('what is said of webhooks has its Nepali: %s', (text) => {
  expect(nepaliOf(text)).toMatch(/[\u0900-\u097f]/)
  expect(nepaliOf(text).replaceAll(/https|deliveryId|failedSince/g, '')).not.toMatch(/[A-Za-z]/)
})
