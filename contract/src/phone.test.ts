import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  property,
  string,
  stringMatching,
  tuple,
} from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  asciiDigits,
  bareNumber,
  dialable,
  mobilesWithin,
  nationalOf,
  phoneDigits,
  phonesIn,
  whyNotDialable,
} from './phone.ts'

const mobile = '+9779841234567'
const landline = '+97715970001'

describe('a mobile number may be written', () => {
  test.each([
    ['bare', '9841234567'],
    ['with the trunk 0', '09841234567'],
    ['with 977', '9779841234567'],
    ['with +977', '+9779841234567'],
    ['with 00977', '009779841234567'],
    ['with dashes', '+977-984-1234567'],
    ['with spaces', '00977 98 4123 4567'],
    ['with dots', '98.41.23.45.67'],
    ['with brackets', '(+977) 9841234567'],
    ['with brackets around the operator', '+977 (984) 1234567'],
    ['with a blank after the plus', '+ 977 9841234567'],
    ['with blanks around it', '  9841234567\t'],
    ['with a no-break space', '984\u00a01234567'],
    ['with a narrow no-break space', '984\u202f1234567'],
    ['with a zero-width space', '\u200b984\u200b1234567'],
    ['with a byte order mark', '\ufeff9841234567'],
    ['as a telephone copies it, between direction marks', '\u202a+977 984-1234567\u202c'],
    ['between direction isolates', '\u2066984-1234567\u2069'],
    ['behind the sign that keeps zeros in Excel', '\u001f9841234567'],
    ['with a soft hyphen', '984\u00ad1234567'],
    ['with an en dash', '984–1234567'],
    ['with a minus sign', '984\u22121234567'],
    ['as a decimal of a program', '9841234567.0'],
    ['as a decimal with more zeros', '9841234567.000'],
    ['as a decimal in Devanagari digits', '९८४१२३४५६७.०'],
    ['with a full stop behind it', '9841234567.'],
    ['with a comma behind it', '9841234567,'],
    ['behind another curved apostrophe', '‘9841234567'],
    ['behind what it is, shortened', 'Tel. 9841234567'],
    ['with a full stop between two groups', '98412.34567'],
    ['behind the apostrophe of a spreadsheet’s text', "'9841234567"],
    ['as our exports write it', "'+9779841234567"],
    ['behind a curved apostrophe', '’9841234567'],
    ['as advertisers export it', 'p:+9779841234567'],
    ['as a link', 'tel:+977-984-1234567'],
    ['behind what it is', 'Mobile: 9841234567'],
    ['behind what it is and that it is a number', 'Mob. No. 984-1234567'],
    ['behind what it is, without a colon', 'Ph no 9841234567'],
    ['behind the program that it is for', 'WhatsApp: +977 9841234567'],
    ['behind what it is in Nepali', 'मोबाइल नं.: ९८४१२३४५६७'],
    ['behind what it is in Nepali, shortened', 'मो. ९८४१२३४५६७'],
    ['before what it is, in brackets', '9841234567 (WhatsApp)'],
    ['before whose it is, in brackets', '९८४१२३४५६७ (सीता)'],
    ['between quotes', '"9841234567"'],
    ['between apostrophes', "'9841234567'"],
    ['behind a backtick', '`9841234567'],
    ['with 977 and the trunk 0', '+977 09841234567'],
    ['with 977 and the trunk 0 in brackets', '+977 (0) 984-1234567'],
    ['with 00977 and the trunk 0', '0097709841234567'],
    ['in thousands', '9,841,234,567'],
    ['in lakhs and thousands', '9,84,12,34,567'],
    ['in thousands, as a decimal', '9,841,234,567.00'],
    ['in Devanagari digits', '९८४१२३४५६७'],
    ['in Devanagari digits with the prefix', '+९७७-९८४१२३४५६७'],
    ['in both kinds of digits', '९८४1234567'],
  ])('%s', (_, written) => {
    expect(dialable(written)).toEqual({ e164: mobile, kind: 'mobile' })
  })

  test.each(['9601234567', '9621234567', '9701234567', '9761234567', '9801234567', '9899999999'])(
    'in the range of %s',
    (written) => {
      expect(dialable(written)).toEqual({ e164: `+977${written}`, kind: 'mobile' })
    },
  )
})

describe('a landline may be written', () => {
  test.each([
    ['with the trunk 0', '015970001'],
    ['with the trunk 0 and a dash', '01-5970001'],
    ['with brackets', '(01) 5970001'],
    ['with 977', '97715970001'],
    ['with +977', '+977-1-5970001'],
    ['with +977 and 0', '+977-01-5970001'],
    ['with 00977', '00977 1 5970001'],
    ['in Devanagari digits', '०१-५९७०००१'],
  ])('%s', (_, written) => {
    expect(dialable(written)).toEqual({ e164: landline, kind: 'landline' })
  })

  test('with a two-digit area code', () => {
    expect(dialable('061-461234')).toEqual({ e164: '+97761461234', kind: 'landline' })
    expect(dialable('+977 91 521234')).toEqual({ e164: '+97791521234', kind: 'landline' })
  })
})

describe('not dialable', () => {
  test.each([
    ['empty', '', 'is empty'],
    ['blanks only', ' \u00a0\u200b', 'is empty'],
    ['separators only', '-.()', 'is empty'],
    ['a plus alone', '+', 'is not written like a phone number'],
    [
      'what Excel leaves of a number',
      '9.84E+09',
      'was cut by a spreadsheet (format the column as text, enter the numbers again)',
    ],
    [
      'the same in small letters',
      '9.84e+9',
      'was cut by a spreadsheet (format the column as text, enter the numbers again)',
    ],
    [
      'the same without a plus',
      '9.84123E09',
      'was cut by a spreadsheet (format the column as text, enter the numbers again)',
    ],
    ['letters', 'abc', 'has letters'],
    ['a number with letters', '98412x4567', 'has letters'],
    ['Nepali letters', 'सीता', 'has letters'],
    ['a capital O for a zero', '98O1234567', 'has letters'],
    ['an extension', '01-5970001 ext 12', 'has letters'],
    ...[
      '9841234567/9801234567',
      '9841234567,9801234567',
      '9841234567 9801234567',
      '984-1234567 / 01-5970001',
      '9841234567 ::: 9801234567',
      '9841234567\n9801234567',
      '9841234567 or 9801234567',
      '+977 9841234567; +977 9801234567',
      '९८४१२३४५६७, ९८०१२३४५६७',
      '9841234567 5970001',
      '9841234567-9801234567',
    ].map((written): [string, string, string] => [
      `several numbers, ${JSON.stringify(written)}`,
      written,
      'holds several numbers: write each in a row of its own',
    ]),
    ['a digit short, as a decimal', '984100010.0', 'lacks a digit'],
    ['a digit short behind 0, as a decimal', '0984100011.0', 'lacks a digit'],
    ['a decimal that is none of zeros', '984123456.7', 'is not written like a phone number'],
    ['an amount with paisa', '98412345.67', 'is not written like a phone number'],
    ['a list’s number and a landline', '984. 5970001', 'is not written like a phone number'],
    ['a list’s number behind 0 and a landline', '02. 5970001', 'is not written like a phone number'],
    ['a list’s number in a bracket and a landline', '96) 14123456', 'is not written like a phone number'],
    ['a list’s number in Devanagari and a landline', '९८४. ५९७०००१', 'is not written like a phone number'],
    ['the code of another country behind a full stop', '91.98412.34567', 'is too long'],
    ['a decimal of a mobile', '9841234567.5', 'is not written like a phone number'],
    ['a full stop before the last digit', '98.41.23.456.7', 'is not written like a phone number'],
    ['a full stop after the first digit', '9.841234567', 'is not written like a phone number'],
    ['commas that group no thousands', '98,41,23,45,67', 'is not written like a phone number'],
    ['a decimal comma', '9841234567,00', 'is not written like a phone number'],
    ['a spreadsheet formula', '=9841234567', 'is not written like a phone number'],
    ['a plus in the middle', '984+1234567', 'is not written like a phone number'],
    ['two pluses', '++9779841234567', 'is not written like a phone number'],
    ['other digits than ours', '৯৮৪১২৩৪৫৬৭', 'is not written like a phone number'],
    ['full-width digits', '９８４１２３４５６７', 'is not written like a phone number'],
    ['Indian', '+919841234567', 'is not Nepali'],
    ['Indian with 00', '00919841234567', 'is not Nepali'],
    ['Indian without a plus', '919841234567', 'is too long'],
    ['American', '+1 415 555 0100', 'is not Nepali'],
    ['a mobile behind a lone plus', '+9841234567', 'is not Nepali'],
    ['a satellite telephone', '+881612345678', 'is not Nepali'],
    ['an Indian number behind 977 and 0', '+977 0919841234567', 'is too long'],
    ['a bracket with a letter within the digits', '98(O)41234567', 'has letters'],
    ['a word before it that says nothing of a telephone', 'TXN 9841234567', 'has letters'],
    ['a letter before it', 'M9841234567', 'has letters'],
    ['a short code', '1414', 'is too short'],
    ['an emergency number', '100', 'is too short'],
    ['a short code behind 0', '0197', 'is too short'],
    ['a short code behind 977', '977197', 'is too short'],
    ['toll-free', '16600112345', 'is too long'],
    ['toll-free behind 0', '016600112345', 'is too long'],
    ['premium', '1900123456', 'is neither a mobile nor a landline number of Nepal'],
    ['a landline without 0', '15970001', 'lacks a digit, or the 0 in front of a landline'],
    ['a landline without area code', '5970001', 'is too short'],
    ['a mobile without its last digit', '984123456', 'lacks a digit'],
    ['a mobile with a digit more', '98412345678', 'is too long'],
    ['a range that begins like the country', '9771234567', 'is too short'],
    ['a range that no operator has', '9971234567', 'is neither a mobile nor a landline number of Nepal'],
    ['a range that no operator has, with +977', '+9779901234567', 'is neither a mobile nor a landline number of Nepal'],
    ['ten digits that are no mobile', '1234567890', 'is neither a mobile nor a landline number of Nepal'],
    ['a landline with a first digit 0', '+97700597001', 'is neither a mobile nor a landline number of Nepal'],
    ['zeros', '0000000000', 'is not Nepali'],
  ])('%s', (_, written, reason) => {
    expect(dialable(written)).toBeNull()
    expect(whyNotDialable(written)).toBe(reason)
  })
})

const digits = (length: number) => stringMatching(new RegExp(`^\\d{${length}}$`))
const mobiles = tuple(constantFrom('960', '961', '970', '974', '976', '980', '984', '986', '989'), digits(7)).map(
  (parts) => parts.join(''),
)
const landlines = tuple(integer({ min: 1, max: 9 }), digits(7)).map(([first, rest]) => `${first}${rest}`)
const separator = constantFrom('', '', '', ' ', '-', '\u00a0', '\u200b', '\u202f', '–', '(')
const toDevanagari = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x0966 + Number(digit)))

/** The same number with random separators and a random share of Devanagari digits. */
function writtenSomehow(number: string) {
  const length = number.length
  return tuple(
    array(separator, { minLength: length, maxLength: length }),
    array(boolean(), { minLength: length, maxLength: length }),
  ).map(([separators, devanagari]) =>
    [...number].map((c, i) => (devanagari[i] ? toDevanagari(c) : c) + (separators[i] ?? '')).join(''),
  )
}

describe('for all numbers', () => {
  test('every way to write a mobile gives the same number', () => {
    const ways = tuple(constantFrom('', '0', '977', '+977', '00977'), mobiles).chain(([prefix, national]) =>
      tuple(constant(national), writtenSomehow(prefix + national)),
    )
    assert(
      property(ways, ([national, written]) => {
        expect(dialable(written)).toEqual({ e164: `+977${national}`, kind: 'mobile' })
      }),
    )
  })

  test('every way to write a landline gives the same number', () => {
    const ways = tuple(constantFrom('0', '977', '+977', '00977', '9770', '+9770', '009770'), landlines).chain(
      ([prefix, national]) => tuple(constant(national), writtenSomehow(prefix + national)),
    )
    assert(
      property(ways, ([national, written]) => {
        expect(dialable(written)).toEqual({ e164: `+977${national}`, kind: 'landline' })
      }),
    )
  })

  test('whatever is dialable is a Nepali mobile or landline, and dialable again in every form that we show or store', () => {
    const anything = oneof(
      string({ unit: constantFrom(...'0123456789+-. ()Ee९७८०') }),
      string({ unit: 'binary' }),
      digits(10),
      digits(13),
    )
    assert(
      property(anything, (written) => {
        const phone = dialable(written)
        expect(whyNotDialable(written)).not.toBe('')
        if (!phone) return
        expect(phone.e164).toMatch(phone.kind === 'mobile' ? /^\+9779[678]\d{8}$/ : /^\+977[1-9]\d{7}$/)
        for (const form of [phone.e164, nationalOf(phone.e164), String(phoneDigits(phone))])
          expect(dialable(form)).toEqual(phone)
      }),
      { numRuns: 500 },
    )
  })

  test('no number with letters is dialable', () => {
    const letter = constantFrom(...'EeOoIlxABZक')
    assert(
      property(mobiles, letter, nat(10), (number, c, at) => {
        expect(dialable(number.slice(0, at) + c + number.slice(at))).toBeNull()
      }),
    )
  })

  test('no foreign number is dialable', () => {
    const country = integer({ min: 1, max: 999 })
      .map(String)
      .filter((code) => !code.startsWith('977') && !'977'.startsWith(code))
    assert(
      property(constantFrom('+', '00'), country, digits(9), (prefix, code, rest) => {
        expect(dialable(prefix + code + rest)).toBeNull()
      }),
    )
  })
})

test('screens show ten digits of a mobile, 0 and 8 digits of a landline', () => {
  expect(nationalOf('+9779841234567')).toBe('9841234567')
  expect(nationalOf('9779841234567')).toBe('9841234567')
  expect(nationalOf('+97715970001')).toBe('015970001')
})

test('the database stores digits with the country code', () => {
  expect(phoneDigits({ e164: '+9779841234567', kind: 'mobile' })).toBe(9779841234567)
})

test('Devanagari digits become ASCII, other text stays', () => {
  expect(asciiDigits('मूल्य ०१२३४५६७८९ Rs')).toBe('मूल्य 0123456789 Rs')
})

describe('a cell of several numbers holds', () => {
  const other = '+9779801234567'
  test.each([
    ['9841234567/9801234567', [mobile, other]],
    ['9841234567 ::: 9801234567', [mobile, other]],
    ['9841234567:9801234567', [mobile, other]],
    ['9841234567,9801234567', [mobile, other]],
    ['9841234567, 980-1234567,', [mobile, other]],
    ['9841234567\r\n9801234567', [mobile, other]],
    ['9841234567 or 9801234567', [mobile, other]],
    ['+977 9841234567; +977 9801234567', [mobile, other]],
    ['९८४१२३४५६७, ९८०१२३४५६७', [mobile, other]],
    ['9841234567 9801234567', [mobile, other]],
    ['9841234567-9801234567', [mobile, other]],
    ['(+977) 984-1234567 / 01-5970001', [mobile, landline]],
    ['Mobile: 9841234567, Home: 01-5970001', [mobile, landline]],
    ['tel:9841234567 / tel:9801234567', [mobile, other]],
    ['9,841,234,567/9,801,234,567', [mobile, other]],
    ['98412345 / 9801234567', [other]],
    ['+919841234567 / 9801234567', [other]],
    ['9841234567/9841234567', [mobile]],
    ['9841234567 र 9801234567', [mobile, other]],
    ['९८४१२३४५६७ वा ९८०१२३४५६७', [mobile, other]],
    ['9841234567\\9801234567', [mobile, other]],
    ['9841234567 (M), 01-5970001 (H)', [mobile, landline]],
    ['9841234567/', [mobile]],
    ['9841234567/-', [mobile]],
    ['-/9841234567', [mobile]],
    ['9841234567 / N/A', [mobile]],
    ['Nil, 9841234567', [mobile]],
    ['9841234567, Sita', []],
    ['9841234567', [mobile]],
    ['9841234567 5970001', []],
    ['9841234567/24', []],
    ['9841234567,00', []],
    ['Sita 9841234567 / 9801234567', []],
    ['98412345 / 98012345', []],
    ['98412345679801234567', []],
    ['98,41,23,45,67', []],
    ['', []],
  ])('%j: those that can be called, each once', (written, expected) => {
    expect(phonesIn(written).map(({ e164 }) => e164)).toEqual(expected)
  })

  test.each(['98412345 / 98012345', '98412345\n98012345', '98412345 98012345', '98412345679801234567'])(
    '%j: none that can be called, and is not said to be too long',
    (written) => expect(whyNotDialable(written)).toBe('holds several numbers: write each in a row of its own'),
  )
})

describe('a text has mobile numbers within it', () => {
  const other = '+9779801234567'
  test.each([
    ['asked on the phone, 9841234567', [mobile]],
    ['Opt-outs: 9841234567', [mobile]],
    ['Sita-9841234567 Ram-980-1234567', [mobile, other]],
    ['सीता ९८४१२३४५६७ ले रोक्न भन्नुभयो', [mobile]],
    ['call +977-9841234567, not 09801234567.', [mobile, other]],
    ['old 9841234567, old 9841234567', [mobile]],
    ['asked on 98412 34567 to stop', [mobile]],
    ['Sita 9841-234567, Ram 980 123 4567', [mobile, other]],
    ['call +977 984-123-4567 or 98012 34567 500', [mobile, other]],
    ['account 984-123-4567-01', []],
    ['account 12-984-123-4567', []],
    ['984 1 234567', []],
    ['984-123 4567', []],
    ['TXN984 1234567', []],
    ['984 123 4567x', []],
    ['984 123 4567.50', []],
    ['98412 34567 9801234567', [mobile, other]],
    ['TXN9841234567', []],
    ['9841234567x', []],
    ['9841234567.50', []],
    ['paid 98412345671', []],
    ['sita.9841234567@example.com', []],
    ['https://example.com/?id=9841234567', []],
    ['home 015970001', []],
    ['', []],
  ])('%j: those that stand by themselves, each once', (written, expected) => {
    expect(mobilesWithin(written).map(({ e164 }) => e164)).toEqual(expected)
  })
})

test('a number of digits, blanks, dashes and plus signs is read as it is with an invisible mark, which takes the longer way', () => {
  const written = string({ unit: constantFrom(...'0123456789 -+'), maxLength: 16 })
  assert(
    property(written, (of) => bareNumber(of) === bareNumber(`${of}\u200b`)),
    { numRuns: 2000 },
  )
})
