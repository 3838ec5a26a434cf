import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { loadTexts, setLanguage } from '../../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../../testing/render-app.tsx'
import { ByOperatorSection } from './ByOperator.tsx'
import { campaign, detailOf } from '../fixtures.ts'

await loadTexts('voiceCampaigns', 'campaignDetail')
const byOperator = [
  { operator: 'ntc', waiting: 1200, inCall: 0, reason: 'all 30 channels of trunk NTC are busy' },
  { operator: 'ncell', waiting: 7, inCall: 3, reason: null },
  { operator: 'other', waiting: 0, inCall: 0, reason: null },
] as const

test('a campaign by operator shows whose numbers are left and why they wait, in both languages', async () => {
  await setLanguage('en')
  await renderApp(<ByOperatorSection detail={detailOf({ byOperator: [...byOperator] })} />)
  await expect.element(page.getByText('1,200 waiting, 0 in call')).toBeVisible()
  await expect.element(page.getByText('All 30 channels of trunk NTC are busy')).toBeVisible()
  await expect.element(page.getByText('7 waiting, 3 in call')).toBeVisible()
  await expect.element(page.getByText('Other operators')).not.toBeInTheDocument()
  await expectAccessible()
  await setLanguage('ne')
  await expect.element(page.getByText('ट्रङ्क NTC का ३० वटै च्यानल व्यस्त छन्')).toBeVisible()
  await setLanguage('en')
})

test.each([
  { why: 'its route names no operators', of: { byOperator: null } },
  { why: 'it is over', of: { ...campaign('cancelled'), byOperator: [...byOperator] } },
])('it shows nothing when $why', async ({ of }) => {
  await renderApp(<ByOperatorSection detail={detailOf(of)} />)
  await expect.element(page.getByText('Numbers by operator')).not.toBeInTheDocument()
})
