// @module-tag exhaustive
// Cheaper: server/src/modules/notices/notices.test.ts and mails.test.ts have when a notice comes, and how.
import { noticeRoutes } from '@ghanti/contract/notices.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { expect, test } from 'vitest'
import { toneFile } from '../../server/src/testing/files/sound.ts'
import { signInOver } from '../../server/src/testing/wire.ts'
import { address, goTo, openBrowser, password, see, useBrowser } from './console.ts'

useBrowser()

test('the bell counts what is new while one looks; the notice leads to its thing, is read then, and goes by mail when chosen', async () => {
  const page = await openBrowser({ as: 'user2' })
  await goTo(page, '/user-profile', 'Profile')
  await page.getByLabel('By e-mail: a voice file is rejected').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await see(page, 'Your choice of notices was saved')
  const user = await signInOver(address, 'user2', password)
  const admin = await signInOver(address, 'superadmin', password)
  const rejected = async (fileName: string) => {
    const sent = { waveFile: toneFile('x.wav', 1), fileName, promptCategory: 'thanks' }
    const { promptId } = await user.ask(promptRoutes.upload, sent)
    await admin.ask(promptRoutes.reject, { promptId, reason: 'it is too loud' })
  }
  await goTo(page, '/notices', 'Notices')
  // The number comes after the page, and counts what other tests' campaigns of this account did.
  const unread = page.getByRole('link', { name: /^Notices, [1-9]\d* unread$/ })
  await rejected('Loud before')
  await unread.waitFor()
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await page.getByRole('link', { name: 'Notices', exact: true }).waitFor()

  await rejected('Too loud')
  await unread.waitFor()
  const row = page.getByRole('row', { name: /Voice file Too loud is rejected/ })
  await row.getByText('it is too loud').waitFor()
  await row.getByRole('link').click()
  await page.getByRole('heading', { name: 'View Voice Files' }).waitFor()
  const [last] = await user.ask(noticeRoutes.list, { kind: 'promptRejected' })
  expect(last).toMatchObject({ about: 'Too loud', read: true })
  await see(page, 'Too loud.wav')

  const mailed = async () => (await fetch(`${address}/api/mailbox`)).text()
  await expect.poll(mailed, { interval: 500 }).toContain('Voice file rejected')
})
