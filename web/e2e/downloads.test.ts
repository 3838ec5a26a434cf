import { userRoutes } from '@ghanti/contract/users.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import { address, downloadedBy, expectRefusals, goTo, openBrowser, password, see, useBrowser } from './console.ts'

useBrowser()
let agency: Page
beforeAll(async () => {
  agency = await openBrowser({ as: 'agency' })
})
const csv = () => agency.getByRole('link', { name: 'Export to CSV' })

test('a download that the account has too many of says so in the page, and comes by itself when there is room', async () => {
  await goTo(agency, '/user-list', 'Users')
  const { name, bytes } = await downloadedBy(agency, () => csv().click())
  expect(name).toMatch(/\.csv$/)
  expect(bytes.toString()).toContain('client')
  const api = await signInOver(address, 'agency', password)
  for (let begun = 1; begun < 30; begun++)
    await (await api.send(userRoutes.listCsv, { userId: api.userId })).arrayBuffer()
  expectRefusals(429)
  const late = await downloadedBy(agency, async () => {
    await csv().click()
    await see(agency, 'One account may begin 30 exports a minute.')
  })
  expect(late.bytes).toEqual(bytes)
  await agency.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
})

test('a download without a session leads to the login, not to a page of the browser', async () => {
  await agency.context().request.post('/api/obd/logout', { headers: { origin: address } })
  expectRefusals(401)
  await csv().click()
  await agency.getByRole('button', { name: 'Login' }).waitFor()
})
