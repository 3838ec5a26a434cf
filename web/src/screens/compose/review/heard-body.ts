import { toPreviewBody } from '../compose-body.ts'
import type { ComposeForm } from '../form.ts'
import { composeTemplateOf } from '../templates/table.ts'
import { templateProblems } from '../validate.ts'

/** What a preview of the call is asked with; null while the template, its files or the contacts are missing. */
export function bodyOfCall(values: ComposeForm, baseId: number | null) {
  const hasTemplate = composeTemplateOf(values.template) !== undefined
  const isComplete = hasTemplate && Object.keys(templateProblems(values)).length === 0
  return isComplete && baseId !== null ? toPreviewBody(values, baseId) : null
}
