import { Suspense } from 'react'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { loadTexts } from '../../i18n/language.ts'
import type { Source } from './queries.ts'
import { late } from '../../components/ui/loading/late.tsx'

const PreviewCall = late(async () => {
  const [player] = await Promise.all([import('./PreviewCall.tsx'), loadTexts('previewCall')])
  return player
})

/** Opens the preview of a row; `labels` names form fields that the server refuses. */
export function openPreviewCall(title: string, source: Source, labels: Readonly<Record<string, string>> = {}): void {
  showDialog({
    title,
    size: 'xl',
    render: () => (
      <Suspense fallback={null}>
        <PreviewCall source={source} labels={labels} />
      </Suspense>
    ),
  })
}
