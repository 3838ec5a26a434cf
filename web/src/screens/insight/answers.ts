import { bandText, countOfKey, keysShown } from '@ghanti/contract/insight-answers.ts'
import { leftBefore, type CallInsight } from '@ghanti/contract/insight.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'
import type { Figure } from './figures.ts'

type Texts = TextsOf<'insight'>
export const secondsIn = (format: Format) => (seconds: number) => format.digits(String(seconds))

type CallRow = CallInsight['rows'][number]

/** Further figures of rows: each key that occurs, and each band if anybody hung up. Empty where these are not kept by row. */
export function answerFigures(rows: readonly CallRow[], t: Texts, format: Format): Figure<CallRow>[] {
  const answers = rows.flatMap((row) => row.answers ?? [])
  const keys = keysShown(answers).map((key): Figure<CallRow> => {
    const of = (row: CallRow) => row.answers && countOfKey(row.answers, key)
    return { name: `key ${key}`, label: t.answers.key(format.digits(key)), unit: 'count', of }
  })
  const bands = leftBefore.map((_, n): Figure<CallRow> => {
    const of = (row: CallRow) => row.answers && (row.answers.left[n]?.count ?? 0)
    return { name: `left ${n}`, label: t.answers.hungUp(bandText(n, t.answers, secondsIn(format))), unit: 'count', of }
  })
  return [...keys, ...(answers.some(({ left }) => left.some(({ count }) => count > 0)) ? bands : [])]
}
