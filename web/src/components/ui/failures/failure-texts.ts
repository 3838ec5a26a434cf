import { ownValue } from '@ghanti/contract/own-values.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { beside } from '@ghanti/contract/nepali/endings.ts'
import { ApiError } from '../../../api/error.ts'
import { serverText } from '../../../i18n/language.ts'

type Labels = Readonly<Record<string, string>>

/**
 * A failure in words. `helps`: which fields are wrong and why (docs/api.md#replies), or else the catalogue's message. `labels` maps wire names to the
 * screen's; others keep their wire name.
 */
export function failureTexts(error: unknown, labels: Labels = {}): { helps: readonly string[]; message: string } {
  if (!(error instanceof ApiError)) {
    const message = error instanceof Error ? error.message : String(error)
    return { helps: [message], message }
  }
  const message = serverText(error.message)
  const reasons = error.errors.map(({ field, text }) => fieldText(ownValue(labels, field) ?? field, text))
  return { helps: reasons.length > 0 ? reasons : [message], message }
}

/** Messages that say only that something failed. */
const general = new Set<string>([messages.badInput, messages.requestFailed])

/**
 * The lines of a dialog: the helpful ones, then the sentence that a specification requires for this action (`true`: the server's message), each
 * once. That sentence replaces a message that says less.
 */
export function failureLines(error: unknown, labels: Labels, due: string | true | undefined): readonly string[] {
  const { helps, message } = failureTexts(error, labels)
  if (due === undefined) return helps
  const sentence = due === true ? message : serverText(due)
  const saysLess = due !== true && error instanceof ApiError && error.errors.length === 0 && general.has(error.message)
  return saysLess ? [sentence] : [...new Set([...helps, sentence])]
}

/**
 * 'is longer than 100 characters' continues a sentence after its label; a text that starts with a capital, a digit or a media type is a
 * sentence of its own. In Nepali a case ending is joined to the label.
 */
export function fieldText(label: string, text: string): string {
  const said = serverText(text)
  return /^[a-z]+ /.test(text) ? beside(label, said) : said
}
