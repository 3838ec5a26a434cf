// @module-tag exhaustive
// Cheaper: server/src/modules/exports/exports.test.ts has whose exports and their files, web/e2e/campaigns.test.ts generates and downloads one.
import { exportRoutes } from '@ghanti/contract/exports.ts'
import { retentionRoutes } from '@ghanti/contract/retention.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { fillIn, send, untilStatus } from './campaign.ts'
import {
  address,
  chooseAction,
  closeError,
  confirmWith,
  downloadedBy,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  password,
  see,
  useBrowser,
} from './console.ts'

/** exports-interrupted.test.ts has such exports and their links. */
const exhaustive = { tags: ['exhaustive'] }

useBrowser()
let page: Page
let api: Caller
const name = 'Exported in the background'
const mobile = '9841880021'
beforeAll(async () => {
  page = await openBrowser({ as: 'user' })
  api = await signInOver(address, 'user', password)
  await fillIn(page, { name, template: 'Simple IVR', contacts: mobile })
  await send(page)
  await untilStatus(page, name, 'Complete')
})

const table = () => page.getByRole('table', { name: 'My Exports' })
const fileRow = (format: string) => table().getByRole('row', { name: new RegExp(`calls .*\\.${format}`) })
const list = () => api.ask(exportRoutes.list, { userId: api.userId })
async function deleteAll(): Promise<void> {
  for (const { exportId } of await list()) await api.ask(exportRoutes.delete, { exportId })
}

test('the report’s content is requested in a dialog, becomes ready on My Exports by itself and is downloaded', async () => {
  await goTo(page, `/report?search=${mobile}`, 'Report')
  await page.getByRole('button', { name: 'Export all…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export in the background' })
  await dialog.getByText('Every call that matches the search and filters of the report').waitFor()
  await expectAccessible(page, 'the dialog that asks for an export')
  await dialog.getByRole('radio', { name: 'CSV' }).press('ArrowRight')
  expect(await dialog.getByRole('radio', { name: 'Excel (.xlsx)' }).isChecked()).toBe(true)
  await page.keyboard.press('ArrowLeft')
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  await dialog.getByText('The file is being made.').waitFor()
  await dialog.getByRole('button', { name: 'My Exports' }).click()
  await page.getByRole('heading', { level: 1, name: 'My Exports' }).waitFor()
  await fileRow('csv').getByText('Ready').waitFor()
  const file = await downloadedBy(page, () =>
    fileRow('csv')
      .getByRole('link', { name: /^Download calls/ })
      .click(),
  )
  expect(file.name).toMatch(/^calls \d{4}-\d\d-\d\d\.csv$/)
  const [header, ...calls] = file.bytes.toString().trimEnd().split('\r\n')
  expect(header).toContain('Customer Number')
  expect(calls.length).toBeGreaterThan(0)
  for (const call of calls) expect(call).toContain(mobile)
})

test('waiting exports are shown as such, and become ready one after the other while the screen is open', async () => {
  await deleteAll()
  for (let n = 0; n < 4; n++) await api.ask(exportRoutes.ask, { kind: 'calls', format: 'xlsx' })
  await goTo(page, '/my-exports', 'My Exports')
  await table()
    .getByText(/^(Waiting|Being made)$/)
    .first()
    .waitFor()
  await expectAccessible(page, 'exports that wait')
  await expect.poll(() => table().getByText('Ready', { exact: true }).count(), polling).toBe(4)
})

test('an export is deleted after a question that CANCEL leaves without harm; its file goes with it', async () => {
  await deleteAll()
  await api.ask(exportRoutes.ask, { kind: 'calls', format: 'parquet' })
  await goTo(page, '/my-exports', 'My Exports')
  await fileRow('parquet').getByText('Ready').waitFor()
  const [made] = await list()
  if (!made) throw new Error('the export is gone')
  const question = 'Do you want to delete this export and its file?'
  await chooseAction(page, made.fileName, 'Delete')
  const dialog = page.getByRole('dialog', { name: made.fileName })
  await dialog.getByText(question).waitFor()
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { exportId, fileName } = made
  expect((await api.send(exportRoutes.download, { exportId, fileName })).status).toBe(200)
  await chooseAction(page, fileName, 'Delete')
  await confirmWith(page, fileName, question)
  await see(page, /^Exports of all calls or rows wait here/)
  expect((await api.send(exportRoutes.download, { exportId, fileName })).status).toBe(404)
})

test(
  'exports whose campaign is deleted meanwhile say why they have no file, and a link from before downloads nothing',
  exhaustive,
  async () => {
    await deleteAll()
    const gone = 'Deleted meanwhile'
    await fillIn(page, { name: gone, template: 'Simple IVR', contacts: '9841880031' })
    await send(page)
    await untilStatus(page, gone, 'Complete')
    const [campaign] = await api.ask(voiceCampaignRoutes.list, { userId: api.userId, search: gone })
    const campaignId = campaign?.campaignId
    await api.ask(exportRoutes.ask, { kind: 'rows', format: 'csv', filter: { campaignId } })
    await api.ask(exportRoutes.ask, { kind: 'calls', format: 'csv' })
    await goTo(page, '/my-exports', 'My Exports')
    await expect.poll(() => table().getByText('Ready', { exact: true }).count(), polling).toBe(2)
    await api.ask(retentionRoutes.deleteCalls, { campaignId, campaignName: gone })
    await expect.poll(async () => (await list()).map(({ exportStatus }) => exportStatus), polling).toEqual(['3', '3'])
    expectRefusals(404)
    await fileRow('csv')
      .getByRole('link', { name: /^Download calls/ })
      .click()
    await closeError(page, 'No data found')
    expectRefusals()
    await goTo(page, '/my-exports', 'My Exports')
    await see(page, 'The export is gone: its campaign was deleted')
    await see(page, 'The export held calls of a campaign that was deleted, so its file is gone too: ask for it again')
    expect(
      await table()
        .getByRole('link', { name: /^Download/ })
        .count(),
    ).toBe(0)
    await expectAccessible(page, 'exports whose campaign was deleted')
  },
)
