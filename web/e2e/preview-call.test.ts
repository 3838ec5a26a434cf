import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import { fillIn } from './campaign.ts'
import { address, openBrowser, password, useBrowser } from './console.ts'

useBrowser()

test('before it is sent a campaign is heard as a row will hear it; keys of the keyboard and of the keypad are those of the telephone', async () => {
  const api = await signInOver(address, 'user', password)
  const before = await api.ask(voiceCampaignRoutes.list, { userId: api.userId })
  const page = await openBrowser({ as: 'user' })
  await fillIn(page, { name: 'Heard first', template: 'DTMF Input', keys: ['1'], contacts: '12\n9841000001' })
  await page.getByRole('button', { name: 'Hear the call' }).click()
  const heard = page.getByRole('dialog', { name: 'What the contacts will hear' })
  await heard.getByText('98410 00001').waitFor()
  await heard.getByRole('button', { name: 'Start the call' }).press('Space')
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
    'Key 1: accepted',
    'The call ended by itself',
  ])
  await heard.getByRole('button', { name: 'Previous row' }).click()
  await heard.getByText('This row will not be called: the number is too short.').waitFor()
  expect(await heard.getByRole('button', { name: 'Start the call' }).isDisabled()).toBe(true)
  expect(await api.ask(voiceCampaignRoutes.list, { userId: api.userId }), 'nothing was composed').toEqual(before)
})
