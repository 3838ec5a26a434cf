import { ActionIcon, Popover, TextInput } from '@mantine/core'
import '@mantine/core/styles/Popover.css'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Calendar } from './Calendar.tsx'
import CalendarChoice from './CalendarChoice.tsx'
import classes from './Calendar.module.css'
import type { DateInputProps } from './DateInput.tsx'
import { useTypedDay } from './typed-day.ts'

export default function TypedDate(props: DateInputProps) {
  const { value, onChange, label, description, error, min, max, onBlur, bare = false, ...input } = props
  const t = useTexts('dates')
  const [opened, setOpened] = useState(false)
  const typed = useTypedDay(value, onChange, { min, max })
  const format = useFormat()
  const said = [typed.beside, description].filter(Boolean)
  const field = (
    <TextInput
      {...input}
      label={label}
      description={said.length > 0 ? <Said lines={said} /> : undefined}
      // Text that cannot be read has another message than a day that is not allowed.
      error={typed.fault ?? error}
      value={typed.text}
      placeholder={format.digits(t.pattern)}
      autoComplete="off"
      maxLength={40}
      onChange={(event) => typed.type(event.currentTarget.value)}
      // Enter submits the form without leaving the field.
      onKeyDown={(event) => {
        if (event.key === 'Enter') typed.leave()
      }}
      onBlur={(event) => {
        typed.leave()
        onBlur?.(event)
      }}
      {...(!bare && {
        rightSection: (
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t.open}
              title={t.open}
              aria-haspopup="dialog"
              aria-expanded={opened}
              disabled={input.disabled ?? false}
              onClick={() => setOpened(!opened)}
            >
              <IconCalendar size={18} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Popover.Target>
        ),
      })}
    />
  )
  if (bare) return field
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      withRoles={false}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      {field}
      {/* Escape closes only the calendar, in a dialog too */}
      <Popover.Dropdown role="dialog" aria-modal aria-label={t.choose(label)} className={classes.dropdown ?? ''}>
        <Calendar
          chosen={{ from: value, to: value }}
          min={min}
          max={max}
          onPick={(day) => {
            onChange(day)
            setOpened(false)
          }}
        />
        <CalendarChoice />
      </Popover.Dropdown>
    </Popover>
  )
}

function Said({ lines }: { lines: readonly React.ReactNode[] }) {
  return lines.map((line, index) => (
    <span key={index} className={classes.said}>
      {line}
    </span>
  ))
}
