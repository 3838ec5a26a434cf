import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { platformRoutes } from '@ghanti/contract/platform.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { voiceRoutes } from '@ghanti/contract/voices.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { toneFile } from '../../server/src/testing/sound.ts'
import { patient } from '../../server/src/testing/patience.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { chooseTemplate, fillIn } from './campaign.ts'
import {
  address,
  desktop,
  expectAccessible,
  goTo,
  openBrowser,
  password,
  phone,
  type Rules,
  useBrowser,
} from './console.ts'

useBrowser()
const pages = new Map<string, Page>()
let admin: Caller
let campaignId: number
let dialBlockId: number
let packId: number
const tomorrow = nepalTimeOf(new Date(Date.now() + 24 * 3600_000))

/** What the screens have to show: a campaign that is complete, one that waits, a voice file to decide on, an account that is stopped. */
beforeAll(async () => {
  const api = await signInOver(address, 'user', password)
  admin = await signInOver(address, 'superadmin', password)
  const [line] = await api.ask(lineRoutes.clisOfUser, { userId: api.userId })
  const [menu] = await api.ask(promptRoutes.list, { userId: api.userId, promptCategory: 'menu', promptStatus: '1' })
  const contactList = '9841000001\n9841000011\n9841000050\nnonsense\n9841000050'
  const { baseId } = await api.ask(contactRoutes.paste, { contactList })
  const campaign = {
    templateId: 1,
    cli: line?.cli,
    baseId,
    menuPId: menu?.promptId,
    dtmf: '1,2',
    menuWaitTime: 3,
    rePrompt: 1,
  }
  const done = await api.ask(composeRoutes.compose, { ...campaign, campaignName: 'Screens, done' })
  await api.ask(composeRoutes.compose, {
    ...campaign,
    campaignName: 'Screens, later',
    scheduleTime: tomorrow,
  })
  campaignId = done.campaignId
  const waveFile = toneFile('x.wav', 1)
  await api.ask(promptRoutes.upload, { waveFile, fileName: 'To be decided', promptCategory: 'thanks' })
  packId = (await api.ask(voiceRoutes.create, { name: 'To be heard', language: 'ne' })).packId
  await api.ask(voiceRoutes.upload, { packId, voiceFile: toneFile('may.wav', 1) })
  const [target] = await admin.ask(platformRoutes.dialTargets, { kind: 'account', search: 'user2' })
  const stop = { kind: 'account', targetId: target?.targetId, reason: 'Screens' }
  dialBlockId = (await admin.ask(platformRoutes.stopDialling, stop)).dialBlockId
  const isOver = async () => expect((await api.ask(voiceCampaignRoutes.detail, { campaignId })).campaignStatus).toBe(2)
  await vi.waitFor(isOver, patient)
  for (const as of ['user', 'reseller', 'superadmin']) pages.set(as, await openBrowser({ as }))
  pages.set('nobody', await openBrowser())
})
afterAll(() => admin.ask(platformRoutes.allowDialling, { dialBlockId }))

type Screen = { name: string; as: string; path: () => string; open?: (page: Page) => Promise<unknown> }
const screen = (as: string, name: string, path: string | (() => string), open?: Screen['open']): Screen => ({
  name,
  as,
  path: typeof path === 'string' ? () => path : path,
  ...(open ? { open } : {}),
})
const action = (subject: string, item: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: `Take Action: ${subject}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('dialog').waitFor()
}

const screens: Screen[] = [
  screen('nobody', 'login', '/'),
  screen('nobody', 'reset password, empty and refused', '/reset-pwd', (page) =>
    page.getByRole('button', { name: 'Submit' }).click(),
  ),
  screen('nobody', 'update password', '/update-pwd/no-such-link'),
  screen('user', 'dashboard', '/'),
  screen('user', 'compose, filled in', '/add-voice-campaign', (page) =>
    fillIn(page, { name: 'Screens', template: 'DTMF Input', keys: ['1'], contacts: '9841000001\n12' }),
  ),
  screen('user', 'review', '/add-voice-campaign', async (page) => {
    await page.getByRole('complementary', { name: 'Estimate' }).getByText('at most Rs').waitFor()
    await page.getByRole('button', { name: 'Send Now' }).click()
    await page
      .getByRole('dialog', { name: 'Review' })
      .getByText(/^Calls/)
      .waitFor()
  }),
  screen('user', 'compose, empty and refused', '/add-voice-campaign', async (page) => {
    await page.getByRole('button', { name: 'Discard' }).click() // the draft of the screen before
    await chooseTemplate(page, 'Call Patch')
    await page.getByLabel('Schedule Call').check()
    await page.getByRole('button', { name: 'Compose Campaign' }).click()
    await page.getByText('Please add Agent Row').waitFor()
  }),
  screen('user', 'summary', '/voice-campaign-summary'),
  screen('user', 'summary with an open menu', '/voice-campaign-summary', async (page) => {
    await page.getByRole('button', { name: 'Take Action: Screens, done' }).click()
    await page.getByRole('menu').waitFor()
  }),
  screen('user', 'stop?', '/voice-campaign-summary', action('Screens, later', /^Stop/)),
  screen('user', 'campaign detail', () => `/voice-campaign-summary/${campaignId}`),
  screen(
    'user',
    'what a contact hears',
    () => `/voice-campaign-summary/${campaignId}`,
    async (page) => {
      await page.getByRole('button', { name: 'Hear the call' }).click()
      await page.getByRole('button', { name: 'Start the call' }).click()
      await page.getByRole('button', { name: 'Hang up' }).waitFor()
    },
  ),
  screen('user', 'upload voice file', '/add-voice-files', (page) =>
    page.getByRole('button', { name: 'Upload File' }).click(),
  ),
  screen('user', 'contact files', '/contact-files'),
  screen('user', 'voice files', '/voice-files'),
  screen('user', 'voice packs', '/voice-packs'),
  screen('user', 'voice pack', () => `/voice-packs/${packId}`),
  screen('user', 'new voice pack, empty and refused', '/voice-packs', async (page) => {
    await page.getByRole('button', { name: 'New Voice Pack' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  }),
  screen(
    'superadmin',
    'reject recordings, with a reason?',
    () => `/voice-packs/${packId}`,
    async (page) => {
      await page.getByRole('button', { name: 'Reject all' }).click()
      await page.getByRole('dialog').getByLabel('Reason').waitFor()
    },
  ),
  screen('user', 'add blacklist number', '/add-voice-blacklist'),
  screen('user', 'bulk blacklist upload', '/bulk-voice-blacklist'),
  screen('user', 'blacklist', '/voice-blacklist'),
  screen('reseller', 'blacklist', '/voice-blacklist'),
  screen('superadmin', 'blacklist', '/voice-blacklist'),
  screen('user', 'credits history', '/credits-history'),
  screen('user', 'notices', '/notices'),
  screen('user', 'profile', '/user-profile', (page) => page.getByRole('table', { name: 'Notices' }).waitFor()),
  screen('user', 'no such page', '/nowhere'),
  screen('reseller', 'dashboard', '/'),
  screen('reseller', 'campaigns', '/voice-campaign-summary'),
  screen('reseller', 'stop, with a reason?', '/voice-campaign-summary', action('Screens, later', /^Stop/)),
  screen('reseller', 'users', '/user-list'),
  screen('reseller', 'create user, empty and refused', '/create-user', (page) =>
    page.getByRole('button', { name: 'Create User' }).click(),
  ),
  screen('superadmin', 'update user', '/update-user/4', (page) => page.getByLabel('Pincode').waitFor()),
  screen('reseller', 'reset password?', '/user-list', action('user2', /^Reset Password/)),
  screen('reseller', 'change channels?', '/user-list', action('user2', /^Change Channels/)),
  screen('reseller', 'voice files of customers', '/voice-files?customers=1'),
  screen('reseller', 'credits history', '/credits-history'),
  screen('reseller', 'monthly statement', '/credits-statement'),
  screen('user', 'monthly statement', '/credits-statement'),
  screen('reseller', 'voice plans', '/voice-plans'),
  screen('reseller', 'add voice plan, too cheap', '/add-voice-plan', async (page) => {
    await page.getByRole('combobox', { name: 'Pulse duration' }).click()
    await page.getByRole('option', { name: '60 s' }).click()
    await page.getByLabel('Pulse price').fill('1')
    await page.getByText('is too low').waitFor()
    await page.getByRole('button', { name: 'Add Voice Plan' }).click()
  }),
  screen('superadmin', 'voice plans', '/voice-plans'),
  screen('superadmin', 'prompts for approval', '/voice-files'),
  screen('superadmin', 'listen', '/voice-files', action('To be decided.wav', /^Listen/)),
  screen('superadmin', 'campaigns', '/voice-campaign-summary'),
  screen('superadmin', 'users', '/user-list'),
  screen('superadmin', 'disable, with a reason?', '/user-list', action('user2', /^Disable/)),
  screen('superadmin', 'credits history', '/credits-history'),
  screen('superadmin', 'stop all dialling', '/stop-dialling'),
  screen('superadmin', 'super admins', '/super-admins'),
  screen('superadmin', 'alerts', '/alerts'),
  screen('reseller', 'branding', '/branding', (page) => page.getByLabel('Company name').waitFor()),
  screen('superadmin', 'audit log', '/audit-log'),
  screen('superadmin', 'calling hours', '/calling-hours', (page) => page.getByLabel('Keep to calling hours').waitFor()),
  screen('superadmin', 'settings', '/settings', (page) => page.getByLabel('Answered calls from one account').waitFor()),
  screen('superadmin', 'hours of one account', '/calling-hours', async (page) => {
    await page.getByRole('button', { name: 'Hours for one account' }).click()
    await page.getByRole('dialog').getByLabel('Reason').waitFor()
  }),
  screen('superadmin', 'branding', '/branding', (page) => page.getByLabel('Company name').waitFor()),
  screen('user', 'CLIs', '/cli-list'),
  screen('reseller', 'CLIs', '/cli-list'),
  screen('superadmin', 'CLIs', '/cli-list'),
  screen('superadmin', 'allocated CLIs', '/allocated-cli-list'),
  screen('superadmin', 'add CLI, empty and refused', '/add-cli', (page) =>
    page.getByRole('button', { name: 'Add CLI' }).click(),
  ),
  screen('superadmin', 'upload CLIs', '/upload-cli', (page) => page.getByLabel('Upload type').waitFor()),
  screen('superadmin', 'allocate CLI, empty and refused', '/allocate-cli', (page) =>
    page.getByRole('button', { name: 'Allocate CLI' }).click(),
  ),
  screen('superadmin', 'dialers', '/dialer-list'),
  screen('superadmin', 'create dialer, empty and refused', '/create-dialer', (page) =>
    page.getByRole('button', { name: 'Create Dialer' }).click(),
  ),
  screen('superadmin', 'update dialer', '/update-dialer/1', (page) => page.getByLabel('Update CPS').waitFor()),
  screen('superadmin', 'trunks', '/trunk-list'),
  screen('superadmin', 'test of a trunk', '/trunk-list', action('Simulated trunk', /^Test/)),
  screen('superadmin', 'create trunk, empty and refused', '/create-trunk', (page) =>
    page.getByRole('button', { name: 'Create Trunk' }).click(),
  ),
  screen('superadmin', 'update trunk', '/update-trunk/1', (page) => page.getByLabel('SIP host').waitFor()),
]

type Look = { take: (page: Page) => Promise<unknown>; rules: Rules }
/** What is on screen in the four looks; the switches that open dialogs cover are worked from outside. */
const looks: Record<string, Look> = {
  light: { take: async () => undefined, rules: 'all' },
  dark: { take: (page) => page.emulateMedia({ colorScheme: 'dark' }), rules: 'colours' },
  phone: {
    take: async (page) => {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(phone)
    },
    rules: 'all',
  },
  Nepali: {
    take: async (page) => {
      await page.setViewportSize(desktop)
      await page.getByRole('button', { name: 'ने', includeHidden: true }).dispatchEvent('click')
      await page.waitForFunction(() => document.documentElement.lang === 'ne')
    },
    rules: 'all but colours',
  },
}

const roles = [...new Set(screens.map(({ as }) => as))]
/** Each role has a browser of his own, so they look at the same time. */
describe.concurrent.each(roles)('%s', (role) => {
  const own = screens.filter(({ as }) => as === role)
  test.each(own)(
    '$name: nothing keeps anybody from using it: light, dark, on a phone, in Nepali',
    { concurrent: false },
    async ({ path, open }) => {
      const page = pages.get(role)
      if (!page) throw new Error(`nobody is ${role}`)
      await goTo(page, path())
      await open?.(page)
      for (const [look, { take, rules }] of Object.entries(looks)) {
        await take(page)
        await expectAccessible(page, look, rules)
      }
      await page.evaluate(() => localStorage.removeItem('ghanti-language'))
    },
  )
})
