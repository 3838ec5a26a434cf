import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { loadTexts, setLanguage } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import Composed from './Composed.tsx'
import { detailOf } from './fixtures.ts'

await loadTexts('voiceCampaigns')
const asked = { smsSuccessApi: 'sms.example.com/…', smsDtmfApi: 'sms.example.org/…', callDurationSMS: 20 }

test('a campaign that asked for messages after the call says that none is sent, in both languages', async () => {
  await setLanguage('en')
  await renderApp(<Composed detail={detailOf({ composed: asked })} />)
  await expect
    .element(page.getByText(/^No message is sent: messages after the call cannot be sent yet\./))
    .toBeVisible()
  await expect.element(page.getByText('on success, answered for 20 s or more: sms.example.com/…')).toBeVisible()
  await expect.element(page.getByText('on DTMF: sms.example.org/…')).toBeVisible()
  await expectAccessible()
  await setLanguage('ne')
  await expect.element(page.getByText(/^कुनै SMS जाँदैन/)).toBeVisible()
})

test('one that asked for none does not speak of messages that are not sent', async () => {
  await setLanguage('en')
  await renderApp(<Composed detail={detailOf({ composed: { callDurationSMS: 0 } })} />)
  await expect.element(page.getByText('SMS after the call')).toBeVisible()
  await expect.element(page.getByText(/^No message is sent/)).not.toBeInTheDocument()
})
