import { ownValue } from '@ghanti/contract/own-values.ts'
import { flushSync } from 'react-dom'
import { ApiError } from '../../api/error.ts'
import { showFailure } from '../ui/dialogs/dialogs.ts'
import type { Form } from './field.ts'

type Path<Values> = (keyof Values & string) | `${keyof Values & string}.${string}`

/**
 * Shows a failed call's errors[] at their fields and focuses the first. `fields` maps wire names to form names where they differ. Returns
 * an error with what has no field here; null when everything has a place.
 */
export function placeErrors<Values extends Record<string, unknown>>(
  form: Form<Values>,
  error: unknown,
  fields: Readonly<Record<string, Path<Values>>> = {},
): unknown {
  if (!(error instanceof ApiError) || error.errors.length === 0) return error
  const names = Object.keys(form.getInitialValues())
  const placed = new Map<string, string>()
  const rest = error.errors.filter(({ field, text }) => {
    const name = ownValue(fields, field) ?? names.find((known) => known === field || field.startsWith(`${known}.`))
    if (name !== undefined && !placed.has(name)) placed.set(name, text)
    return name === undefined
  })
  // A file that the server cannot read leaves its field (specification 2 §5).
  if (error.status === 415) for (const name of placed.keys()) form.setFieldValue(name, null as never)
  // At once: the part of the form that has the errors opens before the first of them gets the focus.
  flushSync(() => form.setErrors(Object.fromEntries(placed)))
  focusFirstError(form, [...placed.keys()])
  return rest.length > 0 ? new ApiError(error.status, error.message, rest, error.retryAfterSeconds) : null
}

/**
 * A form's `onSubmit`: shows what `save` rejects with at its fields and, as a whole, in the Error modal. The field gets the focus before
 * the modal opens, and again when it closes. With `summed`, for forms for which no specification asks for the modal, what has its place at a
 * field is in the form's summary alone. `labels`, `failure` and `fields`: see showFailure and placeErrors.
 */
export function saving<Values extends Record<string, unknown>>(
  form: Form<Values>,
  save: (values: Values) => Promise<unknown>,
  {
    labels,
    fields,
    failure,
    summed = false,
  }: {
    labels: Readonly<Record<string, string>>
    fields?: Readonly<Record<string, keyof Values & string>>
    failure?: string | true | undefined
    summed?: boolean
  },
) {
  return form.onSubmit(async (values) => {
    try {
      await save(values)
    } catch (error) {
      const rest = placeErrors(form, error, fields)
      const said = summed ? rest : error
      if (said !== null) requestAnimationFrame(() => showFailure(said, labels, failure))
    }
  }, focusInvalid(form))
}

/** Finds the topmost of these fields that has an error, once the error is on screen. */
function focusFirstError<Values>(form: Form<Values>, names: readonly string[]): void {
  requestAnimationFrame(() => {
    const [first] = names
      .map((name) => form.getInputNode(name))
      .filter((node) => node !== null)
      .toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
    show(first)
  })
}

/** Brings a field on screen and gives it the focus, once what it stands in is open. */
export function show(field: HTMLElement | null | undefined): void {
  field?.closest('details')?.setAttribute('open', '')
  field?.focus()
  field?.scrollIntoView({ block: 'center' })
}

/** For `form.onSubmit(save, focusInvalid(form))`: shows the first validation error. */
export function focusInvalid<Values>(form: Form<Values>) {
  return (errors: Record<string, unknown>) => focusFirstError(form, Object.keys(errors))
}
