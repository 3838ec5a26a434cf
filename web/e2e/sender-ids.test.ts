// @module-tag exhaustive
// Cheaper: server/src/modules/sms-senders/sms-senders.test.ts has who approves, web/e2e/screens.test.ts the screens.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { chooseAction, confirmWith, expectRefusals, goTo, openBrowser, see, seeDone, useBrowser } from './console.ts'

useBrowser()
let user: Page
let admin: Page
beforeAll(async () => {
  user = await openBrowser({ as: 'user' })
  admin = await openBrowser({ as: 'superadmin' })
})
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('a user asks for a sender ID, the super admin approves it for two operators, and rejects it later with a reason', async () => {
  await goTo(user, '/sms-sender-ids', 'Sender IDs')
  await user.getByRole('button', { name: 'Ask for a Sender ID' }).click()
  const asking = user.getByRole('dialog', { name: 'Ask for a Sender ID' })
  expectRefusals(400)
  await asking.getByLabel('Sender ID').fill('!!!')
  await asking.getByRole('button', { name: 'Ask for it' }).click()
  await see(user, 'must be 1 to 11 characters that every telephone shows')
  expectRefusals()
  await asking.getByLabel('Sender ID').fill('Tihar2083')
  await asking.getByRole('button', { name: 'Ask for it' }).click()
  await seeDone(user, 'Tihar2083 now waits for approval')
  await rowOf(user, 'Tihar2083').getByText('Pending').waitFor()

  await goTo(admin, '/sms-sender-ids', 'Sender IDs')
  await chooseAction(admin, 'Tihar2083', 'Approve')
  const approving = admin.getByRole('dialog', { name: 'Approve Tihar2083' })
  await approving.getByLabel('Smart Telecom').uncheck()
  await approving.getByLabel('Other operators').uncheck()
  await approving.getByRole('button', { name: 'Approve' }).click()
  await seeDone(admin, 'Tihar2083 is approved')
  await rowOf(admin, 'Tihar2083').getByText('Nepal Telecom, Ncell', { exact: true }).waitFor()

  await goTo(user, '/sms-sender-ids', 'Sender IDs')
  await rowOf(user, 'Tihar2083').getByText('Approved').waitFor()
  await chooseAction(admin, 'Tihar2083', 'Reject')
  await confirmWith(
    admin,
    'Tihar2083',
    'Are you sure you want to reject this sender ID? Running campaigns stop sending with it within seconds and wait, and no new one can use it.',
    'Of another company',
  )
  await rowOf(admin, 'Tihar2083').getByText('Reason: Of another company').waitFor()
})

test('a text is written with its size in view, kept, changed and deleted', async () => {
  await goTo(user, '/sms-texts', 'Message Texts')
  await user.getByRole('button', { name: 'Add Text' }).click()
  const form = user.getByRole('dialog', { name: 'Add Text' })
  await form.getByLabel('Name').fill('Greeting')
  await form.getByLabel('Text', { exact: false }).last().fill('Shubha Dipawali {name}')
  await form.getByText('22 characters, counted as 24 · 1 segment').waitFor()
  await form.getByLabel('Text', { exact: false }).last().fill('शुभ दीपावली')
  await form.getByText('‘श’ makes it Unicode').waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await seeDone(user, 'Greeting is saved')
  await rowOf(user, 'Greeting').getByText('Approved').waitFor()
  await chooseAction(user, 'Greeting', 'Delete')
  await confirmWith(user, 'Greeting', 'Are you sure you want to delete this text?')
  await rowOf(user, 'Greeting').waitFor({ state: 'detached' })
  expect(await user.getByRole('button', { name: 'Save the first one' }).count()).toBe(1)
})
