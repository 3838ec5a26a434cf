// @module-tag exhaustive
// Cheaper: server/src/modules/limits/limits.test.ts has the limit and web/src/api/client.test.ts the wait. It waits for a minute.
import { creditRoutes } from '@ghanti/contract/credits.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import {
  address,
  downloadedBy,
  expectRefusals,
  goTo,
  openBrowser,
  openListMenu,
  password,
  see,
  useBrowser,
} from './console.ts'

useBrowser()
let user2: Page
beforeAll(async () => {
  user2 = await openBrowser({ as: 'user2' })
})
async function exportCsv(): Promise<void> {
  await openListMenu(user2)
  await user2.getByRole('link', { name: 'Export to CSV' }).click()
}

test('a download beyond the account’s limit says so in the page, and starts by itself when there is room', async () => {
  await goTo(user2, '/credits-history', 'Credits History')
  const { name, bytes } = await downloadedBy(user2, exportCsv)
  expect(name).toMatch(/\.csv$/)
  expect(bytes.toString()).toContain('Credit added')
  const api = await signInOver(address, 'user2', password)
  for (let begun = 1; begun < 30; begun++)
    await (await api.send(creditRoutes.historyCsv, { userId: api.userId })).arrayBuffer()
  expectRefusals(429)
  const late = await downloadedBy(user2, async () => {
    await exportCsv()
    await see(user2, 'One account may begin 30 exports a minute.')
  })
  expect(late.bytes).toEqual(bytes)
  await user2.getByRole('heading', { level: 1, name: 'Credits History' }).waitFor()
})

test('a download without a session leads to the login, not to a page of the browser', async () => {
  await user2.context().request.post('/api/obd/logout', { headers: { origin: address } })
  expectRefusals(401)
  await exportCsv()
  await user2.getByRole('button', { name: 'Login' }).waitFor()
})
