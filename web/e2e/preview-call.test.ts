// @module-tag exhaustive
// Cheaper: server/src/modules/preview-calls/preview-calls.test.ts has the call, web/src/screens/preview-call/live-call.test.ts what the page makes of it.
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import { fillIn } from './campaign.ts'
import { address, expectRefusals, openBrowser, password, useBrowser } from './console.ts'

useBrowser()
let page: Page

test('before it is sent a campaign is heard as a row will hear it; keys of the keyboard and of the keypad are those of the telephone', async () => {
  const api = await signInOver(address, 'user', password)
  const before = await api.ask(voiceCampaignRoutes.list, { userId: api.userId })
  page = await openBrowser({ as: 'user' })
  const keyNames = { 1: 'Interested' }
  await fillIn(page, { name: 'Heard first', template: 'DTMF Input', keys: ['1'], keyNames, contacts: '12\n9841000001' })
  const heard = page.getByRole('complementary', { name: 'What the contacts will hear' })
  await heard.getByRole('button', { name: 'Start the call' }).press('Space')
  await heard.getByText('98410 00001').waitFor()
  await heard.getByText('Playing: Menu').waitFor()
  await expect.poll(() => heard.locator('[aria-current=step]').innerText()).toMatch(/^Menu\n?Menu \(demo tone\)\.wav$/)
  await page.keyboard.press('5')
  await heard.getByRole('status').getByText('Key 5: not one of the menu’s keys').waitFor()
  await heard.getByText('Waiting for a key').waitFor()
  await heard.getByRole('group', { name: 'Keypad' }).getByRole('button', { name: '1', exact: true }).click()
  await heard.getByText('The call is over').waitFor()
  const transcript = await heard.getByRole('region', { name: 'Transcript' }).getByRole('listitem').allInnerTexts()
  expect(transcript.toReversed().map((line) => line.replace(/^\d:\d\d\s+/, ''))).toEqual([
    'Answered',
    'Menu',
    'Key 5: not one of the menu’s keys',
    'Menu',
    'Waits 5 s for a key',
    'Key 1 (Interested): accepted',
    'The call ended by itself',
  ])
  await heard.getByRole('button', { name: 'Previous row' }).click()
  await heard.getByText('This row will not be called: the number is too short.').waitFor()
  expect(await heard.getByRole('button', { name: 'Start the call' }).isDisabled()).toBe(true)
  expect(await api.ask(voiceCampaignRoutes.list, { userId: api.userId }), 'nothing was composed').toEqual(before)
})

test('a campaign being composed is tried on the composer’s own telephone; the dialog shows what happens there', async () => {
  const api = await signInOver(address, 'user', password)
  await page.getByRole('button', { name: 'Test call' }).click()
  const dialog = page.getByRole('dialog', { name: 'Heard first' })
  await dialog.getByText('it is charged like any call and is not counted in the campaign').waitFor()
  expectRefusals(400)
  await dialog.getByLabel('Your own numbers').fill('9841000011, 12')
  await dialog.getByRole('button', { name: 'Call now' }).click()
  await dialog.getByText('12 is too short').waitFor()
  expectRefusals()
  await dialog.getByLabel('Your own numbers').fill('9841000011')
  await dialog.getByRole('button', { name: 'Call now' }).click()
  await dialog.getByText(/^The test is over\. It cost Rs/).waitFor()
  await dialog.getByText('Plays Menu (Menu (demo tone).wav)').waitFor()
  await dialog.getByText('Key 1 (Interested)').waitFor()
  await dialog.getByRole('button', { name: 'Call again' }).click()
  expect(await dialog.getByLabel('Your own numbers').inputValue()).toBe('9841000011')
  expect(JSON.stringify(await api.ask(voiceCampaignRoutes.list, { userId: api.userId }))).not.toContain('Heard first')
})
