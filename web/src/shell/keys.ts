type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>

/** The character of a key, by its position when the keyboard writes another script. */
export function signOf({ key, code, shiftKey }: Pressed): string {
  if (/^[\x20-\x7e]$/.test(key)) return key.toLowerCase()
  if (code === 'Slash') return shiftKey ? '?' : '/'
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? ''
}

/** Letters go to a field while somebody types, and to an open dialog or menu. */
export function isTakenBy(target: EventTarget | null): boolean {
  if (document.querySelector('[role=dialog], [role=menu], [role=listbox]')) return true
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.closest('input:not([type=checkbox]), textarea, select, audio, [role=combobox]') !== null
  )
}

const storageKey = 'ghanti-keys'

export function keysAreOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    return true
  }
}

/** For people whose speech input or hands press letters by mistake (WCAG 2.1.4); Ctrl K keeps working. */
export function switchKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, 'off')
  } catch {
    // Storage may be forbidden; the shortcuts then stay as they are.
  }
}
