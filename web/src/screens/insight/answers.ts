import { keypad, leftBefore, type Answers, type CallInsight } from '@ghanti/contract/insight.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'
import type { Figure } from './figures.ts'

type Key = (typeof keypad)[number]
type Texts = TextsOf<'insight'>

/** The keys that occur in any of these, in telephone order. */
export function keysShown(of: readonly Pick<Answers, 'keys'>[]): Key[] {
  const pressed = new Set(of.flatMap(({ keys }) => keys.map(({ key }) => key)))
  return keypad.filter((key) => pressed.has(key))
}

export function countOfKey({ keys }: Pick<Answers, 'keys'>, wanted: Key): number {
  return keys.find(({ key }) => key === wanted)?.count ?? 0
}

/** One of the contract's bands, in words. */
export function bandText(n: number, t: Texts['answers'], format: Format): string {
  const [from, before] = [leftBefore[n - 1], leftBefore[n]]
  const seconds = (value: number) => format.digits(String(value))
  if (from === undefined || from === null) return t.first(seconds(before ?? 0))
  return before === null || before === undefined ? t.later(seconds(from)) : t.between(seconds(from), seconds(before))
}

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
    return { name: `left ${n}`, label: t.answers.hungUp(bandText(n, t.answers, format)), unit: 'count', of }
  })
  return [...keys, ...(answers.some(({ left }) => left.some(({ count }) => count > 0)) ? bands : [])]
}
