import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { loadTexts, setLanguage } from '../../i18n/language.ts'
import { renderApp } from '../../testing/render-app.tsx'
import TrunkSymptoms from './TrunkSymptoms.tsx'

const symptoms = [
  {
    kind: 'no_keys' as const,
    detail: 'no key came in 200 calls that heard a menu: it gives payload number 101 two meanings',
    since: '2026-11-23 14:30:00',
  },
]

test.each([
  { language: 'en', said: 'no key came in 200 calls', ask: 'Ask the operator: ‘With which payload number' },
  { language: 'ne', said: 'मेनु सुनेका', ask: 'अपरेटरलाई सोध्नुहोस्' },
] as const)('a trunk’s page says what its calls say of it, and what to ask the operator: $language', async (of) => {
  await setLanguage(of.language)
  await loadTexts('alerts')
  await renderApp(<TrunkSymptoms symptoms={symptoms} />)
  await expect.element(page.getByText(new RegExp(of.said))).toBeVisible()
  await expect.element(page.getByText(new RegExp(of.ask))).toBeVisible()
  await setLanguage('en')
})
