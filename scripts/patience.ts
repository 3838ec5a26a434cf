/**
 * Timeouts of every test: long enough for a busy machine, at no cost where the test passes. A test's own timeout is the longest, so that a failure
 * names the condition that was not met rather than the test.
 */
export const patience = {
  expect: { poll: { timeout: 90_000 } },
  testTimeout: 240_000,
  hookTimeout: 240_000,
}
