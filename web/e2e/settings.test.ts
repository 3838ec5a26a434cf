import { blacklistRoutes } from '@ghanti/contract/blacklist.ts'
import { defaultQuotas } from '@ghanti/contract/quotas.ts'
import { settingRoutes } from '@ghanti/contract/settings.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import {
  address,
  closeError,
  expectRefusals,
  goTo,
  openBrowser,
  password,
  see,
  useBrowser,
  seeDone,
} from './console.ts'

useBrowser()
let admin: Page
let api: Caller
beforeAll(async () => {
  admin = await openBrowser({ as: 'superadmin' })
  api = await signInOver(address, 'superadmin', password)
})
afterAll(() => api.ask(settingRoutes.save, { quotas: defaultQuotas }))

test('quotas are set: what is out of range is said at its field, and one below what accounts store says whose they are', async () => {
  const customer = await signInOver(address, 'user2', password)
  const numbers = Array.from({ length: 70 }, (_, n) => `98410777${10 + n}`).join('\n')
  await customer.ask(blacklistRoutes.upload, { blistFile: new File([numbers], 'never.csv', { type: 'text/csv' }) })
  await goTo(admin, '/settings', 'Settings')
  const quota = admin.getByLabel('Numbers on the blacklist')
  const save = admin.getByRole('button', { name: 'Save the quotas' })
  for (const wrong of ['0', '-5', '100000001']) {
    await quota.fill(wrong)
    expectRefusals(400)
    await save.click()
    await closeError(admin, 'Parameters Incorrect')
    await see(admin, 'Numbers on the blacklist must be a whole number from 1 to 100000000')
    expectRefusals()
  }
  expect((await api.ask(settingRoutes.read)).quotas).toEqual(defaultQuotas)
  await quota.fill('60')
  await save.click()
  await seeDone(admin, /saved/i)
  await see(admin, 'One account stores more than this. Nothing of it is deleted; the account can add nothing until')
  await see(admin, 'user2: Numbers on the blacklist: 70 of 60')
  const profile = await openBrowser({ as: 'user2' })
  await goTo(profile, '/user-profile', 'Profile')
  await see(profile, '70 of 60')
  await quota.fill('70')
  await save.click()
  await seeDone(admin, /saved/i)
  await admin.getByText('user2: ').waitFor({ state: 'detached' })
})
