import { Suspense } from 'react'
import { queryClient } from '../../api/query.ts'
import { SessionProvider, sessionQuery } from '../../api/session.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { loadTexts, textsOf } from '../../i18n/language.ts'
import type { Source } from './choice.ts'

const NewFrom = late(() => import('./NewFrom.tsx'))

export async function openNewFrom(source: Source, go: (path: string) => void): Promise<void> {
  await loadTexts('newFrom')
  // Dialogs are mounted outside the screens, which know the session.
  const session = queryClient.getQueryData(sessionQuery.queryKey) ?? null
  showDialog({
    title: textsOf('newFrom').title(source.campaignName),
    size: 'lg',
    render: (close) => (
      <SessionProvider value={session}>
        <Suspense fallback={<div aria-busy />}>
          <NewFrom source={source} close={close} go={go} />
        </Suspense>
      </SessionProvider>
    ),
  })
}
