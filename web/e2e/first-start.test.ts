// @module-tag exhaustive
/**
 * The bench of the first start at its smallest size, like the others in bench/benches.test.ts. It is here because it needs the built
 * console.
 */
import { expect, test } from 'vitest'
import { runSmallest } from '../../bench/run-smallest.ts'

test('bench/first-start runs: the demo starts twice, and its user signs in each time', async () => {
  expect(await runSmallest('first-start')).toMatch(/second start .* aim under 10 s/)
})
