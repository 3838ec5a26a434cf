import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import type { BrowserCommand } from 'vitest/node'
import { timeouts } from '../scripts/timeouts.ts'
import { cascadeLayers } from './build/cascade-layers.ts'
import { chromiumTestFlags, findChromium } from './build/chromium.ts'

const executablePath = findChromium()

/** Away from all controls: what a test draws under the pointer of the test before it would be hovered. */
const pointerAway: BrowserCommand<[]> = ({ page }) => page.mouse.move(0, 0)

/** The console's tests run in the real Chromium. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), cascadeLayers()],
  optimizeDeps: {
    include: [
      '@mantine/core',
      '@mantine/form',
      '@mantine/hooks',
      '@simplewebauthn/browser',
      '@tabler/icons-react',
      '@tanstack/react-query',
      'axe-core',
      'bikram-sambat',
      'react-dom/client',
      'react-router',
      'react-router/dom',
      'react/jsx-dev-runtime',
      'vitest-browser-react',
      'zod/mini',
    ],
  },
  test: {
    name: 'web',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    ...timeouts,
    browser: {
      enabled: true,
      headless: true,
      // On two cores the page is built while other lanes begin.
      connectTimeout: 300_000,
      viewport: { width: 1280, height: 800 },
      screenshotFailures: false,
      commands: { pointerAway },
      provider: playwright({
        launchOptions: { args: chromiumTestFlags, ...(executablePath ? { executablePath } : {}) },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
