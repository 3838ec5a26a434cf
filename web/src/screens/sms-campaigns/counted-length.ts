import { doubledIn, type SmsSize } from '@ghanti/contract/sms-text.ts'
import type { useFormat } from '../../i18n/format.ts'
import type { counting } from '../../i18n/en/sms-counting.ts'

type Counted = {
  /** '54 characters, counted as 78' */
  length: string
  /** Why more is counted than readers see; null when that is the same. */
  why: string | null
}

/** What is charged beside what readers count. */
export function countedLength(
  text: string,
  { encoding, characters, units }: SmsSize,
  t: typeof counting,
  { count }: Pick<ReturnType<typeof useFormat>, 'count'>,
): Counted {
  if (units === characters) return { length: t.characters(count(characters)), why: null }
  const why = encoding === 'GSM-7' ? t.doubled(doubledIn(text).join(' ')) : t.signs
  return { length: t.counted(count(characters), count(units)), why }
}
