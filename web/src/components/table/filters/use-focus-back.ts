import { useRef } from 'react'

/** Mantine returns the focus to what had it before opening, which the first time is a button that the loaded part has replaced. */
export function useFocusBack() {
  const button = useRef<HTMLButtonElement>(null)
  const dropdown = useRef<HTMLDivElement>(null)
  const onChange = (opened: boolean) => {
    // Unless the reader has focused something else.
    if (!opened && dropdown.current?.contains(document.activeElement)) button.current?.focus()
  }
  return { button, dropdown, onChange }
}
