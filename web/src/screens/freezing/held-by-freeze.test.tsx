import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { loadTexts, setLanguage } from '../../i18n/language.ts'
import { renderApp } from '../../testing/render-app.tsx'
import FrozenCampaign from './FrozenCampaign.tsx'

beforeEach(async () => {
  await setLanguage('en')
  await loadTexts('users')
})

const frozen = { userId: 7, username: 'client' }

test('a campaign that a freeze holds offers to lift it to whoever may', async () => {
  await renderApp(<FrozenCampaign campaignName="Dashain" frozen={{ ...frozen, mayLift: true, byPlatform: true }} />)
  await expect.element(page.getByRole('button', { name: 'Lift the freeze' })).toBeEnabled()
})

test('everybody else reads who can lift the freeze of a campaign', async () => {
  await renderApp(
    <>
      <FrozenCampaign campaignName="Dashain" frozen={{ ...frozen, mayLift: false, byPlatform: false }} bar="calls" />
      <FrozenCampaign campaignName="Dashain" frozen={{ ...frozen, mayLift: false, byPlatform: true }} />
    </>,
  )
  await expect
    .element(
      page.getByText(
        /nothing is called until the freeze is lifted. Only the account above that froze it can lift it.$/,
      ),
    )
    .toBeVisible()
  const held = page.getByRole('button', { name: 'Held by a freeze' })
  expect(held.element().getAttribute('aria-disabled')).toBe('true')
  await held.click({ force: true })
  const dialog = page.getByRole('dialog', { name: 'Dashain' })
  await expect.element(dialog.getByText('client is frozen. Only a super admin can lift it.')).toBeVisible()
})

test('in Nepali its two sentences end as sentences do there', async () => {
  await setLanguage('ne')
  await loadTexts('users')
  await renderApp(<FrozenCampaign campaignName="Dashain" frozen={{ ...frozen, mayLift: false, byPlatform: true }} />)
  const held = page.getByRole('button', { name: 'फ्रिजले रोकिएको' })
  await expect.element(held).toHaveAttribute('title', 'client फ्रिज गरिएको छ। सुपर एडमिनले मात्र हटाउन सक्छ।')
})
