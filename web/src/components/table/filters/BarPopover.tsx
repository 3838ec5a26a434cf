import { ownValue } from '@ghanti/contract/own-values.ts'
import { Popover } from '@mantine/core'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/Popover.css'
import { cloneElement, useEffect, useRef, type KeyboardEvent, type ReactElement, type ReactNode, type Ref } from 'react'
import classes from './FilterBar.module.css'

type BarPopoverProps = {
  button: ReactElement<{ ref: Ref<HTMLButtonElement>; onClick: () => void }>
  opened: boolean
  onChange: (opened: boolean) => void
  /** Changes with the panel's content; then the first control apart from the way back gets the focus. */
  step: string
  /** What is behind it is veiled on a phone, and does not take the touch that closes it. */
  isVeiled?: boolean
  children: ReactNode
}

/** The panel of a filter bar's button; a sheet on phones. */
export function BarPopover({ button, opened, onChange, step, isVeiled = false, children }: BarPopoverProps) {
  const target = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Unless the reader has focused something else.
    if (!opened && document.activeElement === document.body) target.current?.focus()
  }, [opened])
  return (
    <Popover
      opened={opened}
      onChange={onChange}
      position="bottom-start"
      shadow="md"
      trapFocus
      withOverlay={isVeiled}
      overlayProps={{ className: classes.veil ?? '', zIndex: 299 }}
      transitionProps={{ duration: 0 }}
      middlewares={{ flip: true, shift: true, size: { padding: 8, apply: fit } }}
    >
      <Popover.Target>{cloneElement(button, { ref: target, onClick: () => onChange(!opened) })}</Popover.Target>
      <Popover.Dropdown p={0} className={classes.dropdown ?? ''} onKeyDown={moveByArrow}>
        <FocusFirst key={`at ${step}`} />
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}

type Space = { availableHeight: number; elements: { floating: HTMLElement } }

/** Tells the panel how much height the window has left. */
function fit({ availableHeight, elements }: Space): void {
  elements.floating.style.setProperty('--bar-room', `${Math.max(availableHeight, 240)}px`)
}

/** The pressed control is gone when the panel changes, so the focus moves to the first one of the next content without scrolling. */
export function FocusFirst() {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    place.current?.parentElement
      ?.querySelector<HTMLElement>('input, select, a[href], button:not([data-back])')
      ?.focus({ preventScroll: true })
  }, [])
  return <span ref={place} hidden />
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Arrow keys move through the entries, and from the search into them; a calendar has its own keys. */
function moveByArrow(event: KeyboardEvent<HTMLDivElement>): void {
  const step = ownValue(steps, event.key)
  if (step === undefined || event.defaultPrevented) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(`.${classes.item}, input[type='search']`)]
  const at = stops.findIndex((stop) => stop === event.target)
  if (at < 0) return
  event.preventDefault()
  stops.at((at + step) % stops.length)?.focus()
}
