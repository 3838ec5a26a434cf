import { Suspense } from 'react'
import { late } from '../../components/ui/loading/late.tsx'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { loadTexts, textsOf } from '../../i18n/language.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Wanted } from './AskExport.tsx'

const AskExport = late(() => import('./AskExport.tsx'))

export async function openExport(
  wanted: Omit<Wanted, 'what'>,
  what: (t: TextsOf<'exports'>['ask']) => string,
  go: (path: string) => void,
): Promise<void> {
  await loadTexts('exports')
  const { ask } = textsOf('exports')
  showDialog({
    title: ask.title,
    render: (close) => (
      <Suspense fallback={<div aria-busy />}>
        <AskExport wanted={{ ...wanted, what: what(ask) }} close={close} go={go} />
      </Suspense>
    ),
  })
}
