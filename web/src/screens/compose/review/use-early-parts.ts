import { useEffect } from 'react'
import { afterPaint } from '../../../components/table/rows/use-after-paint.ts'
import { importDialog } from '../../../components/ui/dialogs/DialogHost.tsx'

/** What a form needs once its button is pressed: dialogs at once, because they say that the server has gone; then the review, so that it opens without waiting. */
export function useEarlyParts(importReview: () => Promise<unknown>): void {
  useEffect(() => afterPaint(() => void importDialog().catch(() => undefined)), [])
  useEffect(() => {
    const timer = setTimeout(() => void importReview().catch(() => undefined), 1000)
    return () => clearTimeout(timer)
  }, [importReview])
}
