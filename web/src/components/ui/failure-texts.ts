import { beside } from '@ghanti/contract/nepali/endings.ts'
import { ApiError } from '../../api/error.ts'
import { serverText } from '../../i18n/language.ts'

/**
 * A failure for people: the catalogue's text, and which fields are wrong and why (docs/api.md#replies). `labels` maps wire names to the
 * screen's; others keep their wire name.
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

/**
 * 'is longer than 100 characters' continues a sentence after its label; a text that starts with a capital, a digit or a media type is a
 * sentence of its own. In Nepali a case ending is joined to the label.
 */
export function fieldText(label: string, text: string): string {
  const said = serverText(text)
  return /^[a-z]+ /.test(text) ? beside(label, said) : said
}
