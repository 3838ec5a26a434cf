import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { chooseCalendar } from '../../i18n/chosen-calendar.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { NepalTime } from './NepalTime.tsx'

afterEach(() => chooseCalendar('ad'))

test('a time is written in the chosen calendar, and its title names the other one’s date', async () => {
  await renderApp(<NepalTime wire="2026-11-23 14:30:00" />)
  const ad = page.getByText('2026-11-23 14:30')
  await userEvent.hover(ad)
  await expect.element(ad).toHaveAttribute('title', expect.stringContaining('BS 2083 Mangsir 7'))
  chooseCalendar('bs')
  const bs = page.getByText('2083-08-07 14:30')
  await expect.element(bs).toHaveAttribute('title', expect.stringContaining('AD 2026-11-23'))
  await expect.element(bs).toHaveAttribute('datetime', '2026-11-23T14:30:00+05:45')
})
