import { Suspense } from 'react'
import { showDialog, showFailure } from '../components/ui/dialogs/dialogs.ts'
import { late } from '../components/ui/loading/late.tsx'
import { loadTexts, textsOf } from '../i18n/language.ts'

const KeyList = late(() => import('./KeyList.tsx'))

/** The shortcuts that work for the viewer on the open screen. */
export function showKeys(): void {
  loadTexts('goTo').then(
    () =>
      showDialog({
        title: textsOf('goTo').keys.title,
        render: () => (
          <Suspense fallback={null}>
            <KeyList />
          </Suspense>
        ),
      }),
    showFailure,
  )
}
