/** For readers of Nepali who chose 0-9: converts the digits of the texts themselves, but not of names and words put into them. */

const zero = 0x966
/** Replaces the digits of names, with code points that nobody uses, while the text's own digits are converted. */
const aside = 0xe966

function moved(text: string, from: number, to: (digit: number) => string): string {
  return text.replace(/[\u0966-\u096f\ue966-\ue96f]/g, (one) => {
    const digit = one.charCodeAt(0) - from
    return digit >= 0 && digit <= 9 ? to(digit) : one
  })
}
const setAside = (text: string) => moved(text, zero, (digit) => String.fromCharCode(aside + digit))
const latin = (text: string) => moved(text, zero, String)
const broughtBack = (text: string) => moved(text, aside, (digit) => String.fromCharCode(zero + digit))

export function saidInLatin(text: string, say: (text: string) => string): string {
  return broughtBack(latin(say(setAside(text))))
}

function argument(value: unknown): unknown {
  if (typeof value === 'string') return setAside(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, argument(one)]))
}

/** An area's texts with 0-9; its functions take the same values as before. */
export function textsInLatin<T>(texts: T): T
export function textsInLatin(texts: unknown): unknown {
  if (typeof texts === 'string') return latin(texts)
  if (Array.isArray(texts)) return texts.map((text: unknown) => textsInLatin(text))
  if (typeof texts === 'function') {
    return (...values: unknown[]) => {
      const said: unknown = Reflect.apply(texts, undefined, values.map(argument))
      return typeof said === 'string' ? broughtBack(latin(said)) : said
    }
  }
  if (typeof texts !== 'object' || texts === null) return texts
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, textsInLatin(text)]))
}
