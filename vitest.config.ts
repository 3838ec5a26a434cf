import { defineConfig } from 'vitest/config'
import { patience } from './scripts/patience.ts'

export default defineConfig({
  test: {
    maxWorkers: 2,
    // By Node itself, which runs this code without a build: half of a test file's time went into loading it another way.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['server/src/drivers/telephony/asterisk/**'],
          globalSetup: ['server/src/testing/global-setup.ts'],
          ...patience,
        },
      },
      {
        test: {
          name: 'pure',
          include: ['contract/src/**/*.test.ts', 'callflow/src/**/*.test.ts'],
          ...patience,
        },
      },
      {
        test: {
          name: 'telephony', // a real Asterisk, the virtual operator and SIPp
          include: ['telephony/**/*.test.ts', 'server/src/drivers/telephony/asterisk/**/*.test.ts'],
          globalSetup: ['server/src/testing/global-setup.ts', 'telephony/global-setup.ts'],
          maxConcurrency: 26,
          ...patience,
        },
      },
      './web/vitest.config.ts', // in a browser
      './web/e2e/vitest.config.ts', // the real server and a browser
    ],
  },
})
