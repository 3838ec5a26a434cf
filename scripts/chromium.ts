/** The machine's Chromium for end-to-end tests and benches, installed from Debian when missing and permitted. */
import type { LaunchOptions } from 'playwright-core'
import { chromiumFlags, findChromium } from '../web/build/chromium.ts'
import { installPackage } from './debian.ts'

function install(): string | undefined {
  return installPackage('chromium-headless-shell') ? findChromium() : undefined
}

/** Throws one line that names the package when there is no browser and none can be installed. */
export function requireChromium(): string {
  const found = findChromium() ?? install()
  if (!found) throw new Error('the browser tests need Chromium: apt-get install chromium-headless-shell')
  return found
}

export function browserOptions(flags: readonly string[] = chromiumFlags): LaunchOptions {
  return { executablePath: requireChromium(), args: [...flags] }
}
