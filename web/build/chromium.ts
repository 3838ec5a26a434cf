import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Playwright's own Chromium when it is installed, else the system's; undefined when there is none. */
export function findChromium(): string | undefined {
  return [chromium.executablePath(), ...usual].find((path) => existsSync(path))
}

export const chromiumFlags = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
