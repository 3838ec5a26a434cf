import { defineConfig } from 'vitest/config'
import { timeouts } from '../../scripts/timeouts.ts'

/**
 * The console as people use it: a real server, its simulated telephone network, a real browser. Runs after all other tests, because it
 * needs the machine for itself.
 */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'e2e',
    include: ['*.test.ts'],
    globalSetup: ['global-setup.ts'],
    ...timeouts,
    maxWorkers: 1,
    isolate: false, // a file leaves nothing in a module that the next one sees (console.ts)
    sequence: { groupOrder: 1 },
  },
})
