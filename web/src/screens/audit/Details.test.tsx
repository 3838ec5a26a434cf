import { beforeEach, expect, test } from 'vitest'
import { page, type Locator } from 'vitest/browser'
import { chooseCalendar } from '../../i18n/chosen-calendar.ts'
import { chooseDigits } from '../../i18n/chosen-digits.ts'
import { loadTexts, setLanguage } from '../../i18n/language.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { Details, Named, Target } from './Details.tsx'

beforeEach(async () => {
  chooseCalendar('ad')
  chooseDigits('devanagari')
  await setLanguage('en')
})

const details = [
  { name: 'channels', value: '12' },
  { name: 'credits', value: 'Rs 125000.00' },
  { name: 'durationMs', value: '2.5 s' },
  { name: 'before.expiresAt', value: '2026-11-20 23:59:59' },
  { name: 'from', value: '2026-11-01..2026-11-30' },
  { name: 'hours.weekdays', value: '10:00-18:00' },
  { name: 'clis', value: '015970801, 015970802' },
  { name: 'number', value: '9841000001' },
  { name: 'name', value: 'Dashain 2083' },
  { name: 'sip.host', value: '10.1.2.3' },
  { name: 'sip.port', value: '5060' },
  { name: 'sipStatus', value: '486' },
]

async function show(language: 'en' | 'ne') {
  await loadTexts('audit')
  await setLanguage(language)
  await renderApp(
    <>
      <p data-testid="details">
        <Details details={details} targetName={null} />
      </p>
      <p data-testid="target">
        <Target target="9841000001" /> · <Target target="campaign 12" /> · <Named name="015970801" /> ·{' '}
        <Named name="Bench 7" />
      </p>
    </>,
  )
  const shown = { details: page.getByTestId('details'), target: page.getByTestId('target') }
  await expect.element(shown.details).toBeVisible()
  return shown
}

const says = (one: Locator, text: string) => expect.poll(() => one.element().textContent).toContain(text)

/** What is said in the page's own words: names keep their digits. */
const own = (element: Element) => {
  const copy = element.cloneNode(true) as Element
  copy.querySelectorAll('[translate=no]').forEach((name) => name.remove())
  return copy.textContent
}

test('a Nepali audit log has figures, amounts, times, telephone numbers and caller IDs in one script, by the reader’s choice', async () => {
  const shown = await show('ne')
  for (const one of Object.values(shown)) expect(own(one.element())).not.toMatch(/[0-9]/)
  for (const text of ['रु १,२५,०००.००', '२०२६-११-२० २३:५९:५९', '१०:००-१८:००', '०१-५९७ ०८०१, ०१-५९७ ०८०२', '९८४१० ००००१'])
    await says(shown.details, text)
  await says(shown.target, '९८४१० ००००१ · अभियान १२ · ०१-५९७ ०८०१ · Bench 7')
  chooseDigits('latin')
  for (const text of ['रु 1,25,000.00', '98410 00001']) await says(shown.details, text)
  for (const one of Object.values(shown)) expect(own(one.element())).not.toMatch(/[०-९]/)
})

test('names, IP addresses, ports and SIP codes keep their digits, marked as no text to translate', async () => {
  const { details: shown } = await show('ne')
  const kept = [...shown.element().querySelectorAll('[translate=no]')].map(({ textContent }) => textContent)
  expect(kept).toEqual(['Dashain 2083', '10.1.2.3', '5060', '486'])
})

test('times and days are in the reader’s calendar, in English too', async () => {
  const { details: shown } = await show('en')
  await says(shown, '2026-11-20 23:59:59')
  chooseCalendar('bs')
  await says(shown, '2083-08-04 23:59:59')
  await says(shown, '2083-07-15..2083-08-14')
})
