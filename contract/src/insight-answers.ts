import { keypad, leftBefore, type Answers } from './insight.ts'

/** The English of keys and of hanging up, on screen and in CSV. */
export const answerWords = {
  key: (key: string) => `Key ${key}`,
  noKey: 'No key',
  first: (seconds: string) => `Within ${seconds} s`,
  between: (from: string, to: string) => `After ${from} to ${to} s`,
  later: (from: string) => `After ${from} s or more`,
  stayed: 'Stayed to the end',
  hungUp: (when: string) => `Hung up: ${when}`,
  what: 'What',
  share: 'Of answered',
}

type Key = (typeof keypad)[number]

/** The keys that occur in any of these, in telephone order. */
export function keysShown(of: readonly Pick<Answers, 'keys'>[]): Key[] {
  const pressed = new Set(of.flatMap(({ keys }) => keys.map(({ key }) => key)))
  return keypad.filter((key) => pressed.has(key))
}

export function countOfKey({ keys }: Pick<Answers, 'keys'>, wanted: Key): number {
  return keys.find(({ key }) => key === wanted)?.count ?? 0
}

/** The `n`th band of `leftBefore`, in words. */
export function bandText(n: number, words: typeof answerWords, shown: (seconds: number) => string): string {
  const [from, before] = [leftBefore[n - 1], leftBefore[n]]
  if (from === undefined || from === null) return words.first(shown(before ?? 0))
  return before === null || before === undefined ? words.later(shown(from)) : words.between(shown(from), shown(before))
}
