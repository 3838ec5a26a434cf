// @module-tag exhaustive
// Cheaper: web/src/shell/keys.test.ts has the keys; what is typed before the palette has loaded is here alone, whoever changes web/src/shell/ runs it.
import { readFile } from 'node:fs/promises'
import * as path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import type { ViteManifest } from '../build/closure.ts'
import { goTo, openBrowser, useBrowser } from './console.ts'

useBrowser()

const pathOf = (page: Page) => new URL(page.url()).pathname

/** Its code arrives when the returned function is called. */
async function heldBack(page: Page): Promise<() => void> {
  const manifest = await readFile(path.join(import.meta.dirname, '../dist/.vite/manifest.json'), 'utf8')
  const { file } = (JSON.parse(manifest) as ViteManifest)['src/shell/GoTo.tsx'] ?? {}
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**/${file}`, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test('what is typed after Ctrl K is the search once the palette has loaded, and Enter opens its first result', async () => {
  const page = await openBrowser({ as: 'user' })
  const arrive = await heldBack(page)
  await goTo(page, '/')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('credits hisz')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  expect(pathOf(page), 'no letter was a shortcut').toBe('/')
  arrive()
  await expect.poll(() => pathOf(page), polling).toBe('/credits-history')
})

test('Escape before the palette has loaded keeps it closed, and letters are shortcuts again', async () => {
  const page = await openBrowser({ as: 'user' })
  const arrive = await heldBack(page)
  await goTo(page, '/')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('rep')
  await page.keyboard.press('Escape')
  arrive()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('textbox', { name: 'Go to…' })
  await field.waitFor()
  expect(await field.inputValue()).toBe('')
})
