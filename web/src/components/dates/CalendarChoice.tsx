import { useTexts } from '../../i18n/language.ts'
import { Segments } from '../form/Segments.tsx'
import { calendarNames, chooseCalendar, useCalendar } from '../../i18n/chosen-calendar.ts'

export default function CalendarChoice() {
  const t = useTexts('dates')
  const calendar = useCalendar()
  return (
    <Segments
      label={t.calendar}
      value={calendar}
      onChange={chooseCalendar}
      data={calendarNames.map((value) => ({ value, label: t.calendars[value] }))}
    />
  )
}
