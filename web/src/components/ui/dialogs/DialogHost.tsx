import { Suspense, useSyncExternalStore } from 'react'
import { useOtherAccount } from '../../../api/page-owner.ts'
import { dialogStore } from './dialogs.ts'
import { loadTexts } from '../../../i18n/language.ts'
import { late } from '../loading/late.tsx'
import { useIdleLoad } from '../loading/use-idle-load.ts'

/** The code of all dialogs, for a screen whose dialog must open even while the server is away. */
export const importDialog = () => import('./Dialog.tsx')
const Dialog = late(importDialog, { floating: true })
const OtherAccount = late(
  async () => {
    const [part] = await Promise.all([import('./OtherAccount.tsx'), loadTexts('otherAccount')])
    return part
  },
  { floating: true },
)

/** Where dialogs appear. Their code loads when the page is idle, or with the first dialog. */
export function DialogHost() {
  const open = useSyncExternalStore(dialogStore.subscribe, dialogStore.get)
  const otherAccount = useOtherAccount()
  useIdleLoad(importDialog)
  return (
    <>
      <Suspense fallback={null}>{open && <Dialog key={open.id} id={open.id} content={open.content} />}</Suspense>
      <Suspense fallback={null}>{otherAccount !== null && <OtherAccount sentence={otherAccount} />}</Suspense>
    </>
  )
}
