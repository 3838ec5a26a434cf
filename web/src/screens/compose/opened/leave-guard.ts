import { useEffect, useRef } from 'react'
import { useBlocker, useNavigate } from 'react-router'
import { confirm } from '../../../components/ui/dialogs/dialogs.ts'
import { useTexts } from '../../../i18n/language.ts'

/** 'Leave without saving?' while something would be lost: `loss` says what, as a sentence; null: nothing. */
export function useLeaveGuard(loss: string | null): void {
  const { form } = useTexts('common')
  const navigate = useNavigate()
  const allowed = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      loss !== null && !allowed.current && currentLocation.pathname !== nextLocation.pathname,
  )

  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const to = blocker.location
    blocker.reset()
    confirm({
      title: form.leaveQuestion,
      question: loss ?? '',
      failure: '',
      onYes: async () => {
        allowed.current = true
        await navigate(to)
      },
    })
  }, [blocker, form.leaveQuestion, loss, navigate])

  useEffect(() => {
    if (loss === null) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [loss])
}
