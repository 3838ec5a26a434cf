// @module-tag exhaustive
// Cheaper: server/src/modules/prompts/prompts.test.ts has who decides on voice files, web/e2e/screens.test.ts the screen.
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { toneFile } from '../../server/src/testing/files/sound.ts'
import { polling } from '../../server/src/testing/timeouts.ts'
import { signInOver } from '../../server/src/testing/wire.ts'
import { address, expectAccessible, goTo, openBrowser, password, useBrowser } from './console.ts'

useBrowser()

const nameInFocus = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.outerHTML.slice(0, 200),
  )
const focusOn = (page: Page, name: string) => expect.poll(() => nameInFocus(page), polling).toBe(name)

/** Which dialog is open is said by its heading. */
async function answer(page: Page, title: string, ...keys: string[]): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  await expect.poll(() => dialog.locator(':focus').count(), polling).toBe(1)
  for (const key of keys) await page.keyboard.press(key)
  await dialog.waitFor({ state: 'detached' })
}

test('a super admin decides on voice files by keyboard alone: next, listen, approve, reject, several at once; those that wait come first', async () => {
  const user = await signInOver(address, 'user', password)
  for (const fileName of ['Keyed 1', 'Keyed 2', 'Keyed 3', 'Keyed 4', 'Keyed 5'])
    await user.ask(promptRoutes.upload, { waveFile: toneFile('keyed.wav', 1), fileName, promptCategory: 'thanks' })
  const admin = await openBrowser({ as: 'superadmin' })
  await goTo(admin, '/voice-files?search=Keyed', 'Prompts for Approval')
  await admin.getByText('j Next row').waitFor()
  await expectAccessible(admin, 'the keys of approval')
  const bell = admin.getByRole('link', { name: /^Notices.*waiting for you/ })
  await bell.waitFor()

  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => admin.keyboard.press(key)), Promise.resolve())
  // The letters load in the page's first idle moment.
  await expect
    .poll(async () => {
      await press('k')
      return nameInFocus(admin)
    }, polling)
    .toBe('Choose Keyed 1.wav')
  await press('j', 'j', 'k')
  await focusOn(admin, 'Choose Keyed 2.wav')
  await press('?')
  const keys = admin.getByRole('dialog', { name: 'Keys' })
  await keys.getByText('Approve', { exact: true }).waitFor()
  await press('Escape')
  await focusOn(admin, 'Choose Keyed 2.wav')
  await press('l')
  await answer(admin, 'Keyed 2.wav', 'Escape')
  await focusOn(admin, 'Choose Keyed 2.wav')

  await press('a')
  await answer(admin, 'Approve Keyed 2.wav?', 'Enter')
  await admin.getByText('Approved: Keyed 2.wav').waitFor()
  await focusOn(admin, 'Choose Keyed 3.wav')
  await press('r')
  await answer(admin, 'Reject Keyed 3.wav?', 'Tab', 'Enter')
  await focusOn(admin, 'Choose Keyed 4.wav')
  await press('/', 'End', 'r')
  await expect.poll(() => admin.getByRole('searchbox').inputValue(), polling).toBe('Keyedr')
  expect(await admin.getByRole('dialog').count(), 'letters while typing').toBe(0)
  await press('Backspace')
  await admin.waitForURL(/search=Keyed(&|$)/)
  await admin.getByRole('checkbox', { name: 'Choose Keyed 5.wav' }).waitFor()
  const tabbed = async () => {
    await press('Tab')
    return nameInFocus(admin)
  }
  await expect.poll(tabbed, { ...polling, interval: 1 }).toBe('Choose Keyed 1.wav')
  await press('Space', 'j', 'Space', 'a')
  await answer(admin, 'Approve 2 chosen?', 'Enter')
  await focusOn(admin, 'Choose Keyed 5.wav')
  await press('a')
  await answer(admin, 'Approve Keyed 5.wav?', 'Enter')
  await admin.getByText('Approved: Keyed 5.wav').waitFor()
  const listed = async () =>
    (await admin.getByRole('row').allInnerTexts()).flatMap((text) => /Keyed \d/.exec(text) ?? [])
  await expect.poll(listed, polling).toEqual(['Keyed 1', 'Keyed 2', 'Keyed 4', 'Keyed 5', 'Keyed 3'])
  await expect.poll(() => admin.evaluate(() => document.activeElement === document.body), polling).toBe(false)

  const decided = await user.ask(promptRoutes.list, { userId: user.userId, search: 'Keyed', sort: 'fileName' })
  expect(decided.map(({ promptStatus }) => promptStatus)).toEqual([1, 1, 2, 1, 1])
})

test('files that wait are heard one after the other, and each is decided with two keys', async () => {
  const user = await signInOver(address, 'user', password)
  for (const fileName of ['Twokeys 1', 'Twokeys 2', 'Twokeys 3'])
    await user.ask(promptRoutes.upload, { waveFile: toneFile('heard.wav', 1), fileName, promptCategory: 'thanks' })
  const admin = await openBrowser({ as: 'superadmin' })
  await goTo(admin, '/voice-files?search=Twokeys', 'Prompts for Approval')
  await admin.getByText('l Listen').waitFor()
  await expect
    .poll(async () => {
      await admin.keyboard.press('k')
      return nameInFocus(admin)
    }, polling)
    .toBe('Choose Twokeys 1.wav')
  await admin.keyboard.press('?')
  await admin.getByRole('dialog', { name: 'Keys' }).getByText('Approve what is heard, and hear the next').waitFor()
  await admin.keyboard.press('Escape')
  await focusOn(admin, 'Choose Twokeys 1.wav')
  await admin.keyboard.press('l')
  const player = (fileName: string) => admin.getByRole('dialog', { name: fileName })
  const yes = (fileName: string) =>
    expect.poll(() => player(fileName).locator('button:focus').allInnerTexts(), polling).toEqual(['YES'])
  await player('Twokeys 1.wav').getByText('1 of 3 that wait').waitFor()
  await expectAccessible(admin, 'the player of who decides')
  await admin.keyboard.press('n')
  await player('Twokeys 2.wav').getByRole('button', { name: 'Approve' }).waitFor()
  await admin.keyboard.press('a')
  await yes('Twokeys 2.wav')
  await admin.keyboard.press('Enter')
  await player('Twokeys 3.wav').getByText('2 of 2 that wait').waitFor()
  await admin.keyboard.press('r')
  await yes('Twokeys 3.wav')
  await admin.keyboard.press('Enter')
  await player('Twokeys 1.wav').getByText('1 of 1 that wait').waitFor()
  await admin.keyboard.press('a')
  await yes('Twokeys 1.wav')
  await admin.keyboard.press('Enter')
  await player('Twokeys 1.wav').waitFor({ state: 'detached' })
  const decided = await user.ask(promptRoutes.list, { userId: user.userId, search: 'Twokeys', sort: 'fileName' })
  expect(decided.map(({ promptStatus }) => promptStatus)).toEqual([1, 1, 2])
})

test('decisions that wait are counted in the bell and named where the bell leads', async () => {
  const user = await signInOver(address, 'user', password)
  const admin = await openBrowser({ as: 'superadmin' })
  await user.ask(promptRoutes.upload, {
    waveFile: toneFile('belled.wav', 1),
    fileName: 'Belled',
    promptCategory: 'thanks',
  })
  await goTo(admin, '/', 'Dashboard')
  await admin.getByRole('link', { name: /^Notices.*[1-9]\d* waiting for you/ }).click()
  await admin.getByRole('link', { name: /^Prompts for Approval \([1-9]/ }).click()
  await admin.getByRole('heading', { level: 1, name: 'Prompts for Approval' }).waitFor()
})
