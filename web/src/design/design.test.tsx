// @module-tag exhaustive
// Cheaper: web/e2e/screens.test.ts looks at the components where they are used; whoever changes one runs this file.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { loadTexts } from '../i18n/language.ts'
import { expectAccessible, renderApp } from '../testing/render-app.tsx'
import { DesignPage } from './Design.tsx'
import { designAddress } from './Lists.tsx'

async function open(): Promise<void> {
  await loadTexts('voiceCampaigns', 'smsCampaigns', 'smsCompose', 'compose', 'dates')
  await renderApp(<DesignPage />, designAddress)
  await expect.element(page.getByRole('grid').first()).toBeVisible()
  await expect.element(page.getByText('Created:')).toBeVisible()
  await expect
    .element(page.getByText('The accounts of your customers are listed here. There are none yet.'))
    .toBeVisible()
}

test('every shared component can be used in every state', async () => {
  await open()
  await expectAccessible()
})

// The contrast of each colour is proved by tokens.test.ts, and each screen is looked at in one of its looks.
test(
  'every shared component can be used in every state, in dark colours and in Nepali',
  { tags: ['exhaustive'] },
  async () => {
    await open()
    await page.getByRole('button', { name: 'Use dark colours' }).click()
    await expect.poll(() => document.documentElement.dataset['mantineColorScheme']).toBe('dark')
    await expectAccessible()
    await page.getByRole('button', { name: 'ने', exact: true }).click()
    await expect.poll(() => document.documentElement.lang).toBe('ne')
    await expectAccessible()
    await page.getByRole('button', { name: 'EN', exact: true }).click()
    await page.getByRole('button', { name: 'Use light colours' }).click()
  },
)
