import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { smsEncodingOf, smsSizeOf } from '@ghanti/contract/sms-text.ts'
import { decodeText, encodingFor, pack, unpack, type Alphabet } from './texts.ts'

const gsm = '@£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡AZÄÖÑÜ§¿azäöñüà^{}\\[~]|€'
const gsmText = fc.array(fc.constantFrom(...gsm), { minLength: 1, maxLength: 700 }).map((letters) => letters.join(''))
const anyText = fc.oneof(
  gsmText,
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }),
  fc
    .array(fc.constantFrom('क्ष', 'त्र', 'ज्ञ', 'ि', 'नमस्ते', '😀', '👨‍👩‍👧', 'a', ' '), { minLength: 1 })
    .map((all) => all.join('')),
)

test.each<Alphabet>(['gsm7', 'gsm7packed'])(
  '%s: the parts fit their segments, are as many as are paid, and read again are the text',
  (alphabet) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const encoded = encodingFor(text, alphabet)
        if ('lacks' in encoded) throw new Error('nothing can lack')
        const { parts, coding } = encoded
        expect(parts).toHaveLength(smsSizeOf(text).segments)
        const header = parts.length > 1 ? 6 : 0
        const bytes = parts.map((part) => coding.encode(part, header))
        const room = smsEncodingOf(text) === 'GSM-7' && alphabet === 'gsm7' ? 160 - (header && 7) : 140 - header
        for (const one of bytes) expect(one.length).toBeLessThanOrEqual(room)
        const read = bytes.map((one) => decodeText(one, coding.dataCoding, alphabet, header)).join('')
        expect(read).toBe(text.toWellFormed())
      }),
    )
  },
)

test('packing is GSM 03.38’s: eight septets in seven bytes, and CR for the seven spare bits', () => {
  expect(pack(Buffer.from('hellohello')).toString('hex')).toBe('e8329bfd4697d9ec37') // the standard's published example
  expect(pack(Buffer.from('abcdefg')).at(-1)).toBe(0x1b)
  fc.assert(
    fc.property(fc.uint8Array({ max: 127, maxLength: 160 }), fc.constantFrom(0, 6, 7), (septets, header) => {
      fc.pre(septets.at(-1) !== 13)
      expect([...unpack(pack(Buffer.from(septets), header), header)]).toEqual([...septets])
    }),
  )
})

test('any bytes in any alphabet are some text', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.nat(255),
      fc.constantFrom<Alphabet>('gsm7', 'gsm7packed', 'latin1'),
      fc.nat(20),
      (bytes, coding, alphabet, header) => {
        expect(decodeText(Buffer.from(bytes), coding, alphabet, header).isWellFormed()).toBe(true)
      },
    ),
  )
})
