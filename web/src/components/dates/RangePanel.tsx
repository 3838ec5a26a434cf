import { Button } from '@mantine/core'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import { useState, type ReactNode } from 'react'
import { useTexts } from '../../i18n/language.ts'
import { Calendar } from './Calendar.tsx'
import CalendarChoice from './CalendarChoice.tsx'
import { useCalendar } from '../../i18n/chosen-calendar.ts'
import { isDay } from './day.ts'
import { DateInput } from './DateInput.tsx'
import { presetNames, presetRange, type DateRange } from './presets.ts'
import classes from './RangePanel.module.css'

type RangePanelProps = {
  label: string
  value: DateRange
  onChange: (range: DateRange) => void
  presets?: ReactNode
}

/** Presets, both ends to type, and a calendar in which the first click sets one end and the second the other. */
export function RangePanel({ label, value, onChange, presets }: RangePanelProps) {
  const t = useTexts('dates')
  const calendar = useCalendar()
  const [range, setRange] = useState(value)
  const [isHalf, setHalf] = useState(false)
  const apply = () => {
    const from = isDay(range.from) ? range.from : ''
    const to = isDay(range.to) ? range.to : ''
    onChange(from !== '' && to !== '' && to < from ? { from: to, to: from } : { from, to })
  }
  const pick = (day: string) => {
    const [from, to] = isHalf ? [range.from, day].toSorted() : [day, day]
    setRange({ from: from ?? day, to: to ?? day })
    setHalf(!isHalf)
  }
  const isWrong = [range.from, range.to].some((day) => day !== '' && !isDay(day))
  return (
    <form
      role="dialog"
      aria-label={t.chooseRange(label)}
      className={classes.panel}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (!isWrong) apply()
      }}
    >
      <div role="group" aria-label={t.range.presets} className={classes.presets}>
        {presets ??
          presetNames.map((preset) => (
            <button
              key={preset}
              type="button"
              onClick={() => onChange(presetRange(preset, nepalDayOf(new Date()), calendar))}
            >
              {t.range.preset[preset]}
            </button>
          ))}
      </div>
      <div className={classes.days}>
        <div className={classes.ends}>
          {(['from', 'to'] as const).map((end) => (
            <DateInput
              key={end}
              bare
              label={t.range[end]}
              value={range[end]}
              onChange={(day) => {
                setRange({ ...range, [end]: day })
                setHalf(false)
              }}
            />
          ))}
        </div>
        <Calendar chosen={range} onPick={pick} />
        <div className={classes.foot}>
          <CalendarChoice />
          <Button variant="default" size="xs" onClick={() => onChange({ from: '', to: '' })}>
            {t.range.clear}
          </Button>
          <Button type="submit" size="xs" disabled={isWrong}>
            {t.range.apply}
          </Button>
        </div>
      </div>
    </form>
  )
}
