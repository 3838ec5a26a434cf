import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { browserOptions } from '../../scripts/chromium.ts'
import { chromiumTestFlags } from '../build/chromium.ts'
import { startServer } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The console: http://127.0.0.1:port. */
    address: string
    /** One browser serves all end-to-end tests. */
    browser: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [server, browser] = await Promise.all([startServer(), chromium.launchServer(browserOptions(chromiumTestFlags))])
  project.provide('address', server.address)
  project.provide('browser', browser.wsEndpoint())
  return async () => {
    await browser.close()
    await server.stop()
  }
}
