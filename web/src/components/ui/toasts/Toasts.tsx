import { Button, CloseButton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { serverText, useTexts } from '../../../i18n/language.ts'
import { keepFocus } from '../keep-focus.ts'
import { closeToast, forgetToasts, toastStore, type Toast as ToastMessage } from './toasts.ts'
import classes from './Toasts.module.css'
import { undoToast } from './undo.ts'

/** The live region exists before any toast, so that screen readers announce them. */
export default function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get)
  useEffect(() => forgetToasts, [])
  // In this part because it loads after the first paint and stays.
  useEffect(keepFocus, [])
  return (
    <div role="status" className={classes.toasts}>
      {toasts.map((toast) => (
        <Toast key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

/** Long enough to read it twice; longer when it can be undone. */
const msOf = ({ text, undo }: ToastMessage) => (undo ? 15_000 : 6_000) + 80 * text.length

/** Stays while the pointer or the focus is on it. */
function Toast({ toast }: { toast: ToastMessage }) {
  const { dialog } = useTexts('common')
  const { toasts } = useTexts('goTo')
  const [isHeld, setHeld] = useState(false)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (isHeld || busy) return
    const timer = setTimeout(() => closeToast(toast.id), msOf(toast))
    return () => clearTimeout(timer)
  }, [toast, isHeld, busy])
  const undo = async () => {
    setBusy(true)
    await undoToast(toast)
  }
  return (
    <div
      className={classes.toast}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <IconCheck size={18} stroke={2} aria-hidden className={classes.mark} />
      <p>{serverText(toast.text)}</p>
      {toast.undo && (
        <Button variant="subtle" size="compact-sm" loading={busy} onClick={() => void undo()}>
          {toasts.undo}
        </Button>
      )}
      <CloseButton size="sm" aria-label={dialog.close} onClick={() => closeToast(toast.id)} />
    </div>
  )
}
