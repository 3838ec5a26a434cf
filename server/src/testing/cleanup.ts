const cleanups: (() => unknown)[] = []

/**
 * Runs at the end of the test file, the newest first. Vitest's own `afterAll` is never called when a test or `beforeAll` registers it: servers and
 * pools that are opened there would live as long as the process, which runs many files.
 */
export function atEndOfFile(cleanup: () => unknown): void {
  cleanups.push(cleanup)
}

/** Runs and forgets all of them; a failure keeps none of the others from running. */
export async function cleanUp(): Promise<void> {
  const errors: unknown[] = []
  for (const cleanup of cleanups.splice(0).reverse()) {
    try {
      await cleanup()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'what a test file opened could not be closed')
}
