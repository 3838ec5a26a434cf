/**
 * How long every test waits for what it expects: nobody's machine is so busy that it does not come within this. It costs nothing where the test
 * passes. A test ends last, so that a condition that does not come is named rather than the test.
 */
export const patience = {
  expect: { poll: { timeout: 90_000 } },
  testTimeout: 240_000,
  hookTimeout: 240_000,
}
