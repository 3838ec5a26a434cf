import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { NewUsername } from './usernames.ts'

test.each([
  { why: 'Latin letters', name: 'superadmin' },
  { why: 'capitals, digits, blanks and signs', name: 'Ram Thapa-2 (Himal) a.b_c@d' },
  { why: 'digits alone, such as a telephone number', name: '9841000001' },
  { why: 'Devanagari', name: 'राम थापा' },
  { why: 'Devanagari with its digits', name: 'काठमाडौं ३-२' },
  { why: 'conjuncts and vowel signs', name: 'श्रेष्ठ ज्ञानेन्द्र' },
  { why: 'wide letters are letters', name: '\uff32\uff21\uff2d', as: 'RAM' },
  { why: 'mathematical letters are letters', name: '\u{1d5cb}am', as: 'ram' },
  { why: 'a no-break space is a blank, and blanks in a row are one', name: 'ram\u00a0  thapa', as: 'ram thapa' },
])('$why: taken', ({ name, as = name }) => {
  expect(z.parse(NewUsername, name)).toBe(as)
})

test.each([
  { why: 'a Cyrillic е in a Latin name', name: 'sup\u0435radmin' },
  { why: 'a name all of Cyrillic that reads as Latin', name: '\u0430\u0440\u0440\u0435' },
  { why: 'a Greek omicron', name: 'r\u03bfot' },
  { why: 'a phonetic a, which is of the Latin script', name: 'super\u0251dmin' },
  { why: 'an i without its dot', name: 'superadm\u0131n' },
  { why: 'a hyphen that is not that of keyboards', name: 'super\u2010admin' },
  { why: 'an í, which few tell from an i', name: 'superadm\u00edn' },
  { why: 'an accent that was typed after its letter', name: 'superadmi\u0301n' },
  { why: 'signs that become three letters each, and so too long', name: '\u32cf'.repeat(40) },
  { why: 'a letter that nobody sees', name: 'super\u200badmin' },
  { why: 'a filler that is drawn as a blank', name: 'super\u3164admin' },
  { why: 'a mark that has no letter of its own with its own', name: 'supe\u0332radmin' },
  { why: 'Latin and Devanagari', name: 'ram राम' },
  { why: 'Devanagari and digits of the other script', name: 'राम 0' },
  { why: 'digits of Devanagari alone: ० is o', name: '\u0966\u0966\u0967' },
  { why: 'a vowel of two signs that looks like one', name: '\u0905\u093eमा' },
  { why: 'nothing but signs of the other direction', name: 'ram\u202e' },
  { why: 'a picture', name: 'ram \u{1f600}' },
])('$why: refused', ({ name }) => {
  expect(z.safeParse(NewUsername, name).success).toBe(false)
})
