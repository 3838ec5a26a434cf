import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { percentText } from './Outcomes.tsx'

export const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : (part / whole) * 100)

export function Share({ part, whole }: { part: number; whole: number }) {
  const t = useTexts('answers')
  const format = useFormat()
  return part === 0 || whole === 0 ? '–' : t.percent(format.digits(percentText(percentOf(part, whole))))
}
