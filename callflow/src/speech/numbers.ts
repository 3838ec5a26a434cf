import { ownValue } from '@ghanti/contract/own-values.ts'
import type { Language } from '@ghanti/contract/templates.ts'

/** 0 to 99: in Nepali each has its own word, spelled as the Nepal Academy's dictionary does. */
const nepali = [
  'शून्य एक दुई तीन चार पाँच छ सात आठ नौ',
  'दश एघार बाह्र तेह्र चौध पन्ध्र सोह्र सत्र अठार उन्नाइस',
  'बीस एक्काइस बाइस तेइस चौबीस पच्चीस छब्बीस सत्ताइस अट्ठाइस उनन्तीस',
  'तीस एकतीस बत्तीस तेत्तीस चौँतीस पैँतीस छत्तीस सैँतीस अठतीस उनन्चालीस',
  'चालीस एकचालीस बयालीस त्रिचालीस चवालीस पैँतालीस छयालीस सतचालीस अठचालीस उनन्चास',
  'पचास एकाउन्न बाउन्न त्रिपन्न चवन्न पचपन्न छपन्न सन्ताउन्न अन्ठाउन्न उनन्साठी',
  'साठी एकसट्ठी बयसट्ठी त्रिसट्ठी चौँसट्ठी पैँसट्ठी छयसट्ठी सतसट्ठी अठसट्ठी उनन्सत्तरी',
  'सत्तरी एकहत्तर बहत्तर त्रिहत्तर चौहत्तर पचहत्तर छयहत्तर सतहत्तर अठहत्तर उनासी',
  'असी एकासी बयासी त्रियासी चौरासी पचासी छयासी सतासी अठासी उनान्नब्बे',
  'नब्बे एकानब्बे बयानब्बे त्रियानब्बे चौरानब्बे पन्चानब्बे छयानब्बे सन्तानब्बे अन्ठानब्बे उनान्सय',
].flatMap((ten) => ten.split(' '))

const ones = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'
  .split(' ')
  .concat('seventeen eighteen nineteen'.split(' '))
const tens = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

function english(number: number): string {
  if (number < 20) return ones[number] ?? ''
  const ten = tens[Math.floor(number / 10)] ?? ''
  return number % 10 === 0 ? ten : `${ten}-${ones[number % 10]}`
}

/** The words for 0 to 99, by number. */
export const numberWords: Record<Language, readonly string[]> = {
  ne: nepali,
  en: Array.from({ length: 100 }, (_, number) => english(number)),
}

/** Names of powers of ten, by their keys in the lexicon. */
export const scaleWords = {
  ne: { hundred: 'सय', thousand: 'हजार', lakh: 'लाख', crore: 'करोड' },
  en: { hundred: 'hundred', thousand: 'thousand', lakh: 'lakh', crore: 'crore' },
} as const satisfies Record<Language, Record<string, string>>

const irregular: Record<string, string> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

export function ordinalOf(number: number): string {
  const word = english(number)
  const at = word.lastIndexOf('-') + 1
  const last = word.slice(at)
  return (
    word.slice(0, at) + (ownValue(irregular, last) ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`))
  )
}

/** A whole number from 1 to 99,99,99,999 in crores, lakhs, thousands and hundreds; no words for 0. */
export function countWords(language: Language, number: number): string[] {
  const { hundred, thousand, lakh, crore } = scaleWords[language]
  const small = numberWords[language]
  const group = (size: number, among: number, scale: string): string[] => {
    const count = Math.floor(number / size) % among
    return count === 0 ? [] : [small[count] ?? '', scale]
  }
  const rest = number % 100
  return [
    ...group(10_000_000, 100, crore),
    ...group(100_000, 100, lakh),
    ...group(1000, 100, thousand),
    ...group(100, 10, hundred),
    ...(rest === 0 ? [] : [small[rest] ?? '']),
  ]
}

/** 'nineteen hundred ninety-nine', 'two thousand twenty-six'. */
export function yearWords(language: Language, year: number): string[] {
  const small = numberWords[language]
  if (year >= 2000) return countWords(language, year)
  const rest = year % 100
  const hundreds = [small[Math.floor(year / 100)] ?? '', scaleWords[language].hundred]
  return rest === 0 ? hundreds : [...hundreds, small[rest] ?? '']
}
