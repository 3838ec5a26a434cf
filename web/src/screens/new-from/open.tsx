import { Suspense } from 'react'
import { queryClient } from '../../api/query.ts'
import { SessionProvider, sessionQuery } from '../../api/session.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { loadTexts, textsOf } from '../../i18n/language.ts'
import { whenLoaded } from '../../components/ui/loading/when-loaded.ts'
import type { Source } from './choice.ts'
import type { NewBy } from './Making.tsx'

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

/** Those who pressed this key of a campaign, and what the new one does with them. */
export type Pressed = { key: string; by: NewBy; userId: number }

export function openNewFromKey(source: Source, pressed: Pressed, go: (path: string) => void): Promise<void> {
  return whenLoaded(
    async () => (await Promise.all([import('./from-key.tsx'), loadTexts('newFrom')]))[0],
    (part) => part.makeFromKey(source, pressed, go),
  )
}
