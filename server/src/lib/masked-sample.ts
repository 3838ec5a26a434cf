/** What people are shown of a receipt that could not be read: its form, and no number in full. */
const textMax = 300
/** Shorter ones are codes and parts of dates. */
const digitsMin = 5
const shown = 2

/** Every number keeps its first and last two digits: '9841000001' becomes '98xxxxxx01'. Digits of any script count, also with a sign between two. */
export function sampleOf(text: string): string {
  const plain = text
    .slice(0, 2 * textMax)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  let masked = ''
  let number: string[] = []
  const end = (): void => {
    masked += maskedNumber(number)
    number = []
  }
  for (const letter of plain) {
    const continues = isDigit(letter) || (number.length > 0 && between.has(letter))
    if (!continues && number.length > 0) end()
    if (continues) number.push(letter)
    else masked += letter
  }
  end()
  return masked.slice(0, textMax).toWellFormed()
}

const between: ReadonlySet<string> = new Set('-.()/')

function isDigit(letter: string): boolean {
  return /\p{Nd}/u.test(letter)
}

function maskedNumber(letters: readonly string[]): string {
  const digits = letters.filter(isDigit).length
  if (digits < digitsMin) return letters.join('')
  let seen = 0
  return letters
    .map((letter) => {
      if (!isDigit(letter)) return letter
      seen += 1
      return seen <= shown || seen > digits - shown ? letter : 'x'
    })
    .join('')
}
