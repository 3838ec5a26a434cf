import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
import { exhaustive } from './scripts/tiers.ts'
import { timeouts } from './scripts/timeouts.ts'

const dialling = [
  'server/src/voice/**/{crash,crash-*,dial-queue,engine,engine-*,round-trip}.test.ts',
  'server/src/dispatch/rounds/{rounds,run-every}.test.ts',
  'server/src/modules/after-call/crash.test.ts',
  'server/src/database-{away,failover}.test.ts',
  'server/src/drivers/telephony/simulator/suite{,-process}.test.ts',
  'server/src/sms/**/{crash,crash-calls,crash-feed,engine,fail-over}.test.ts',
  'server/src/real-input.test.ts',
]

export default defineConfig({
  test: {
    maxWorkers: 2,
    tags: [{ name: exhaustive, description: 'Only `npm run test:all` runs it (CONTRIBUTING.md, Tests).' }],
    sequence: { sequencer: LongestFirst },
    // By Node itself, which runs this code without a build: half of a test file's time went into loading it another way.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts', 'clients/*.test.ts'],
          exclude: ['server/src/drivers/telephony/asterisk/**', ...dialling],
          globalSetup: ['server/src/testing/global-setup.ts'],
          setupFiles: ['server/src/testing/setup.ts'],
          isolate: false, // nothing here keeps state in a module: a process loads the server once, not once a file
          ...timeouts,
        },
      },
      {
        test: {
          name: 'engine', // most dial a simulated network: these wait far more than they work
          include: dialling,
          globalSetup: ['server/src/testing/global-setup.ts'],
          setupFiles: ['server/src/testing/setup.ts'],
          isolate: false,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'pure',
          include: ['contract/src/**/*.test.ts', 'callflow/src/**/*.test.ts'],
          isolate: false,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'telephony', // a real Asterisk, the virtual operator and SIPp
          include: ['telephony/**/*.test.ts', 'server/src/drivers/telephony/asterisk/**/*.test.ts'],
          globalSetup: ['server/src/testing/global-setup.ts', 'telephony/global-setup.ts'],
          setupFiles: ['server/src/testing/setup.ts'],
          maxConcurrency: 26,
          isolate: false,
          ...timeouts,
        },
      },
      './web/vitest.config.ts', // in a browser
      './web/e2e/vitest.config.ts', // the real server and a browser
    ],
  },
})
