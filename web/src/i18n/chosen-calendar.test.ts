import { afterEach, expect, test, vi } from 'vitest'
import { renderHook } from 'vitest-browser-react'
import { chooseCalendar } from './chosen-calendar.ts'
import { useFormat } from './format.ts'
import { setLanguage } from './language.ts'

vi.hoisted(() => localStorage.removeItem('ghanti-calendar')) // before the choice is read
afterEach(() => setLanguage('en'))

test('until a reader chooses a calendar, days are AD in English and in Bikram Sambat in Nepali; then as chosen', async () => {
  const hook = await renderHook(() => useFormat())
  const dayIs = (day: string) => expect.poll(() => hook.result.current.day('2026-11-23')).toBe(day)
  await dayIs('2026-11-23')
  await setLanguage('ne')
  await dayIs('२०८३-०८-०७')
  await setLanguage('en')
  await dayIs('2026-11-23')
  chooseCalendar('ad')
  await setLanguage('ne')
  await dayIs('२०२६-११-२३')
})
