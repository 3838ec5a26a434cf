/**
 * Timeouts of every test: long enough for a busy machine, without cost for a passing test. A test's own timeout is the longest, so that a
 * failure names the unmet condition rather than the test.
 */
export const timeouts = {
  expect: { poll: { timeout: 90_000 } },
  testTimeout: 240_000,
  hookTimeout: 240_000,
}
