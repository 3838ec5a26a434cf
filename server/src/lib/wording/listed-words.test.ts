import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ListedWords } from './listed-words.ts'

test.each([
  { why: 'upper case', text: 'a BET today', word: 'bet', found: true },
  { why: 'a Latin word ends itself', text: 'better', word: 'bet', found: false },
  { why: 'and begins itself', text: 'alphabet', word: 'bet', found: false },
  { why: 'Nepali appends endings', text: 'बाजीमा जित्नुहोस्', word: 'बाजी', found: true },
  { why: 'a Nepali word begins itself', text: 'साबाजी', word: 'बाजी', found: false },
  { why: 'a zero-width space ends no word', text: 'no\u200bbet', word: 'bet', found: false },
  { why: 'a zero-width space within', text: 'b\u200bet now', word: 'bet', found: true },
  { why: 'wide letters', text: 'ｂｅｔ', word: 'bet', found: true },
  { why: 'several words', text: 'the quick loan', word: 'quick loan', found: true },
  { why: 'several words on two lines', text: 'quick \n loan', word: 'quick loan', found: true },
  { why: 'a soft hyphen', text: 'lot\u00adtery', word: 'lottery', found: true },
  { why: 'a grapheme joiner', text: 'lot\u034ftery', word: 'lottery', found: true },
  { why: 'a vowel separator', text: 'lot\u180etery', word: 'lottery', found: true },
  { why: 'a variation selector', text: 'lot\ufe0ftery', word: 'lottery', found: true },
  { why: 'a combining dot', text: 'lo\u0307ttery', word: 'lottery', found: true },
  { why: 'Cyrillic letters', text: 'lоttеrу', word: 'lottery', found: true },
  { why: 'Greek letters', text: 'lοττεry', word: 'lottery', found: true },
  { why: 'a word listed in Cyrillic', text: 'казино today', word: 'казино', found: true },
  { why: 'a word listed with an accent', text: 'pokemon', word: 'Pokémon', found: true },
  { why: 'a capital I for l', text: 'Iottery', word: 'lottery', found: true },
  { why: 'three of them', text: 'a biIIion', word: 'billion', found: true },
  { why: 'a small l for I', text: 'lncome and lNCOME', word: 'income', found: true },
  { why: 'a one for l, a zero for o', text: '1ott3ry? 10ttery', word: 'lottery', found: true },
  { why: 'a bar for i', text: 'w|n', word: 'win', found: true },
  { why: 'rn for m', text: 'free rnoney', word: 'money', found: true },
  { why: 'and m for rn', text: 'a retum', word: 'return', found: true },
  { why: 'in capitals too', text: 'INTERNET', word: 'internet', found: true },
  { why: 'vv for w', text: 'vvin', word: 'win', found: true },
  { why: 'mail is not mall', text: 'an e mail', word: 'mall', found: false },
  { why: 'MAIL is not MALL', text: 'BY MAIL', word: 'mall', found: false },
  { why: 'mall is not mail', text: 'the mall', word: 'mail', found: false },
  { why: 'a number is no word', text: 'area 011', word: 'oil', found: false },
  { why: 'a word is no number', text: 'a loo', word: '100', found: false },
  { why: 'digits in a word', text: '1XBET', word: '1xbet', found: true },
  { why: 'Devanagari digits', text: '१xbet', word: '1xbet', found: true },
  { why: 'joiners in Nepali', text: 'चिट्\u200dठामा', word: 'चिट्ठा', found: true },
  { why: 'a nukta in Nepali', text: 'चिट्ठ़ामा', word: 'चिट्ठा', found: true },
  { why: 'a vowel in two parts', text: 'अाम्दानी', word: 'आम्दानी', found: true },
  { why: 'vowels tell Nepali words apart', text: 'कुल र केला', word: 'काल', found: false },
  { why: 'नाम is not नमस्ते', text: 'नमस्ते', word: 'नाम', found: false },
])('$why: “$word” in “$text”: $found', ({ text, word, found }) => {
  expect(new ListedWords([word]).firstIn(text)).toBe(found ? word : null)
})

test('of several words the first of the list is named; an empty one is in no text', () => {
  const words = new ListedWords(['\u00ad', 'win', 'quick loan', 'loan'])
  expect(words.firstIn('A loan, a quick loan, and you win')).toBe('win')
  expect(words.firstIn('A quick loan')).toBe('quick loan')
  expect(words.firstIn('An ordinary text')).toBeNull()
  expect(words.allIn('A quick loan')).toEqual(new Set(['quick loan', 'loan']))
})

test('a word is found in every text that has it between blanks, and looking never throws', () => {
  const word = fc.string({ minLength: 1, maxLength: 50, unit: 'binary' })
  fc.assert(
    fc.property(word, fc.string({ unit: 'binary' }), (listed, text) => {
      const words = new ListedWords([listed])
      expect(() => words.firstIn(text)).not.toThrow()
      const isWord = /^[a-z]+$/.test(listed)
      if (isWord) expect(words.firstIn(`${text} ${listed} ${text}`)).toBe(listed)
    }),
  )
})

test.each(['I', 'l', 'rn', 'l ', 'ल', '\u0307', '\u00ad', 'о', '  '])(
  'a text of “%s” takes ten times as long when it is ten times as long',
  (sign) => {
    const words = new ListedWords(['ill', 'lottery', 'lllllllllllllllllllllllll', 'mmmm', 'ललल'])
    const millisecondsFor = (length: number) => {
      const text = sign.repeat(length)
      const runs = Array.from({ length: 5 }, () => {
        const from = process.cpuUsage() // other processes may have the machine meanwhile
        words.firstIn(text)
        const { user, system } = process.cpuUsage(from)
        return (user + system) / 1000
      })
      return Math.min(...runs)
    }
    millisecondsFor(20_000)
    expect(millisecondsFor(200_000)).toBeLessThan(Math.max(30 * millisecondsFor(20_000), 100))
  },
)
