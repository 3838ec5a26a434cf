import { useEffect, useRef, useState } from 'react'

/**
 * The options as they were when the pointer went down on a list, until it goes up. An answer of the server that replaced the option in between
 * would take the click, and the list would stay open over a text that looks chosen.
 */
export function useHeld<Options>(options: Options): Options {
  const [held, setHeld] = useState<{ options: Options } | null>(null)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    const ends = new AbortController()
    const { signal } = ends
    const hold = ({ target }: Event) => {
      if (target instanceof Element && target.closest('[role=listbox]')) setHeld({ options: latest.current })
    }
    // The click follows what ends the press.
    const release = () => setTimeout(() => signal.aborted || setHeld(null))
    document.addEventListener('pointerdown', hold, { signal })
    document.addEventListener('pointerup', release, { signal })
    document.addEventListener('pointercancel', release, { signal })
    return () => ends.abort()
  }, [])
  return held ? held.options : options
}
