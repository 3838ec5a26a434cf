import type { Role } from '@ghanti/contract/roles.ts'
import type { Page } from 'playwright-core'
import { screens as lines } from '../src/paths.ts'
import { chooseTemplate, fillIn } from './campaign.ts'
import { openListMenu } from './console.ts'

/** Fills in the addresses of single objects. */
export type Ids = Record<
  'campaignId' | 'attemptId' | 'testId' | 'smsCampaignId' | 'packId' | 'baseId' | 'repeatId' | 'bareSetupId',
  number
>

export type Screen = {
  name: string
  as: string
  path: (ids: Ids) => string
  /** Set for a screen as it opens. */
  component?: string
  /** Brings the screen into the state to examine; absent: as it opens. */
  open?: (page: Page) => Promise<unknown>
  /** A state of which `npm test` looks at another of its kind: a form that is refused, a dialog with a reason, a menu. */
  isAnother?: true
}

const usernameOf: Record<Role, string> = { user: 'user', reseller: 'reseller', superAdmin: 'superadmin' }
const userOfReseller = '4'
const customer = '5'

function addressOf(pattern: string, ids: Ids): string {
  const { campaignId, attemptId, testId, smsCampaignId, packId, baseId, repeatId } = ids
  const of: Record<string, string> = {
    ':campaignId': String(pattern.startsWith('/sms-') ? smsCampaignId : campaignId),
    ':attemptId': String(attemptId),
    ':testId': String(testId),
    ':packId': String(packId),
    ':base': String(baseId),
    ':repeatId': String(repeatId),
    ':selectedUserId': pattern.startsWith('/customers/') ? customer : userOfReseller,
    ':selectedDialerId': '1',
    ':selectedTrunkId': '1',
    ':trunkId': '1',
    ':selectedGatewayId': '1',
  }
  return pattern.replace(/:\w+/, (name) => of[name] ?? name)
}

const opened: Screen[] = lines.flatMap((line) =>
  (['user', 'reseller', 'superAdmin'] as const).flatMap((role) =>
    line.for[role] === undefined
      ? []
      : [
          {
            name: line.path,
            as: usernameOf[role],
            path: (ids: Ids) => addressOf(line.path, ids),
            component: line.screen,
          },
        ],
  ),
)

const screen = (as: string, name: string, path: string | Screen['path'], open?: Screen['open']): Screen => ({
  name,
  as,
  path: typeof path === 'string' ? () => path : path,
  ...(open ? { open } : {}),
})
const another: typeof screen = (...of) => ({ ...screen(...of), isAnother: true })
const action = (subject: string, item: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: `Take Action: ${subject}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('dialog').waitFor()
}

/** States of screens: filled in, refused, a menu or dialog open. */
const states: Screen[] = [
  screen('nobody', 'login', '/'),
  another('nobody', 'reset password, empty and refused', '/reset-pwd', (page) =>
    page.getByRole('button', { name: 'Submit' }).click(),
  ),
  screen('nobody', 'update password', '/update-pwd/no-such-link'),
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
  another('user', 'compose, empty and refused', '/add-voice-campaign', async (page) => {
    await page.getByRole('button', { name: 'Discard' }).click() // the previous screen's draft
    await chooseTemplate(page, 'Call Patch')
    await page.getByLabel('Schedule Call').check()
    await page.getByRole('button', { name: 'Compose Campaign' }).click()
    await page.getByRole('link', { name: 'Please add Agent Row' }).waitFor()
  }),
  another(
    'user',
    'a set-up that lacks what a campaign needs, and refused',
    ({ bareSetupId }) => `/add-voice-campaign?setup=${bareSetupId}`,
    async (page) => {
      await page.getByRole('button', { name: 'Send Now' }).click()
      await page.locator('main [aria-invalid=true]').first().waitFor()
    },
  ),
  another('user', 'summary with an open menu', '/voice-campaign-summary', async (page) => {
    await page.getByRole('button', { name: 'Take Action: Screens, done' }).click()
    await page.getByRole('menu').waitFor()
  }),
  screen('user', 'menu of a phone', '/voice-files', async (page) => {
    await page.setViewportSize({ width: 375, height: 812 })
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.locator('#sidebar[data-open]').waitFor()
  }),
  screen('user', 'days of a filter', '/voice-campaign-summary', async (page) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: 'Created' }).click()
    await page.getByRole('button', { name: 'Last 7 days' }).waitFor()
  }),
  another('user', 'views of a list', '/voice-campaign-summary?status=complete', async (page) => {
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByLabel('Name of the view').waitFor()
  }),
  another('user', 'columns of a list', '/voice-campaign-summary', async (page) => {
    await openListMenu(page)
    await page.getByRole('group', { name: 'Columns' }).waitFor()
  }),
  another('user', 'palette, nothing found', '/', async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Go to…' }).fill('zzzzzz')
    await page.getByRole('button', { name: 'Clear the search' }).waitFor()
  }),
  another('user', 'keys', '/', async (page) => {
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  }),
  another('user', 'day of a schedule', '/add-voice-campaign', async (page) => {
    await page.getByLabel('Schedule Call').check()
    await page.getByRole('button', { name: 'Open the calendar' }).click()
    await page.getByRole('dialog', { name: /Date/ }).waitFor()
  }),
  screen('user', 'stop?', '/voice-campaign-summary', action('Screens, later', /^Stop/)),
  another(
    'user',
    'what a contact hears',
    ({ campaignId }) => `/voice-campaign-summary/${campaignId}`,
    async (page) => {
      await page.getByRole('button', { name: 'Hear the call' }).click()
      await page.getByRole('button', { name: 'Start the call' }).click()
      await page.getByRole('button', { name: 'Hang up' }).waitFor()
    },
  ),
  another('user', 'upload voice file', '/add-voice-files', (page) =>
    page.getByRole('button', { name: 'Upload File' }).click(),
  ),
  another('user', 'new voice pack, empty and refused', '/voice-packs', async (page) => {
    await page.getByRole('button', { name: 'New Voice Pack' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  }),
  another(
    'superadmin',
    'reject recordings, with a reason?',
    ({ packId }) => `/voice-packs/${packId}`,
    async (page) => {
      await page.getByRole('button', { name: 'Reject all' }).click()
      await page.getByRole('dialog').getByLabel('Reason').waitFor()
    },
  ),
  screen('user', 'no such page', '/nowhere'),
  another('reseller', 'stop, with a reason?', '/voice-campaign-summary', action('Screens, later', /^Stop/)),
  screen('reseller', 'create user, empty and refused', '/create-user', (page) =>
    page.getByRole('button', { name: 'Create User' }).click(),
  ),
  another('reseller', 'change channels of a customer?', `/customers/${customer}`, async (page) => {
    await page.getByRole('button', { name: /^Take Action/ }).click()
    await page.getByRole('menuitem', { name: /^Change Channels/ }).click()
    await page.getByRole('dialog').waitFor()
  }),
  another('reseller', 'reset password?', '/user-list', action('user2', /^Reset Password/)),
  another('reseller', 'change channels?', '/user-list', action('user2', /^Change Channels/)),
  another('reseller', 'voice files of customers', '/voice-files?customers=1'),
  another('reseller', 'add voice plan, too cheap', '/add-voice-plan', async (page) => {
    await page.getByRole('combobox', { name: 'Pulse duration' }).click()
    await page.getByRole('option', { name: '60 s' }).click()
    await page.getByLabel('Pulse price').fill('1')
    await page.getByText('is too low').waitFor()
    await page.getByRole('button', { name: 'Add Voice Plan' }).click()
  }),
  another('superadmin', 'listen', '/voice-files', action('To be decided.wav', /^Listen/)),
  another('superadmin', 'disable, with a reason?', '/user-list', action('user2', /^Disable/)),
  another('superadmin', 'hours of one account', '/calling-hours', async (page) => {
    await page.getByRole('button', { name: 'Hours for one account' }).click()
    await page.getByRole('dialog').getByLabel('Reason').waitFor()
  }),
  another('superadmin', 'add CLI, empty and refused', '/add-cli', (page) =>
    page.getByRole('button', { name: 'Add CLI' }).click(),
  ),
  another('superadmin', 'allocate CLI, empty and refused', '/allocate-cli', (page) =>
    page.getByRole('button', { name: 'Allocate CLI' }).click(),
  ),
  another('superadmin', 'create dialer, empty and refused', '/create-dialer', (page) =>
    page.getByRole('button', { name: 'Create Dialer' }).click(),
  ),
  another('superadmin', 'test of a trunk', '/trunk-list', action('Simulated trunk', /^Test/)),
  another('superadmin', 'create route, empty and refused', '/sms-routes', async (page) => {
    await page.getByRole('button', { name: 'Create Route' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Add a Gateway' }).click()
    await dialog.getByRole('button', { name: 'Create Route' }).click()
    await dialog.getByText('is required').first().waitFor()
  }),
  another('superadmin', 'create trunk, empty and refused', '/create-trunk', (page) =>
    page.getByRole('button', { name: 'Create Trunk' }).click(),
  ),
]

/** Screens first, because from one to the next the page need not be reloaded. */
export const screens: readonly Screen[] = [...opened, ...states]
