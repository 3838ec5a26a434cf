import type { ChildProcess } from 'node:child_process'

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

const children = new Set<ChildProcess>()
const endChildren = (): void => children.forEach((child) => void child.kill('SIGKILL'))
process.once('exit', endChildren)
// Vitest ends its processes so
process.once('SIGTERM', () => {
  endChildren()
  if (process.listenerCount('SIGTERM') === 0) process.exit()
})

/**
 * Ends with this process at the latest. No hook runs in a file whose tests are all left out, and whoever waits for this process to end waits for the pipes
 * that its children have from it.
 */
export function endWithUs<Child extends ChildProcess>(child: Child): Child {
  children.add(child)
  child.once('exit', () => void children.delete(child))
  return child
}
