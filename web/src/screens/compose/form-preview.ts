import { useState } from 'react'
import { toPreviewBody } from './compose-body.ts'
import type { ComposeForm } from './form.ts'
import { usePreview } from './queries.ts'
import { countableTexts } from './messages/sms-form.ts'

/** A form's preview, and its file's columns, which are kept while the next preview loads or fails: without them texts cannot be checked. */
export function useFormPreview(form: ComposeForm, baseId: number | null) {
  const [known, setKnown] = useState<{ baseId: number; columns: readonly string[] } | null>(null)
  const columns = known !== null && known.baseId === baseId ? known.columns : null
  // Names of keys change nothing of it, so typing them does not ask again.
  const unnamed = { ...form, keyLabels: {} }
  const preview = usePreview(baseId === null ? null : toPreviewBody(unnamed, baseId, countableTexts(form, columns)))
  const found = preview.data?.columns
  if (found && baseId !== null && found !== columns) setKnown({ baseId, columns: found })
  return { preview, columns }
}
