import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ValueCheck } from './rules-values.ts'

const strict = new ValueCheck({ words: ['lottery'], isStrict: true })

test.each([
  {
    why: 'names',
    values: [
      'Sita Sharma',
      'K.B.Thapa',
      'Md.Ali',
      'Dr. Om Dhakal',
      'Sita K.C.',
      'B.K',
      "D'Souza",
      'Ram Dev',
      'K. Dev',
      'Anne-Marie',
    ],
  },
  { why: 'names in Nepali', values: ['सीता शर्मा', 'डा.राम कोइराला', 'के.सी.', 'श्रीमती कमला थापा क्षेत्री', 'मो. अली'] },
  { why: 'names with accents', values: ['José Núñez', 'Zoë', 'Łukasz'] },
  {
    why: 'amounts',
    values: [
      'Rs. 12,345.50',
      'Rs. 12,50,000.50',
      '1,00,000',
      '1,23,45,678.50',
      '99,99,99,999.99',
      'NPR 1,234,567',
      'Rs.500.50',
      'रु. ५,०००',
      'रु.१२,५००.५०',
      '१२३४५.५०',
      '12345678.50',
      'Rs 500/-',
      '12.5%',
      '-250.00',
      '+500',
    ],
  },
  { why: 'two amounts', values: ['12,500.00 15,000.00', 'Rs 1,250 + Rs 3,400'] },
  {
    why: 'codes of four to eight digits',
    values: ['4829', '482913', '48291376', 'OTP 482913', 'ओटीपी ४८२९१३', 'G-482913', '1234-5678'],
  },
  {
    why: 'dates',
    values: [
      '2083-05-01',
      '2083/05/01',
      '1/5/2083',
      '01.05.2083',
      '२०८३-०५-०१',
      '1 Baisakh 2083',
      '2083 Jestha 32',
      '2082/83',
      '2082/083',
    ],
  },
  {
    why: 'dates with times',
    values: [
      '10:30',
      '10:30:15',
      '2083-05-01 10:30',
      '9/8/2083 10:30',
      '2083-05-01 - 2083-05-10',
      '2083/05/01-2083/05/10',
    ],
  },
  {
    why: 'masked accounts and cards',
    values: ['XXXX1234', 'xx-xx-1234', '98XXXXXX67', '****1234', '4567 **** **** 1234', 'A/C', '0012XXXXXX3456'].filter(
      (one) => one !== 'A/C',
    ),
  },
  {
    why: 'policies, bills and seats',
    values: [
      'POL-2083-0012345',
      'INV-20830123',
      'KTM-01-23456',
      'AB-1234',
      'Tyre 16',
      'Ba 2 Pa 1234',
      'बा २ च १२३४',
      'A12',
      'Seat 12B',
      'No.12',
    ],
  },
  {
    why: 'places',
    values: [
      'Kathmandu-10, Baneshwor',
      'Lalitpur 44700',
      'पोखरा-८',
      'Ward No. 4',
      'Mt. Everest',
      'St.Xavier'.replace('.', '. '),
    ],
  },
  {
    why: 'degrees and companies',
    values: ['B.Sc', 'M.Com', 'B.Tech.', 'P.Ltd.', 'ABC Pvt. Ltd.', 'प्रा. लि.', 'वि.सं. २०८३'],
  },
  {
    why: 'sentences that end',
    values: [
      'Thank you.',
      'धन्यवाद।',
      'Yes!',
      'HTTP',
      'दिनका लागि तपाईंको कुनै भ्वाइस प्लान छैन',
      'Polka dots',
      'The dot.',
      '',
    ],
  },
])('$why pass', ({ values }) => {
  expect(values.map((value) => [value, strict.whyUnapproved(value)]).filter(([, why]) => why !== null)).toEqual([])
})

const isAddress = 'it looks like an address'
const isNumber = 'it has a telephone number'
test.each([
  { why: 'longer than a name', value: 'x'.repeat(41), reason: 'it has more than 40 characters' },
  { why: 'one character of many letters', value: '\ufdfa\ufdfa\ufdfa', reason: 'it has more than 40 characters' },
  { why: 'two lines', value: 'Sita\nWin', reason: 'it has several lines' },
  { why: 'two lines for Unicode', value: 'Sita\u2028Win', reason: 'it has several lines' },
  { why: 'a domain', value: 'win.example.com', reason: isAddress },
  { why: 'of wide letters', value: 'ＷＩＮ．example', reason: isAddress },
  { why: 'with an invisible blank', value: 'win\u200b.example', reason: isAddress },
  { why: 'with an invisible hyphen', value: '9\u00adx.\u034fcom', reason: isAddress },
  { why: 'a URL', value: 'http://x.y', reason: isAddress },
  { why: 'a disguised URL', value: 'hxxp:x.y', reason: isAddress },
  { why: 'mail', value: 'a@b.np', reason: isAddress },
  { why: 'a short link', value: 'bit.ly/x', reason: isAddress },
  { why: 'a short name', value: '9x.com', reason: isAddress },
  { why: 'a short name in capitals', value: 'Play 1X.BET', reason: isAddress },
  { why: 'one letter', value: 't.me', reason: isAddress },
  { why: 'one letter and a path', value: 't.me/x', reason: isAddress },
  { why: 'Cyrillic letters', value: '9х.сом', reason: isAddress },
  { why: 'a bracket before the dot', value: '(win).example', reason: isAddress },
  { why: 'a path in pieces', value: 'bitly / win', reason: isAddress },
  { why: 'a path without a dot', value: 'bitly/win', reason: isAddress },
  { why: 'an address of numbers', value: '103.21.244.9:8080', reason: isAddress },
  { why: 'the same in Nepali digits', value: '१०३.२१.२४४.९', reason: isAddress },
  { why: 'IPv6', value: '[2001:db8::1]', reason: isAddress },
  { why: 'a middle dot', value: 'win·example', reason: isAddress },
  { why: 'a bullet', value: '9x•com', reason: isAddress },
  { why: 'an ideographic full stop', value: '1x。bet', reason: isAddress },
  { why: 'half as wide', value: '1x｡bet', reason: isAddress },
  { why: 'a port', value: 't.me:443', reason: isAddress },
  { why: 'a full stop at its end', value: 'see t.me.', reason: isAddress },
  { why: 'punctuation around', value: '(9x.com)', reason: isAddress },
  { why: 'a Nepali domain', value: 'जित.नेट', reason: isAddress },
  { why: 'a Nepali ending', value: 'जित.भारत', reason: isAddress },
  { why: 'punycode', value: 'xn--abc', reason: isAddress },
  { why: 'dot as a word', value: 'win dot com', reason: isAddress },
  { why: 'dot within a word', value: 'windotcom', reason: isAddress },
  { why: 'dot in brackets', value: 'win[.]example', reason: isAddress },
  { why: 'the word in brackets', value: 'win (dot) example', reason: isAddress },
  { why: 'dot in Nepali', value: 'जित डट कम', reason: isAddress },
  { why: 'a zero in dot', value: 'win d0t com', reason: isAddress },
  { why: 'a blank before the dot', value: '9x .com', reason: isAddress },
  { why: 'a blank after the dot', value: '9x. com', reason: isAddress },
  { why: 'blanks around the dot', value: 'win . com', reason: isAddress },
  { why: 'a mobile', value: 'Call 9841000001', reason: isNumber },
  { why: 'with dashes', value: 'Call 98-4100-0001 now', reason: isNumber },
  { why: 'with dots', value: '98.41.23.45.67', reason: isNumber },
  { why: 'with commas', value: '98,41,23,45,67', reason: isNumber },
  { why: 'with blanks', value: '98 41 23 45 67', reason: isNumber },
  { why: 'with stars', value: '984*1234*567', reason: isNumber },
  { why: 'with letters', value: '98x41x23x45x67', reason: isNumber },
  { why: 'as an amount', value: '98,412,345.67', reason: isNumber },
  { why: 'as three amounts', value: '984 1,234 567', reason: isNumber },
  { why: 'foreign, as decimals', value: '14.15 55.50 13.20', reason: isNumber },
  { why: 'with the letter O', value: '984IOOOOOI', reason: isNumber },
  { why: 'a landline in Nepali digits', value: '०१-५९७०००१', reason: isNumber },
  { why: 'Arabic digits', value: '٩٨٤١٠٠٠٠٠١', reason: isNumber },
  { why: 'Persian digits', value: '۹۸۴۱۰۰۰۰۰۱', reason: isNumber },
  { why: 'wide digits', value: '９８４１０００００１', reason: isNumber },
  { why: 'digits in circles', value: '⑨⑧④①⓪⓪⓪⓪⓪①', reason: isNumber },
  { why: 'keycaps', value: '9️⃣8️⃣4️⃣1️⃣0️⃣0️⃣0️⃣0️⃣0️⃣1️⃣', reason: isNumber },
  { why: 'invisible blanks', value: '9841\u200b000\u00ad001', reason: isNumber },
  { why: 'toll-free', value: '1660-01-23456', reason: isNumber },
  { why: 'toll-free, joined', value: '16600123456', reason: isNumber },
  { why: 'toll-free abroad', value: '1800 123 4567', reason: isNumber },
  { why: 'premium abroad', value: '+44 909 879 0000', reason: isNumber },
  { why: 'abroad with 00', value: '00 91 98765 43210', reason: isNumber },
  { why: 'abroad without a prefix', value: '919876543210', reason: isNumber },
  { why: 'a short number with a plus', value: '+247 12345', reason: isNumber },
  { why: 'with a name', value: 'Ram:9841000001', reason: isNumber },
  { why: 'a listed word', value: 'Lottery!', reason: "it has the word 'lottery'" },
  { why: 'a listed word with look-alikes', value: 'lоt\u00adtеrу', reason: "it has the word 'lottery'" },
])('$why: “$value” waits', ({ value, reason }) => expect(strict.whyUnapproved(value)).toBe(reason))

test('where no text has to be approved, the words alone are looked for', () => {
  const check = new ValueCheck({ words: ['lottery'], isStrict: false })
  expect(check.whyUnapproved('win.example.com')).toBeNull()
  expect(check.whyUnapproved('a lottery')).toBe("it has the word 'lottery'")
})

test('a mobile waits in whatever script its digits are and whatever signs stand between them', () => {
  const zeros = [0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xff10, 0x1d7ce]
  const sign = fc.constantFrom('', ' ', '-', '.', ',', '·', '*', '/', '\u200b', '\u00ad', '\u034f', '\ufe0f')
  const mobile = fc.stringMatching(/^98[0-9]{8}$/)
  fc.assert(
    fc.property(
      mobile,
      fc.constantFrom(...zeros),
      fc.array(sign, { minLength: 9, maxLength: 9 }),
      (number, zero, signs) => {
        const written = Array.from(
          number,
          (digit, at) => String.fromCodePoint(zero + Number(digit)) + (signs[at] ?? ''),
        )
        expect(strict.whyUnapproved(written.join(''))).not.toBeNull()
      },
    ),
  )
})

test('figures pass: amounts as Nepal groups them, codes, and dates of both calendars', () => {
  const amount = fc
    .integer({ min: 0, max: 9_999_999_999 })
    .map((paisa) => (paisa / 100).toLocaleString('en-IN', { minimumFractionDigits: 2 }))
  const isMobile = (text: string) => /^9[678]\d{8}$/.test(text.replaceAll(/\D/g, ''))
  const code = fc.stringMatching(/^[0-9]{4,8}$/)
  const two = (value: number) => String(value).padStart(2, '0')
  const date = fc
    .tuple(fc.integer({ min: 1990, max: 2099 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 32 }))
    .map(([year, month, day]) => `${year}-${two(month)}-${two(day)}`)
  fc.assert(
    fc.property(
      fc.oneof(
        amount.filter((one) => !isMobile(one)),
        code,
        date,
      ),
      (value) => {
        expect(strict.whyUnapproved(value)).toBeNull()
        const nepali = value.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x966 + Number(digit)))
        expect(strict.whyUnapproved(nepali)).toBeNull()
        expect(strict.whyUnapproved(`Rs. ${value}`)).toBeNull()
      },
    ),
  )
})

test('no value is an error, and what waits waits again as its skeleton', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (value) => void strict.whyUnapproved(value)))
})
