// @module-tag exhaustive
// Cheaper: server/src/modules/mail/mail.test.ts has the address and its proof.
import { expect, test } from 'vitest'
import { newUser } from './accounts.ts'
import {
  address,
  closeError,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  phone,
  see,
  useBrowser,
} from './console.ts'

useBrowser()

test('the profile of a new account says that its address is not confirmed; the mailed page confirms it by a press, signed out, once', async () => {
  const secret = 'sunlit-teapot-47-goat'
  const login = { username: 'maya mails', password: secret, emailid: 'maya.mails@example.com' }
  await newUser({ name: 'Maya', number: '9841000077', ...login })

  const maya = await openBrowser()
  await maya.context().request.post('/api/obd/login', { data: { username: login.username, password: secret } })
  await goTo(maya, '/user-profile', 'Profile')
  await see(maya, 'Not confirmed. Only the confirmation link is mailed there.')
  await see(maya, /maya\.mails@example\.com is not confirmed yet/)
  await expectAccessible(maya, 'an address that is not confirmed')
  const list = await openBrowser({ as: 'reseller' })
  await goTo(list, '/user-list?search=maya+mails', 'Users')
  await see(list, 'E-mail address not confirmed')

  const mailOf = async () => {
    const page = await (await fetch(`${address}/api/mailbox`)).text()
    return page.split('<article>').find((mail) => mail.includes('To maya.mails@example.com')) ?? ''
  }
  await expect.poll(mailOf, { interval: 500, timeout: 30_000 }).toContain('/verify-mail/')
  const link = new URL(/href="([^"]+)"/.exec(await mailOf())?.[1] ?? '').pathname

  const stranger = await openBrowser({ viewport: phone })
  await stranger.goto(link)
  await see(stranger, 'Confirm only if the account is yours')
  await expectAccessible(stranger, 'the page of the link')
  await goTo(maya, '/user-profile', 'Profile')
  await see(maya, /^Not confirmed\./) // opening the page alone confirms nothing
  await stranger.getByRole('button', { name: 'Confirm the address' }).click()
  await see(stranger, 'The address is confirmed')
  await goTo(maya, '/user-profile', 'Profile')
  await see(maya, /^E-mails go to maya\.mails@example\.com/)

  expectRefusals(400)
  await stranger.goto(link)
  await stranger.getByRole('button', { name: 'Confirm the address' }).click()
  await see(stranger, 'The link has already been used: each link works once')
  await closeError(stranger, 'The link has already been used: each link works once')
  expectRefusals()
})
