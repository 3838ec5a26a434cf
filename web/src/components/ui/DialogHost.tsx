import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { dialogStore } from './dialogs.ts'
import { late } from './late.tsx'

/** For a screen whose dialog must open even while the server is away. */
export const importDialog = () => import('./Dialog.tsx')
const Dialog = late(importDialog, { floating: true })

/** Dialogs' code loads when the page is idle, or with the first one. */
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
