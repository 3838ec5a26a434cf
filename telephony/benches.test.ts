/** The benches that need Asterisk, at their smallest size, like the others in bench/benches.test.ts. They bring up one of their own. */
import { expect, test } from 'vitest'
import { runSmallest } from '../bench/run-smallest.ts'

test('bench/telephony runs, each caller’s calls are answered and heard out, and the books are right', async () => {
  const said = await runSmallest('telephony')
  expect(said.match(/\d+ calls: 0 not answered, 0 not ended, 0 too short/g)).toHaveLength(8)
  expect(said).toContain('the books are right')
})

test('bench/warm runs, and each sound comes to the dialer', async () => {
  expect((await runSmallest('warm')).match(/ 0 failed/g)).toHaveLength(3)
})
