import { Suspense } from 'react'
import { Page } from '../../components/ui/Page.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { useTexts } from '../../i18n/language.ts'

// The code of its fields is large, so the page's frame is shown first.
const AddRepeat = late(() => import('./AddRepeat.tsx'))

/** /add-repeating, or with the set-up of ?setup={setupId}. */
export default function AddRepeatScreen() {
  const t = useTexts('repeats')
  return (
    <Page title={t.form.title}>
      <Suspense fallback={<div aria-busy />}>
        <AddRepeat />
      </Suspense>
    </Page>
  )
}
