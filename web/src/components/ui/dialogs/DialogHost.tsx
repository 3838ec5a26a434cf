import { Suspense, useSyncExternalStore } from 'react'
import { dialogStore } from './dialogs.ts'
import { late } from '../loading/late.tsx'
import { useIdleLoad } from '../loading/use-idle-load.ts'

/** The code of all dialogs, for a screen whose dialog must open even while the server is away. */
export const importDialog = () => import('./Dialog.tsx')
const Dialog = late(importDialog, { floating: true })

/** Where dialogs appear. Their code loads when the page is idle, or with the first dialog. */
export function DialogHost() {
  const open = useSyncExternalStore(dialogStore.subscribe, dialogStore.get)
  useIdleLoad(importDialog)
  if (!open) return null
  return (
    <Suspense fallback={null}>
      <Dialog key={open.id} id={open.id} content={open.content} />
    </Suspense>
  )
}
