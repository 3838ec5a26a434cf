import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
          globalSetup: ['server/src/testing/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'pure',
          include: ['contract/src/**/*.test.ts', 'callflow/src/**/*.test.ts'],
          testTimeout: 20_000,
        },
      },
      './web/vitest.config.ts', // in a browser
      './web/e2e/vitest.config.ts', // the real server and a browser
    ],
  },
})
