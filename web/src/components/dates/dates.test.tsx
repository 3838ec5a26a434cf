import { useForm } from '@mantine/form'
import { useState } from 'react'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { loadTexts, setLanguage } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import { chooseCalendar } from '../../i18n/chosen-calendar.ts'
import { DateField } from './DateField.tsx'
import { dayFault } from './day.ts'
import { presetRange, type DateRange } from './presets.ts'
import { RangePanel } from './RangePanel.tsx'

afterEach(async () => {
  chooseCalendar('ad')
  await setLanguage('en')
})

let submitted: { day: string }[] = []
function OneDay({ min, max }: { min?: string; max?: string }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { day: '' }, validate: { day: dayFault } })
  return (
    <form onSubmit={form.onSubmit((values) => void submitted.push({ ...values }))}>
      <DateField form={form} name="day" label="Expiry date" description="The last day." empty="" min={min} max={max} />
      <button type="submit">Save</button>
    </form>
  )
}
const field = () => page.getByRole('textbox', { name: 'Expiry date' })
const openCalendar = () => page.getByRole('button', { name: 'Open the calendar' }).click()
const focusedDay = () => document.activeElement?.getAttribute('aria-label') ?? ''
beforeEach(() => void (submitted = []))

test('a day is typed AD, with the BS one beside it, and written out when the field is left', async () => {
  await renderApp(<OneDay />)
  await field().fill('2026/1/5')
  await expect.element(page.getByText('BS 2082 Poush 21')).toBeVisible()
  await userEvent.tab()
  await expect.element(field()).toHaveValue('2026-01-05')
  await page.getByRole('button', { name: 'Save' }).click()
  expect(submitted).toEqual([{ day: '2026-01-05' }])
})

test('with BS chosen a date is typed in BS, in either script, with AD beside it; the form holds AD', async () => {
  chooseCalendar('bs')
  await renderApp(<OneDay />)
  await field().fill('२०८३-०८-०७')
  await expect.element(page.getByText('AD 23 November 2026')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  expect(submitted).toEqual([{ day: '2026-11-23' }])
  chooseCalendar('ad')
  await expect.element(field()).toHaveValue('2026-11-23')
})

test('in Nepali the digits are Nepali', async () => {
  chooseCalendar('bs')
  await setLanguage('ne')
  await renderApp(<OneDay />)
  await field().fill('2083-08-07')
  await userEvent.tab()
  await expect.element(field()).toHaveValue('२०८३-०८-०७')
  await expect.element(page.getByText('ई.सं. २०२६ नोभेम्बर २३')).toBeVisible()
})

test.each([
  { why: 'no day of the calendar', calendar: 'ad', typed: '2026-02-31', said: /“2026-02-31” is not a date/ },
  { why: 'a day after the table of BS', calendar: 'bs', typed: '2091-01-01', said: /up to the end of 2090/ },
] as const)('$why is said in words and not sent, and the field goes on working', async ({ calendar, typed, said }) => {
  chooseCalendar(calendar)
  await renderApp(<OneDay />)
  await field().fill(typed)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText(said)).toBeVisible()
  expect(submitted).toEqual([])
  await openCalendar()
  await expect.poll(() => document.activeElement?.getAttribute('aria-current')).toBe('date')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(said)).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Save' }).click()
  expect(submitted).toEqual([{ day: nepalDayOf(new Date()) }])
})

test('2085 BS is accepted when BS is chosen and questioned when AD is; a day without a BS date is accepted with the reason', async () => {
  await renderApp(<OneDay />)
  await field().fill('2085-01-01')
  await expect.element(page.getByText(/Is this BS\?/)).toBeVisible()
  await field().fill('2040-01-01')
  await expect.element(page.getByText(/BS dates are known up to AD 2034-04-13/)).toBeVisible()
  chooseCalendar('bs')
  await expect.element(field()).toHaveValue('2040-01-01')
  await openCalendar()
  await expect.element(page.getByRole('dialog').getByText('Chaitra 2090')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await field().fill('2085-01-01')
  await expect.element(page.getByText('AD 13 April 2028')).toBeVisible()
})

test('the keys of a date picker move by days, weeks and months; Escape gives the focus back', async () => {
  await renderApp(<OneDay min="2026-11-20" />)
  await field().fill('2026-11-23')
  await openCalendar()
  await expect.poll(focusedDay).toBe('Monday, 23 November 2026, BS 2083 Mangsir 7')
  await expectAccessible()
  for (const [key, day] of [
    ['{ArrowRight}', '24 November'],
    ['{ArrowDown}', '1 December'],
    ['{Home}', '29 November'],
    ['{End}', '5 December'],
    ['{PageDown}', '5 January 2027'],
    ['{Shift>}{PageUp}{/Shift}', '5 January 2026'],
  ]) {
    await userEvent.keyboard(key ?? '')
    await expect.poll(focusedDay).toContain(day)
  }
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.poll(focusedDay).toBe('Open the calendar')
  await expect.element(field()).toHaveValue('2026-11-23')
})

test('the calendar of BS has the months of BS, weeks that begin on Sunday, and the days of AD beside its own', async () => {
  chooseCalendar('bs')
  await renderApp(<OneDay />)
  await field().fill('2083-08-07')
  await openCalendar()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByText('Mangsir 2083')).toBeVisible()
  await expect.element(dialog.getByText('November 2026 – December 2026')).toBeVisible()
  expect(dialog.element().querySelector('th')?.textContent).toBe('Sun')
  expect(dialog.element().querySelector('th[data-holiday]')?.textContent).toBe('Sat')
  await dialog.getByRole('button', { name: 'Tuesday, 2083 Mangsir 1, AD 17 November 2026' }).click()
  await expect.element(field()).toHaveValue('2083-08-01')
})

function Range({ initial }: { initial: DateRange }) {
  const [range, setRange] = useState(initial)
  return (
    <>
      <RangePanel key={JSON.stringify(range)} label="Days" value={range} onChange={setRange} />
      <output>{`${range.from} ${range.to}`}</output>
    </>
  )
}
const output = () => page.getByRole('status').first()

test('a range is a preset, two clicks or two typed ends, whichever comes first', async () => {
  await loadTexts('dates')
  await renderApp(<Range initial={{ from: '', to: '' }} />)
  await page.getByRole('button', { name: 'Last month' }).click()
  const { from, to } = presetRange('lastMonth', nepalDayOf(new Date()), 'ad')
  await expect.element(output()).toHaveTextContent(`${from} ${to}`)
  await page.getByRole('button', { name: /^\w+, 20 / }).click()
  await page.getByRole('button', { name: /^\w+, 7 / }).click()
  await expectAccessible()
  await page.getByRole('button', { name: 'Apply' }).click()
  const month = from.slice(0, 8)
  await expect.element(output()).toHaveTextContent(`${month}07 ${month}20`)
  await page.getByRole('textbox', { name: 'Until' }).fill('2026-10-03')
  await page.getByRole('textbox', { name: 'From' }).fill('')
  await userEvent.keyboard('{Enter}')
  await expect.element(output()).toHaveTextContent('2026-10-03')
})

test('a range without a date says so, is not applied, and can be chosen again', async () => {
  await loadTexts('dates')
  await renderApp(<Range initial={{ from: '2026-02-31', to: '' }} />)
  await expect.element(page.getByText(/“2026-02-31” is not a date/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await page.getByRole('button', { name: 'Today' }).click()
  const today = nepalDayOf(new Date())
  await expect.element(output()).toHaveTextContent(`${today} ${today}`)
})

test.each([
  { why: 'after the last one', typed: '2085-01-01', said: 'The last day that can be chosen is 2084 Poush 1.' },
  { why: 'before the first one', typed: '2080-01-01', said: 'The first day that can be chosen is 2083 Mangsir 7.' },
])('a typed day $why is said in words when the field is left, and on Enter', async ({ typed, said }) => {
  chooseCalendar('bs')
  await renderApp(<OneDay min="2026-11-23" max="2027-12-16" />)
  await field().fill(typed)
  await userEvent.tab()
  await expect.element(page.getByText(said)).toBeVisible()
  await field().fill('2083-09-01')
  await expect.element(page.getByText(said)).not.toBeInTheDocument()
  await field().fill(typed)
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(said)).toBeVisible()
})
