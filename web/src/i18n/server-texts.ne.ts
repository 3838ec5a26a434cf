import { nepaliDigits } from './nepali-digits.ts'
import { fieldTexts } from './server-texts/fields.ne.ts'
import { lineTexts } from './server-texts/lines.ne.ts'
import { moneyTexts } from './server-texts/money.ne.ts'
import { nepaliMessages } from './server-texts/messages.ne.ts'
import { userTexts } from './server-texts/users.ne.ts'
import { voiceTexts } from './server-texts/voices.ne.ts'
import { reasonTexts } from './server-texts/reasons.ne.ts'

const all = [...nepaliMessages, ...lineTexts, ...moneyTexts, ...userTexts, ...voiceTexts, ...reasonTexts, ...fieldTexts]
const exact = new Map(all.filter((line): line is [string, string] => typeof line[0] === 'string'))
/** Texts that carry a value. */
const patterns = all.filter((line): line is [RegExp, string] => line[0] instanceof RegExp)

/** A text that is not known stays English: better than nothing. */
export function nepaliOf(english: string): string {
  const found = exact.get(english)
  if (found !== undefined) return found
  for (const [pattern, nepali] of patterns) {
    const match = pattern.exec(english)
    if (match) return filled(nepali, match)
  }
  const list = english.split(', ')
  return list.length > 1 ? list.map(nepaliOf).join(', ') : english
}

function filled(nepali: string, match: RegExpExecArray): string {
  return nepali.replace(/\{([#~]?)(\d)\}/g, (_, how: string, group: string) => {
    const part = match[Number(group)] ?? ''
    if (how === '~') return nepaliOf(part)
    return how === '#' ? nepaliDigits(part) : part
  })
}
