import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { showDone } from '../ui/toasts/toasts.ts'

/**
 * Leaves a form that was sent, and says what was done once it is gone: until the next screen has been drawn the form stays, and what it shows is
 * about to be untrue.
 */
export function useLeave(): (to: string, done: string) => Promise<void> {
  const navigate = useNavigate()
  const said = useRef<string[]>([])
  useEffect(() => {
    const { current: texts } = said
    return () => texts.splice(0).forEach((text) => showDone(text))
  }, [])
  return async (to, done) => {
    said.current.push(done)
    await navigate(to)
  }
}
