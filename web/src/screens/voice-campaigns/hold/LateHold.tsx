import { Suspense } from 'react'
import { late } from '../../../components/ui/loading/late.tsx'
import { loadTexts, serverSentence } from '../../../i18n/language.ts'
import type { Held } from './Hold.tsx'

const Hold = late(async () => {
  const [part] = await Promise.all([import('./Hold.tsx'), loadTexts('campaignActions')])
  return { default: part.Hold }
})

/** On a campaign's own page, whose first button resumes it where the reader may. */
export function LateHold({ held }: { held: Held }) {
  return (
    <Suspense fallback={held.reason !== null && <p>{serverSentence(held.reason)}</p>}>
      <Hold held={held} canResumeBeside />
    </Suspense>
  )
}
