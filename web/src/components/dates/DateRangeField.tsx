import { useQuery } from '@tanstack/react-query'
import { IconCalendar } from '@tabler/icons-react'
import { Suspense, useRef, useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { late } from '../ui/late.tsx'
import { useCalendar } from './chosen-calendar.ts'
import { isDay } from './day.ts'
import classes from './DateRangeField.module.css'
import type { DateRange } from './presets.ts'

const RangePopover = late(
  async () => {
    const [part] = await Promise.all([import('./RangePopover.tsx'), loadTexts('dates')])
    return part
  },
  { floating: true },
)

type DateRangeFieldProps = {
  label: string
  /** As an address has it: what is no day is said in the panel and left out when it is applied. */
  value: DateRange
  /** Told once, when the reader applies the range, takes a preset or clears. */
  onChange: (range: DateRange) => void
  disabled?: boolean
}

/** A range of days as one button, for filters; its panel, with both calendars, loads when it is opened. */
export function DateRangeField({ label, value, onChange, disabled = false }: DateRangeFieldProps) {
  const { table } = useTexts('common')
  const [opened, setOpened] = useState(false)
  /** A press on the button has closed the panel, as any press outside, before the click arrives. */
  const wasOpen = useRef(false)
  const said = useRangeText(value)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpened(false)
    button.current?.focus()
  }
  const wrong = [value.from, value.to].filter((day) => day !== '' && !isDay(day))
  return (
    <div className={classes.field}>
      <button
        ref={button}
        type="button"
        className={classes.button}
        aria-haspopup="dialog"
        aria-expanded={opened}
        disabled={disabled}
        data-set={said !== '' || undefined}
        onPointerDown={() => {
          wasOpen.current = opened
        }}
        onClick={() => {
          setOpened(!wasOpen.current)
          wasOpen.current = false
        }}
      >
        <IconCalendar size={16} stroke={1.7} aria-hidden />
        {said === '' ? label : `${label}: ${said}`}
      </button>
      {opened && (
        <Suspense fallback={null}>
          <RangePopover
            label={label}
            value={value}
            onClose={close}
            onChange={(range) => {
              close()
              if (range.from !== value.from || range.to !== value.to) onChange(range)
            }}
          />
        </Suspense>
      )}
      {wrong.map((day) => (
        <span key={day} role="status" className={classes.fault}>
          {table.noDay(day)}
        </span>
      ))}
    </div>
  )
}

/** '2026-11-01 – 2026-11-23' in the reader's calendar; AD until the converter is there. */
function useRangeText({ from, to }: DateRange): string {
  const { table } = useTexts('common')
  const format = useFormat()
  const calendar = useCalendar()
  const converter = useQuery({
    queryKey: ['calendars'],
    queryFn: async () => {
      const { textOf } = await import('./calendars.ts')
      return { textOf }
    },
    staleTime: Infinity,
    enabled: calendar === 'bs',
  })
  const text = (day: string) => format.digits(calendar === 'bs' ? (converter.data?.textOf(day, 'bs') ?? day) : day)
  if (from === to) return text(from)
  if (from === '') return table.until(text(to))
  return to === '' ? table.since(text(from)) : `${text(from)} – ${text(to)}`
}
