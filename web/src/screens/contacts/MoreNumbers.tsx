import type { MoreNumbers as Counted } from '@ghanti/contract/more-numbers.ts'
import { Suspense } from 'react'
import { late } from '../../components/ui/loading/late.tsx'
import { loadTexts } from '../../i18n/language.ts'

const List = late(async () => {
  const [part] = await Promise.all([import('./MoreNumbersList.tsx'), loadTexts('moreNumbers')])
  return part
})

/** `of`: what the row's own number is for, and the others are not. */
type MoreNumbersProps = { counted: Counted | null | undefined; of: 'calls' | 'messages' | 'list' }

/** In how many rows of a file further numbers stand, by column. */
export function MoreNumbers({ counted, of }: MoreNumbersProps) {
  if (!counted || counted.length === 0) return null
  return (
    <Suspense fallback={null}>
      <List counted={counted} of={of} />
    </Suspense>
  )
}
