import { Suspense } from 'react'
import { late } from '../ui/loading/late.tsx'

// Most forms are sent without an error.
const ListedErrors = late(() => import('./ListedErrors.tsx'))

/** A form's errors by its names, and where their fields are. */
export type Erring = {
  errors: Readonly<Record<string, unknown>>
  getInputNode: (name: string) => HTMLElement | null
}
export type ErrorSummaryProps = {
  form: Erring
  /** By form name, in the form's order. */
  labels: Readonly<Record<string, string>>
  /** Brings a field's part of the form on screen, where the form does not show all of its parts. The field gets the focus afterwards. */
  onOpen?: (name: string) => void
}

/** Above a form's button: every field's error, each a link to its field. Empty while there is none. */
export function ErrorSummary(props: ErrorSummaryProps) {
  if (Object.keys(props.form.errors).length === 0) return null
  return (
    <Suspense fallback={null}>
      <ListedErrors {...props} />
    </Suspense>
  )
}
