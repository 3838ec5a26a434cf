import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSession } from '../api/session.ts'
import { screenKeys } from '../components/ui/screen-keys.ts'
import { undoNewest } from '../components/ui/toasts/undo.ts'
import { additionOf, placesOf } from './key-places.ts'
import { isTakenBy, keysAreOn, signOf } from './keys.ts'
import { showKeys } from './show-keys.tsx'

/** How long after g the second letter counts. */
const secondLetterMs = 2000

/** Single-letter shortcuts: ? / n z, and g with a second letter. Loaded after the page. */
export default function Keys(): null {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { role } = useSession()
  const pressedG = useRef(-Infinity)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      if (!keysAreOn() || isTakenBy(event.target)) return
      const sign = signOf(event)
      const follows = event.timeStamp - pressedG.current < secondLetterMs
      pressedG.current = -Infinity
      const place = placesOf(role).find(({ letter }) => letter === sign)?.path
      const own = screenKeys().find(({ letter }) => letter === sign)
      const to = follows ? place : sign === 'n' ? additionOf(role, pathname) : null
      if (to) void navigate(to)
      else if (own && !follows) own.run()
      else if (sign === 'g') pressedG.current = event.timeStamp
      else if (sign === 'z') undoNewest()
      else if (sign === '?') showKeys()
      else if (sign !== '/' || !focusSearch()) return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate, pathname, role])
  return null
}

function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('main [role=searchbox]')
  search?.focus()
  search?.select()
  return search !== null
}
