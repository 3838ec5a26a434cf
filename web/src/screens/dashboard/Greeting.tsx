import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage, useTexts } from '../../i18n/language.ts'
import classes from './DashboardScreen.module.css'
import { firstNameOf, partOfDay } from './greeting.ts'

/** Who is greeted, and the day in the reader's calendar first; the other calendar follows. */
export function Greeting() {
  const t = useTexts('dashboard')
  const { name } = useSession()
  const [now] = useState(() => nepalTimeOf(new Date()))
  return (
    <header className={classes.greeting}>
      <h1 className={classes.hidden}>{t.title}</h1>
      <p className={classes.title}>{t.greetings[partOfDay(Number(now.slice(11, 13)))](firstNameOf(name))}</p>
      <p className={classes.day}>
        <Day day={now.slice(0, 10)} />
      </p>
    </header>
  )
}

function Day({ day }: { day: string }) {
  const language = useLanguage()
  const format = useFormat()
  const words = useQuery({
    queryKey: ['days-in-words'],
    queryFn: async () => {
      const { dayInWords } = await import('../../i18n/bikram-sambat.ts')
      return { dayInWords }
    },
    staleTime: Infinity,
  })
  if (!words.data) return '\u00a0' // reserves the line, so that nothing moves later
  const isBsFirst = language === 'ne' || format.calendar === 'bs'
  const calendars = isBsFirst ? (['bs', 'ad'] as const) : (['ad', 'bs'] as const)
  const { dayInWords } = words.data
  const said = calendars.map((calendar, n) => dayInWords(day, language, calendar, n === 0))
  return <time dateTime={day}>{said.filter(Boolean).join(' · ')}</time>
}
