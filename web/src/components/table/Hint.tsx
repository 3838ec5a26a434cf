import { Suspense } from 'react'
import { late } from '../ui/loading/late.tsx'

const ListHint = late(() => import('./ListHint.tsx'))

/** A sentence on rows that a list leaves out, loaded when there is one. */
export const Hint = (of: Parameters<typeof ListHint>[0]) => (
  <Suspense fallback={<span aria-busy />}>
    <ListHint {...of} />
  </Suspense>
)
