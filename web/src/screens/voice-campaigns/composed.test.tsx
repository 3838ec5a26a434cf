import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { loadTexts, setLanguage } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import Composed from './Composed.tsx'
import { detailOf } from './fixtures.ts'

await loadTexts('voiceCampaigns')
const asked = { smsSuccessApi: 'sms.example.com/…', smsDtmfApi: 'sms.example.org/…', callDurationSMS: 20 }

test('a campaign composed before messages after the call were sent says that none is, in both languages', async () => {
  await setLanguage('en')
  await renderApp(<Composed detail={detailOf({ composed: asked })} />)
  await expect.element(page.getByText(/^No message is sent: it was composed before/)).toBeVisible()
  await expect.element(page.getByText('on success, answered for 20 s or more: sms.example.com/…')).toBeVisible()
  await expect.element(page.getByText('on DTMF: sms.example.org/…')).toBeVisible()
  await expectAccessible()
  await setLanguage('ne')
  await expect.element(page.getByText(/^कुनै SMS जाँदैन/)).toBeVisible()
})

test('one whose messages are sent says how they fare', async () => {
  await setLanguage('en')
  const counts = { host: 'sms.example.com', waiting: 3, failed: 0, unknown: 1, cancelled: 0 }
  const sms = [{ ...counts, occasion: 'success' as const, sent: 12 }]
  await renderApp(<Composed detail={detailOf({ composed: { smsSuccessApi: 'sms.example.com/…' }, sms })} />)
  await expect.element(page.getByText(/sms\.example\.com\/… \(waiting 3, sent 12, unknown 1\)$/)).toBeVisible()
  await expect.element(page.getByText(/^No message is sent/)).not.toBeInTheDocument()
})

test('one that asked for none does not speak of messages that are not sent', async () => {
  await setLanguage('en')
  await renderApp(<Composed detail={detailOf({ composed: { callDurationSMS: 0 } })} />)
  await expect.element(page.getByText('SMS after the call')).toBeVisible()
  await expect.element(page.getByText(/^No message is sent/)).not.toBeInTheDocument()
})
