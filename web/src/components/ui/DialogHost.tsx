import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { dialogStore } from './dialogs.ts'

const importDialog = () => import('./Dialog.tsx')
const Dialog = lazy(importDialog)

/** Where dialogs appear. Their code comes when the page has nothing better to do, or with the first dialog. */
export function DialogHost() {
  const open = useSyncExternalStore(dialogStore.subscribe, dialogStore.get)
  useEffect(() => {
    const timer = setTimeout(() => void importDialog().catch(() => undefined), 3000)
    return () => clearTimeout(timer)
  }, [])
  if (!open) return null
  return (
    <Suspense fallback={null}>
      <Dialog key={open.id} id={open.id} content={open.content} />
    </Suspense>
  )
}
