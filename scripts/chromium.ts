/** The browser of the end-to-end tests and benchmarks: the machine's Chromium, installed from Debian when missing and we may. */
import { execFileSync } from 'node:child_process'
import type { LaunchOptions } from 'playwright-core'
import { chromiumFlags, findChromium } from '../web/build/chromium.ts'

function install(): string | undefined {
  if (process.getuid?.() !== 0) return undefined
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    execFileSync('apt-get', ['update', '-q'], { env, stdio: 'ignore' })
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { env, stdio: 'ignore' })
  } catch {
    return undefined // no Debian, or no way to its mirrors: said by the caller
  }
  return findChromium()
}

/** Throws one line that names the package when there is no browser and none can be installed. */
export function requireChromium(): string {
  const found = findChromium() ?? install()
  if (!found) throw new Error('the browser tests need Chromium: apt-get install chromium')
  return found
}

/** For `chromium.launch`. */
export function browserOptions(): LaunchOptions {
  return { executablePath: requireChromium(), args: [...chromiumFlags] }
}
