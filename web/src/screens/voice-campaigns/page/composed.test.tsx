import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { loadTexts, setLanguage } from '../../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../../testing/render-app.tsx'
import Composed from './Composed.tsx'
import { detailOf } from '../fixtures.ts'

await loadTexts('voiceCampaigns', 'campaignDetail')
const asked = { smsSuccessApi: 'sms.example.com/…', smsDtmfApi: 'sms.example.org/…', callDurationSMS: 20 }

test('a campaign composed before messages after calls existed says that none is sent, in both languages', async () => {
  await setLanguage('en')
  await renderApp(<Composed detail={detailOf({ composed: asked })} />)
  await expect.element(page.getByText(/^No message is sent, because the campaign was composed before/)).toBeVisible()
  await expect.element(page.getByText('on success, answered for 20 s or more: sms.example.com/…')).toBeVisible()
  await expect.element(page.getByText('on DTMF: sms.example.org/…')).toBeVisible()
  await expectAccessible()
  await setLanguage('ne')
  await expect.element(page.getByText(/^कुनै SMS जाँदैन/)).toBeVisible()
})

test('a campaign with messages shows their outcome', async () => {
  await setLanguage('en')
  const counts = { host: 'sms.example.com', waiting: 3, failed: 0, unknown: 1, cancelled: 0 }
  const sms = [{ ...counts, occasion: 'success' as const, sent: 12 }]
  await renderApp(<Composed detail={detailOf({ composed: { smsSuccessApi: 'sms.example.com/…' }, sms })} />)
  await expect.element(page.getByText(/sms\.example\.com\/… \(waiting 3, sent 12, unknown 1\)$/)).toBeVisible()
  await expect.element(page.getByText(/^No message is sent/)).not.toBeInTheDocument()
})

test('our texts are shown as written, with a link to the campaign that carries them', async () => {
  await setLanguage('en')
  const composed = { smsSuccessText: 'Dear {name}', smsDtmfTexts: { 1: 'One' }, callDurationSMS: 20 }
  const counts = { due: 40, waiting: 3, submitted: 37, delivered: 30, failed: 0, expired: 0, unknown: 0, withheld: 2 }
  const smsTexts = { campaignId: 7, campaignStatus: 1, cli: 'GHANTI', ...counts, cost: 55.5 }
  await renderApp(<Composed detail={detailOf({ composed, smsTexts })} />)
  await expect.element(page.getByText('on success, answered for 20 s or more: “Dear {name}”')).toBeVisible()
  await expect.element(page.getByText('after key 1: “One”')).toBeVisible()
  const link = page.getByRole('link', { name: 'SMS campaign of its texts, from GHANTI' })
  await expect.element(link).toHaveAttribute('href', '/sms-campaign-report/7')
  await expect
    .element(
      page.getByText(
        /40 messages, waiting 3, submitted 37, delivered 30, Rs 55\.50; no text goes to 2 rows: a column value is not approved/,
      ),
    )
    .toBeVisible()
})

test('names of keys are shown beside the keys', async () => {
  await setLanguage('en')
  await renderApp(<Composed detail={detailOf({ composed: { dtmf: '1,2', keyLabels: { 1: '<b>Yes</b>' } } })} />)
  await expect.element(page.getByText('1 (<b>Yes</b>), 2')).toBeVisible()
})

test('a campaign without messages does not mention them', async () => {
  await setLanguage('en')
  await renderApp(<Composed detail={detailOf({ composed: { callDurationSMS: 0 } })} />)
  await expect.element(page.getByText('SMS after the call')).toBeVisible()
  await expect.element(page.getByText(/^No message is sent/)).not.toBeInTheDocument()
})
