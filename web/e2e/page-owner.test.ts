// @module-tag exhaustive
// Cheaper: server/src/http/requests/page-owner.test.ts has the refusal, sign-in.test.ts beside this one tab after another account signs in.
import { blacklistRoutes } from '@ghanti/contract/blacklist.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import { address, expectAccessible, expectRefusals, goTo, openBrowser, password, see, useBrowser } from './console.ts'

useBrowser()

async function logIn(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

test('after a sign-in in another tab nothing is done by the wrong account, and nothing typed is lost', async () => {
  const first = await openBrowser()
  const second = await first.context().newPage()
  await goTo(first, '/add-voice-blacklist')
  await goTo(second, '/')
  // Opened later, the stream would tell of the sign-in before anything is done.
  const stream = first.waitForResponse((reply) => reply.url().includes(voiceCampaignRoutes.events.path))
  await logIn(first, 'user')
  await stream
  await first.getByLabel('Mobile number').fill('9851555077')
  await logIn(second, 'user2')
  await second.getByRole('heading', { name: 'Dashboard' }).waitFor()
  expectRefusals(409)
  await first.getByRole('button', { name: 'Add Number' }).click()
  const notice = first.getByRole('dialog', { name: 'You are signed in as user2 in another window' })
  await notice.getByText('This page belongs to user,').waitFor()
  await expectAccessible(first, 'the notice')
  await notice.getByRole('button', { name: 'Close' }).last().click()
  expect(await first.getByLabel('Mobile number').inputValue()).toBe('9851555077')
  expect(await first.getByRole('dialog').count()).toBe(0)
  const user2 = await signInOver(address, 'user2', password)
  const added = async () =>
    (await user2.ask(blacklistRoutes.list, { userId: user2.userId })).map(({ mobile }) => mobile)
  expect(await added()).not.toContain('9851555077')

  await first.getByRole('button', { name: 'Add Number' }).click()
  await notice.getByRole('button', { name: 'Reload the page' }).click()
  await see(first, 'user2')
  expectRefusals()
  await first.getByLabel('Mobile number').fill('9851555078')
  await first.getByRole('button', { name: 'Add Number' }).click()
  await first.getByRole('heading', { name: 'Voice Blacklist' }).waitFor()
  expect(await added()).toContain('9851555078')
})
