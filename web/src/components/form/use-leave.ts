import { useNavigate } from 'react-router'
import { showDone } from '../ui/toasts/toasts.ts'

/**
 * Leaves a form that was sent, and says what was done. The next screen is drawn at once, if need be without its contents: a transition would
 * keep the form, and what has changed would look like a fault in it.
 */
export function useLeave(): (to: string, done: string) => Promise<void> {
  const navigate = useNavigate()
  return async (to, done) => {
    await navigate(to, { flushSync: true })
    showDone(done)
  }
}
