import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { skeletonOf } from './skeleton.ts'

test.each([
  {
    why: 'ASCII stays, with its upper case',
    text: 'Rs. 1,250.50 at 10:30 | OK?',
    looks: 'Rs. 1,250.50 at 10:30 | OK?',
  },
  { why: 'a soft hyphen is invisible', text: 'lot\u00adtery', looks: 'lottery' },
  { why: 'so is a grapheme joiner', text: 'lot\u034ftery', looks: 'lottery' },
  { why: 'so is a Mongolian vowel separator', text: 'lot\u180etery', looks: 'lottery' },
  { why: 'so is a variation selector', text: 'lot\ufe0ftery', looks: 'lottery' },
  { why: 'so are joiners and a byte order mark', text: 'l\u200do\u200ct\u2060t\ufeffery', looks: 'lottery' },
  { why: 'so is a tag', text: 'lot\u{e0074}tery', looks: 'lottery' },
  { why: 'a dot above decorates', text: 'lo\u0307tt\u0323ery', looks: 'lottery' },
  { why: 'accents decorate', text: 'lóttëry', looks: 'lottery' },
  { why: 'strokes decorate', text: 'ƀɇŧ', looks: 'bet' },
  { why: 'Cyrillic letters look Latin', text: 'lоttеrу вет', looks: 'lottery bet' },
  { why: 'Greek letters look Latin', text: 'lοττεry βετ', looks: 'lottery bet' },
  { why: 'capitals of both do', text: 'ВЕТ ΒΕΤ', looks: 'BET BET' },
  { why: 'small capitals do', text: 'ʙᴇᴛ ʟᴏᴛᴛᴇʀʏ', looks: 'bet lottery' },
  { why: 'wide and mathematical letters do', text: 'ｂｅｔ 𝗯𝗲𝘁', looks: 'bet bet' },
  { why: 'letters in circles and squares do', text: 'ⓑⓔⓣ 🅑🅔🅣 🅱🅴🆃 🇧🇪🇹', looks: 'bet BET BET BET' },
  {
    why: 'digits of all scripts are digits',
    text: '९८ ٩٨ ۹۸ ৯৮ ９８ ⁹⁸ ⑨⑧ ❾❽ 9️⃣8️⃣',
    looks: '98 98 98 98 98 98 98 98 98',
  },
  { why: 'dots of all scripts are dots', text: 'a。b．c｡d·e•f․g', looks: 'a.b.c.d.e.f.g' },
  { why: 'dashes and blanks too', text: '01–02−03\u00a004', looks: '01-02-03 04' },
  { why: 'vowel signs of Nepali are letters', text: 'मोबाइल बैंक', looks: 'मोबाइल बैंक' },
  { why: 'Devanagari never looks Latin', text: 'दुःख ठाउँ। ॐ', looks: 'दुःख ठाउँ। ॐ' },
  { why: 'a nukta below decorates', text: 'ज़ित', looks: 'जित' },
  { why: 'a vowel in two parts looks as in one', text: 'अाज', looks: skeletonOf('आज') },
])('$why', ({ text, looks }) => expect(skeletonOf(text)).toBe(looks))

const all = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
  /[^\p{Cn}\p{Co}]/u.test(sign),
)

test('the skeleton of a skeleton is itself, whatever the character', () => {
  expect(all.filter((sign) => skeletonOf(skeletonOf(sign)) !== skeletonOf(sign))).toEqual([])
})

test('every decimal digit of Unicode is its value', () => {
  const wrong = all.filter((sign) => /\p{Nd}/u.test(sign) && !/^[0-9]$/.test(skeletonOf(sign)))
  expect(wrong).toEqual([])
})

test('in lower case a skeleton is as long', () => {
  expect(all.filter((sign) => skeletonOf(sign).toLowerCase().length !== skeletonOf(sign).length)).toEqual([])
})

test('a text’s skeleton is that of its characters, and again itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const skeleton = skeletonOf(text)
      expect(skeleton).toBe(Array.from(text, skeletonOf).join(''))
      expect(skeletonOf(skeleton)).toBe(skeleton)
    }),
  )
})
