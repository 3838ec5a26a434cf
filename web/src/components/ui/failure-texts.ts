import { ApiError } from '../../api/error.ts'
import { serverText } from '../../i18n/language.ts'

/**
 * What a failure says to a person: the catalogue's text, and under it which fields and why (docs/api.md#replies).
 * `labels` gives wire names the words of the screen; without one a field keeps its wire name.
 */
export function failureTexts(
  error: unknown,
  labels: Readonly<Record<string, string>> = {},
): { message: string; details: string[] } {
  if (!(error instanceof ApiError))
    return { message: error instanceof Error ? error.message : String(error), details: [] }
  return {
    message: serverText(error.message),
    details: error.errors.map(({ field, text }) => fieldText(labels[field] ?? field, text)),
  }
}

/** 'is longer than 100 characters' reads on after its label; what begins with a capital, a digit or a media type is a sentence of its own. */
export function fieldText(label: string, text: string): string {
  const said = serverText(text)
  return /^[a-z]+ /.test(text) ? `${label} ${said}` : said
}
