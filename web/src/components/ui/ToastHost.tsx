import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { late } from './late.tsx'
import { toastStore } from './toasts.ts'
import classes from './ToastHost.module.css'

const importToast = () => import('./Toast.tsx')
const Toast = late(importToast, { floating: true })

/** Where toasts appear: the region is there from the start, so that screen readers hear what comes into it. */
export function ToastHost() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get)
  useEffect(() => {
    const timer = setTimeout(() => void importToast().catch(() => undefined), 3000)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" className={classes.toasts}>
      {toasts.map((toast) => (
        <Suspense key={toast.id} fallback={null}>
          <Toast toast={toast} />
        </Suspense>
      ))}
    </div>
  )
}
