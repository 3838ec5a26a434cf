import { ownValue } from '@ghanti/contract/own-values.ts'
import type { Repeat } from '@ghanti/contract/repeats.ts'
import { fieldText } from '../../components/ui/failures/failure-texts.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useTexts } from '../../i18n/language.ts'

export function Reasons({ of }: { of: Repeat['faults'] }) {
  const t = useTexts('repeats')
  return of.map(({ field, text }) => <small key={field}>{fieldText(labelOf(field, t), text)} </small>)
}

/** Fields of compose, and the voice files of templates with several parts. */
function labelOf(field: string, { fields }: TextsOf<'repeats'>): string {
  const labels: Readonly<Record<string, string>> = fields
  return ownValue(labels, field) ?? field
}
