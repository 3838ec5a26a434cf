import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import {
  chooseAction,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  phone,
  useBrowser,
  seeDone,
} from './console.ts'

useBrowser()
let reseller: Page
beforeAll(async () => {
  reseller = await openBrowser({ as: 'reseller' })
})

const dialogOf = (action: string) => reseller.getByRole('dialog', { name: `${action}: user2` })
const balanceOf = async (label: string) =>
  dialogOf('Add Recharge').getByText(label, { exact: true }).locator('xpath=following-sibling::dd').innerText()

async function closeSuccess(text: string | RegExp): Promise<void> {
  await seeDone(reseller, text)
}

test('a recharge shows both balances and what they will be, refuses bad amounts in words and asks again for the same', async () => {
  await goTo(reseller, '/user-list')
  await chooseAction(reseller, 'user2', 'Add Recharge')
  const dialog = dialogOf('Add Recharge')
  const amount = dialog.getByLabel('Recharge amount')
  const submit = dialog.getByRole('button', { name: 'Add Recharge' })
  await amount.fill('0')
  await submit.click()
  await dialog.getByText('Recharge Amount cannot be less than or equal to 0').waitFor()
  expectRefusals(400)
  await amount.fill('99999999')
  await submit.click()
  await dialog.getByText('Recharge Failed.').waitFor()
  await dialog.getByText(/is more than the Rs .* that are free/).waitFor() // once
  expectRefusals()
  const rupees = async (label: string) => Number((await balanceOf(label)).replaceAll(/[^\d.]/g, ''))
  await amount.fill('')
  const free = await rupees('Balance')
  for (const typed of ['1,000', '१,०००']) {
    await amount.fill(typed)
    await expect.poll(() => rupees('Balance afterwards')).toBe(free + 1000)
  }
  await amount.fill('12,50')
  await submit.click()
  await dialog.getByText(/must be an amount in rupees/).waitFor()
  await amount.fill('12.50')
  const before = await balanceOf('Balance')
  expect(await balanceOf('Balance afterwards')).not.toBe(before)
  await dialog.getByLabel('Payment mode').selectOption('Cash')
  await dialog.getByLabel('Reference').fill('Invoice 12')
  await expectAccessible(reseller, 'recharge')
  await submit.click()
  await closeSuccess(/^Rs 12\.50 added to user2/)

  await chooseAction(reseller, 'user2', 'Add Recharge')
  await amount.fill('12.5')
  await submit.click()
  await dialog.getByText(/The same amount was added to this account \d+ s ago/).waitFor()
  await dialog.getByRole('button', { name: 'Yes, once more' }).click()
  await closeSuccess(/^Rs 12\.50 added to user2/)
})

test('it is taken back as it was given, on a phone too, and the history says so', async () => {
  await reseller.setViewportSize(phone)
  await chooseAction(reseller, 'user2', 'Remove Recharge')
  const dialog = dialogOf('Remove Recharge')
  await dialog.getByLabel('Recharge amount').fill('25')
  expect(await reseller.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  await dialog.getByRole('button', { name: 'Remove Recharge' }).click()
  await closeSuccess(/^Rs 25\.00 taken from user2/)
  await goTo(reseller, '/credits-history', 'Credits History')
  await reseller.getByText('Invoice 12 · Cash').first().waitFor()

  // The note stands below the action, not beside it.
  const paid = reseller.getByRole('cell').filter({ hasText: 'Invoice 12' }).first()
  const [action, reference] = await paid.evaluate((cell) => {
    const text = document.createRange()
    text.selectNodeContents(
      document.evaluate('.//text()', cell, null, XPathResult.FIRST_ORDERED_NODE_TYPE).singleNodeValue ?? cell,
    )
    return [text.getBoundingClientRect(), cell.querySelector('span')?.getBoundingClientRect()].map((box) => ({
      top: box?.top ?? 0,
      bottom: box?.bottom ?? 0,
    }))
  })
  expect(reference?.top).toBeGreaterThanOrEqual(action?.bottom ?? Infinity)
})
