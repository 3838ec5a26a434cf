import * as path from 'node:path'
import { demoPassword } from '@ghanti/contract/auth.ts'
import { chromium, type Browser, type BrowserContextOptions } from 'playwright-core'
import { startLived } from '../web/e2e/server.ts'
import { browserOptions } from './chromium.ts'

const docs = path.resolve(import.meta.dirname, '../docs')
const desktop = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 393, height: 727 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }

/** README's pictures, of a demo as `npm start` makes it: the summary on a desktop, and the dashboard on a phone. */
export async function takeReadmeShots(): Promise<void> {
  const server = await startLived()
  const browser = await chromium.launch(browserOptions())
  try {
    await shoot(browser, desktop, `${server.address}/voice-campaign-summary`, 'summary.png')
    await shoot(browser, phone, server.address, 'phone.png')
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function shoot(browser: Browser, of: BrowserContextOptions, url: string, file: string): Promise<void> {
  const context = await browser.newContext({ ...of, colorScheme: 'light', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('input[name=username]').fill('user')
  await page.locator('input[name=password]').fill(demoPassword)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByText('Card for everybody').first().waitFor()
  await page.evaluate('document.fonts.ready')
  await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))')
  await page.screenshot({ path: path.join(docs, file) })
  await context.close()
}
