// @module-tag exhaustive
// Cheaper: web/src/screens/developers has the list of webhooks and the examples, scripts/examples.test.ts what these say.
import { settingRoutes } from '@ghanti/contract/settings.ts'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import {
  address,
  password,
  chooseOption,
  expectAccessible,
  goTo,
  openBrowser,
  see,
  seeDone,
  useBrowser,
} from './console.ts'

useBrowser()
let page: Page
let receiver: Server
let received = 0
let host: string

beforeAll(async () => {
  receiver = createServer((_, response) => {
    received += 1
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const admin = await signInOver(address, 'superadmin', password)
  await admin.ask(settingRoutes.save, { smsAddressHosts: [host] })
  page = await openBrowser({ as: 'user' })
})
afterAll(() => void receiver.close())

const example = (of: string) => page.getByRole('region', { name: `Example: ${of}`, exact: true })

/** Method, address, headers and body, as the shell would read them. */
function requestOf(shown: string, key: string): [string, RequestInit] {
  const url = /https?:[^\s"]+/.exec(shown)?.[0] ?? ''
  const headers = [...shown.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name = '', value = '']) => [
    name,
    value.replace('$GHANTI_KEY', key),
  ])
  const body = /-d '([^']+)'/.exec(shown)?.[1]
  return [url, { method: body ? 'POST' : 'GET', headers: Object.fromEntries(headers), ...(body && { body }) }]
}

test('a key is made, the example that is shown sends with it, and what became of the message is read as shown', async () => {
  await goTo(page, '/developers', 'Developers')
  await page.getByRole('button', { name: 'Add a key' }).click()
  await page.getByLabel('Name of the program').fill('Reminders')
  await chooseOption(page, 'What it may do', 'Messages: read and send')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Make the key' }).click()
  const key = (await page.getByLabel('The key', { exact: true }).textContent()) ?? ''
  await page.getByRole('button', { name: 'Done' }).click()
  await see(page, 'never used')

  await page.getByRole('tab', { name: 'Reference' }).click()
  const asked = requestOf((await example('Send a message').textContent()) ?? '', key)
  const answer = await fetch(...asked)
  const { messageId, state } = (await answer.json()) as { messageId: string; state: string }
  expect([answer.status, state]).toEqual([200, 'waiting'])
  const read = (await example('See what became of it').textContent()) ?? ''
  const again = requestOf(read.replace(/\d+-\d+(?=\s)/, messageId), key)
  await expect
    .poll(async () => ((await (await fetch(...again)).json()) as { state: string }).state)
    .not.toMatch(/waiting|submitted/)
})

test('a webhook is added and tested, and its deliveries are listed and sent again', async () => {
  await goTo(page, '/developers?tab=webhooks', 'Developers')
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  await page.getByRole('dialog').getByLabel('Address').fill(`http://${host}/hook`)
  await page.getByRole('button', { name: 'Make the webhook' }).click()
  expect(await page.getByLabel('The secret', { exact: true }).textContent()).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  await page.getByRole('link', { name: `Deliveries to ${host}` }).click()
  const rows = page.getByRole('list', { name: 'Deliveries: 1' }).getByRole('listitem')
  await rows.filter({ hasText: 'Delivered' }).waitFor()
  expect(await rows.innerText()).toContain(host)
  const before = received
  await page.getByRole('button', { name: /^Send again/ }).click()
  await expect.poll(() => received).toBe(before + 1)
  await expectAccessible(page, 'deliveries')
  await page.getByRole('radiogroup', { name: 'State' }).getByText('Failed').click()
  await see(page, 'Nothing of this kind was sent in the last seven days.')
  await page.getByRole('button', { name: 'Send failed ones again' }).click()
  await expectAccessible(page, 'sending failed ones again')
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  await seeDone(page, '0 are sent again.')
})
