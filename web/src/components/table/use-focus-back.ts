import { useRef } from 'react'

/**
 * Gives the focus back to the button of what closes. Mantine gives it to what had it before the opening: at the first one that is a button which the
 * arriving part has replaced.
 */
export function useFocusBack() {
  const button = useRef<HTMLButtonElement>(null)
  const dropdown = useRef<HTMLDivElement>(null)
  const onChange = (opened: boolean) => {
    // Whoever pressed something else is there already.
    if (!opened && dropdown.current?.contains(document.activeElement)) button.current?.focus()
  }
  return { button, dropdown, onChange }
}
