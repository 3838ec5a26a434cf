// @module-tag exhaustive
/** The benches that need Asterisk, at their smallest size, like the others in bench/benches.test.ts. They start their own. */
import { expect, test } from 'vitest'
import { runSmallest } from '../bench/run-smallest.ts'

test('bench/telephony runs, all calls are answered and heard to the end, and the books are right', async () => {
  const said = await runSmallest('telephony')
  expect(said.match(/\d+ calls: 0 not answered, 0 not ended, 0 too short/g)).toHaveLength(8)
  expect(said).toContain('the books are right')
})

test('bench/prefetch runs, and each sound reaches the dialer', async () => {
  expect((await runSmallest('prefetch')).match(/ 0 failed/g)).toHaveLength(3)
})
