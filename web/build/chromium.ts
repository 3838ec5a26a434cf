import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const usual = [
  // Chromium without a window system takes two thirds of the CPU (Debian's chromium-headless-shell).
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Playwright's own Chromium if installed, else the system's. */
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

/** A page of a test lives for seconds: optimising its code takes more than it saves. Not where speed is measured. */
export const chromiumTestFlags = [...chromiumFlags, '--js-flags=--no-opt --no-maglev']
