// @module-tag exhaustive
// Cheaper: server/src/modules/prompts/prompts.test.ts has whose files and who hears them, web/src/screens/prompts/upload-voice-files.test.tsx the form.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { toneFile } from '../../server/src/testing/files/sound.ts'
import { flacFile, mp3File, oggFile } from '../src/testing/kinds-of-sound.ts'
import {
  bytesOf,
  chooseAction,
  chooseOption,
  closeError,
  confirmWith,
  downloadedBy,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  openListMenu,
  see,
  useBrowser,
} from './console.ts'

/** upload-voice-files.test.tsx has several files at once, and what each of them says. */
const exhaustive = { tags: ['exhaustive'] }

useBrowser()
let user: Page
let admin: Page
beforeAll(async () => {
  ;[user, admin] = await Promise.all([openBrowser({ as: 'user' }), openBrowser({ as: 'superadmin' })])
})

async function upload(name: string, category: string, file: { name: string; mimeType: string; buffer: Buffer }) {
  await goTo(user, '/add-voice-files', 'Upload Voice File')
  await user.locator('input[type=file]').setInputFiles(file)
  await chooseOption(user, 'Category', category)
  await user.getByLabel('File name').fill(name)
  await user.getByRole('button', { name: 'Upload File' }).click()
}
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('a file that is no sound is refused in words, a wav that cannot be read in those of the API', async () => {
  await upload('Not a sound', 'Welcome', {
    name: 'song.mp3',
    mimeType: 'audio/mpeg',
    buffer: Buffer.from('Dear customers, your premium is due'),
  })
  await see(user, 'There is no sound in this file that can be read')
  await see(user, 'Voice file is required')
  const picker = user.locator('input[type=file]')
  await picker.setInputFiles({ name: 'clip.png', mimeType: 'image/png', buffer: Buffer.from('x') })
  await see(user, 'A picture is not a supported format. Choose a sound file, such as mp3, m4a or wav')
  await upload('Broken', 'Welcome', {
    name: 'broken.wav',
    mimeType: 'audio/wav',
    buffer: (await bytesOf(toneFile('broken.wav', 1))).buffer.subarray(0, 40),
  })
  await see(user, /^Voice file has a broken header/)
})

test(
  'several sounds of any kind are uploaded at once; a refused one, like one that is silent, says why',
  exhaustive,
  async () => {
    await goTo(user, '/add-voice-files', 'Upload Voice File')
    const tone = Int16Array.from({ length: 32_000 }, (_, n) => 9000 * Math.sin(n / 6))
    const files = [toneFile('Festival.wav', 2), flacFile('Festival menu.flac', tone), oggFile(2), mp3File(400)]
    const text = new File(['Dear customers'], 'letter.mp3', { type: 'audio/mpeg' })
    await user.locator('input[type=file]').setInputFiles(await Promise.all([...files, text].map(bytesOf)))
    const of = (name: string) => user.getByRole('listitem', { name })
    await of('letter.mp3').getByText('There is no sound in this file that can be read').waitFor()
    await of('Long talk.mp3').getByText('3:00 of 6:40').waitFor()
    await of('Long talk.mp3').getByRole('slider', { name: 'Ends at' }).press('Home')
    await of('Long talk.mp3').getByText('0:00 of 6:40').waitFor()
    await of('Festival.wav').getByText('Good volume').waitFor()
    await of('Festival menu.flac').getByLabel('Category').selectOption('Menu')
    await of('Thanks.ogg').getByLabel('File name').fill('festival')
    await user.locator('[data-path=promptCategory]').click()
    await user.getByRole('listbox').getByRole('option', { name: 'Thanks' }).click()
    await expectAccessible(user, 'several voice files')
    expectRefusals(400, 409)
    await user.getByRole('button', { name: 'Upload 4 Files' }).click()
    await see(user, 'Uploaded: 2. Not uploaded: 3, each with its reason below.')
    await of('Thanks.ogg').getByText('File name is the name of another of your voice files').waitFor()
    expectRefusals()
  },
)

test('an uploaded file waits for the super admin, who listens to it and approves it', async () => {
  await upload('Dashain greeting', 'Welcome', await bytesOf(toneFile('greeting.wav', 2)))
  await user.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'OK' }).click()
  await user.getByRole('heading', { name: 'View Voice Files' }).waitFor()
  await rowOf(user, 'Dashain greeting.wav').getByText('Pending').waitFor()

  await goTo(admin, '/voice-files', 'Prompts for Approval')
  await chooseAction(admin, 'Dashain greeting.wav', 'Listen')
  const player = admin.getByRole('dialog', { name: 'Dashain greeting.wav' })
  const position = player.getByRole('slider', { name: 'Position' })
  await expect.poll(() => position.getAttribute('aria-valuetext')).toMatch(/ of 2 seconds$/)
  await player.locator('[data-peaks=true]').first().waitFor()
  await position.press('End')
  await expect.poll(() => position.getAttribute('aria-valuetext')).toBe('2 seconds of 2 seconds')
  await admin.keyboard.press('Escape')
  await chooseAction(admin, 'Dashain greeting.wav', 'Approve')
  await confirmWith(admin, 'Dashain greeting.wav', 'Are you sure you want to approve this file?')
  await rowOf(admin, 'Dashain greeting.wav').getByText('Pending').waitFor({ state: 'detached' })

  await openListMenu(user)
  await user.getByRole('button', { name: 'Refresh' }).click()
  await rowOf(user, 'Dashain greeting.wav').getByText('Approved').waitFor()
})

test('another is rejected with a reason, which its owner reads', async () => {
  await upload('Too quiet', 'Thanks', await bytesOf(toneFile('quiet.wav', 1)))
  await user.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'OK' }).click()
  await openListMenu(admin)
  await admin.getByRole('button', { name: 'Refresh' }).click()
  await chooseAction(admin, 'Too quiet.wav', 'Reject')
  await confirmWith(admin, 'Too quiet.wav', 'Are you sure you want to reject this file?', 'Nobody can hear it')
  await openListMenu(user)
  await user.getByRole('button', { name: 'Refresh' }).click()
  await rowOf(user, 'Too quiet.wav').getByText('Rejected').waitFor()
  await rowOf(user, 'Too quiet.wav').getByText('Reason: Nobody can hear it').waitFor()
})

test('a reseller’s own files stand alone; those of customers on request with their owners, to listen to and no more', async () => {
  const reseller = await openBrowser({ as: 'reseller' })
  await goTo(reseller, '/add-voice-files', 'Upload Voice File')
  await reseller.locator('input[type=file]').setInputFiles(await bytesOf(toneFile('own.wav', 1)))
  await chooseOption(reseller, 'Category', 'Welcome')
  await reseller.getByLabel('File name').fill('Of the reseller')
  await reseller.getByRole('button', { name: 'Upload File' }).click()
  await reseller.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'OK' }).click()
  await rowOf(reseller, 'Of the reseller.wav').waitFor()
  expect(await rowOf(reseller, 'Too quiet.wav').count()).toBe(0)
  expect(await reseller.getByRole('columnheader', { name: 'Uploaded By' }).count()).toBe(0)

  await reseller.getByText('Of my customers', { exact: true }).click()
  await rowOf(reseller, 'Too quiet.wav').getByRole('cell', { name: 'user', exact: true }).waitFor()
  expect(await rowOf(reseller, 'Of the reseller.wav').count()).toBe(0)
  await expectAccessible(reseller, 'voice files of customers')
  await reseller.getByRole('button', { name: 'Take Action: Too quiet.wav' }).click()
  await reseller.getByRole('menuitem', { name: 'Listen' }).waitFor()
  expect(await reseller.getByRole('menuitem').allInnerTexts()).toEqual(['Listen'])
  await reseller.keyboard.press('Escape')
  await reseller.reload()
  await rowOf(reseller, 'Too quiet.wav').waitFor()

  await reseller.getByText('My own', { exact: true }).click()
  await chooseAction(reseller, 'Of the reseller.wav', 'Delete')
  await confirmWith(reseller, 'Of the reseller.wav', 'Are you sure you want to delete this file?')
  await rowOf(reseller, 'Of the reseller.wav').waitFor({ state: 'detached' })
})

test('its owner downloads and deletes it; a second of the same name is refused', async () => {
  const sound = await downloadedBy(user, () => chooseAction(user, 'Too quiet.wav', 'Download'))
  expect([sound.name, sound.bytes.toString('latin1', 0, 4)]).toEqual(['Too quiet.wav', 'RIFF'])
  expectRefusals(409)
  await upload('too QUIET', 'Thanks', await bytesOf(toneFile('quiet.wav', 1)))
  await closeError(user, 'Request Failed!! Please try again')
  await see(user, 'File name is the name of another of your voice files')
  expectRefusals()
  await goTo(user, '/voice-files', 'View Voice Files')
  await chooseAction(user, 'Too quiet.wav', 'Delete')
  await confirmWith(user, 'Too quiet.wav', 'Are you sure you want to delete this file?')
  await rowOf(user, 'Too quiet.wav').waitFor({ state: 'detached' })
})

test('words of a voice pack are uploaded together, approved by the super admin and heard; a refused one says why', async () => {
  await goTo(user, '/voice-packs', 'Voice Packs')
  await user.getByRole('button', { name: 'New Voice Pack' }).click()
  await user.getByRole('dialog').getByLabel('Name').fill('Sita')
  await user.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await user.getByRole('heading', { name: 'Sita' }).waitFor()
  const choosing = user.waitForEvent('filechooser')
  await user.getByRole('button', { name: 'Upload recordings' }).click()
  const recordings = ['may.wav', 'वैशाख.wav', 'hello.wav'].map((name) => bytesOf(toneFile(name, 1)))
  expectRefusals(400)
  await (await choosing).setFiles(await Promise.all(recordings))
  await see(user, '2 words were accepted. Calls play them once they are approved.')
  await see(user, 'hello.wav does not have the name of a word in the list')
  expectRefusals()

  await goTo(admin, '/voice-packs?waiting=1', 'Voice Packs')
  await admin.getByRole('link', { name: 'Sita' }).click()
  await admin.getByRole('button', { name: 'Listen to all that wait' }).click()
  await admin
    .getByRole('dialog', { name: 'Sita' })
    .getByText(/^Recording [12] of 2$/)
    .waitFor()
  await admin.keyboard.press('Escape')
  await admin.getByRole('button', { name: 'Approve all' }).click()
  await confirmWith(
    admin,
    'Sita',
    'Are you sure you want to approve the recordings that wait (2)? Calls will play them.',
  )
  await admin.getByRole('button', { name: 'Approve all' }).waitFor({ state: 'detached' })

  await openListMenu(user)
  await user.getByRole('button', { name: 'Refresh' }).click()
  await user.getByRole('searchbox').fill('may')
  await rowOf(user, 'may.wav').getByText('Approved').waitFor()
  await chooseAction(user, 'मे', 'Listen')
  await user.getByRole('dialog', { name: 'मे' }).getByRole('slider', { name: 'Position' }).waitFor()
})
