// @module-tag exhaustive
// Cheaper: server/src/modules/settings/settings.test.ts and server/src/modules/quotas/quotas.test.ts have the values, web/e2e/screens.test.ts the screen.
import { blacklistRoutes } from '@ghanti/contract/blacklist.ts'
import { defaultQuotas } from '@ghanti/contract/quotas.ts'
import { operatorPrefixesDefault } from '@ghanti/contract/operators.ts'
import { settingRoutes } from '@ghanti/contract/settings.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { address, seeSummed, expectRefusals, goTo, openBrowser, password, see, useBrowser, seeDone } from './console.ts'

useBrowser()
let admin: Page
let api: Caller
beforeAll(async () => {
  admin = await openBrowser({ as: 'superadmin' })
  api = await signInOver(address, 'superadmin', password)
})
const textApproval = { promotional: false, words: [] }
afterAll(() =>
  api.ask(settingRoutes.save, { quotas: defaultQuotas, operatorPrefixes: operatorPrefixesDefault, textApproval }),
)

test('quotas are set: one out of range is refused at its field, and one below what accounts store names these accounts', async () => {
  const customer = await signInOver(address, 'user2', password)
  const numbers = Array.from({ length: 70 }, (_, n) => `98410777${10 + n}`).join('\n')
  await customer.ask(blacklistRoutes.upload, { blistFile: new File([numbers], 'never.csv', { type: 'text/csv' }) })
  await goTo(admin, '/settings', 'Settings')
  const quota = admin.getByLabel('Numbers on the blacklist')
  const save = admin.getByRole('button', { name: 'Save', exact: true })
  for (const wrong of ['0', '-5', '100000001']) {
    await quota.fill(wrong)
    expectRefusals(400)
    await save.click()
    await seeSummed(admin, 'Numbers on the blacklist must be a whole number from 1 to 100000000')
    await see(admin, 'Numbers on the blacklist must be a whole number from 1 to 100000000')
    expectRefusals()
  }
  expect((await api.ask(settingRoutes.read)).quotas).toEqual(defaultQuotas)
  await quota.fill('60')
  await save.click()
  await seeDone(admin, /saved/i)
  await see(admin, 'One account stores more than this. Nothing is deleted; the account can add nothing until')
  await see(admin, 'user2: Numbers on the blacklist: 70 of 60')
  const profile = await openBrowser({ as: 'user2' })
  await goTo(profile, '/user-profile', 'Profile')
  await see(profile, '70 of 60')
  await quota.fill('70')
  await save.click()
  await seeDone(admin, /saved/i)
  await admin.getByText('user2: ').waitFor({ state: 'detached' })
})

test('operators’ prefixes and the texts that need approval are set: an invalid prefix is shown at its operator', async () => {
  await goTo(admin, '/settings', 'Settings')
  const ntc = admin.getByLabel('Nepal Telecom')
  const save = admin.getByRole('button', { name: 'Save', exact: true })
  for (const [typed, said] of [
    ['984 84', 'Nepal Telecom must be the first 2 to 9 digits of mobile numbers, like 984'],
    ['984 980', '980 is listed twice'],
  ] as const) {
    await ntc.fill(typed)
    expectRefusals(400)
    await save.click()
    await seeSummed(admin, said)
    await see(admin, said)
    expectRefusals()
  }
  await ntc.fill('984, 9851')
  await admin.getByLabel('Every text of promotional accounts').check()
  await admin.getByLabel('Words', { exact: true }).fill('lottery\n\n  चिट्ठा ')
  await see(admin, 'Changed: 2 sections. All are saved together, or none.')
  await save.click()
  await seeDone(admin, 'The settings were saved.')
  await see(admin, 'Nothing is changed.')
  expect(await api.ask(settingRoutes.read)).toMatchObject({
    operatorPrefixes: { ...operatorPrefixesDefault, ntc: ['984', '9851'] },
    textApproval: { promotional: true, words: ['lottery', 'चिट्ठा'] },
  })
})

test('what calls hear when the server is gone is set: too short a wait is refused at its field', async () => {
  const { lostServer } = await api.ask(settingRoutes.read)
  await goTo(admin, '/settings', 'Settings')
  const seconds = admin.getByLabel('Seconds to wait')
  const save = admin.getByRole('button', { name: 'Save', exact: true })
  await seconds.fill('4')
  expectRefusals(400)
  await save.click()
  await seeSummed(admin, 'Seconds to wait must be a whole number from 5 to 999')
  expectRefusals()
  await seconds.fill('12')
  await admin.getByLabel('Sentence in English, said after it').fill('We are sorry.')
  await save.click()
  await seeDone(admin, 'The settings were saved.')
  expect((await api.ask(settingRoutes.read)).lostServer).toEqual({
    ...lostServer,
    seconds: 12,
    english: 'We are sorry.',
  })
  await api.ask(settingRoutes.save, { lostServer })
})
