import { Suspense } from 'react'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { loadTexts } from '../../i18n/language.ts'
import type { Tested } from './tested.ts'
import { late } from '../../components/ui/loading/late.tsx'

const TestCall = late(async () => {
  const [dialog] = await Promise.all([import('./TestCall.tsx'), loadTexts('testCall', 'previewCall')])
  return dialog
})

export function openTestCall(title: string, tested: Tested): void {
  showDialog({
    title,
    size: 'lg',
    render: (close) => (
      <Suspense fallback={null}>
        <TestCall tested={tested} onClose={close} />
      </Suspense>
    ),
  })
}
