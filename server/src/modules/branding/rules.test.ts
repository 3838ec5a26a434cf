import * as vm from 'node:vm'
import { expect, test } from 'vitest'
import { pictureFile } from '../../testing/files/picture.ts'
import { domainOf } from './rules-domain.ts'
import { isSvg, logoOf } from './rules-logo.ts'

test.each([
  ['calls.example.com', 'calls.example.com'],
  [' Calls.Example.COM. ', 'calls.example.com'],
  ['घण्टी.नेपाल', 'xn--41bol1jrc.xn--l2bey1c2b'],
  ['ＣＡＬＬＳ.example.com', 'calls.example.com'],
  ['3com.com', '3com.com'],
])('%s is the domain %s', (typed, hostname) => expect(domainOf(typed)).toEqual({ hostname }))

const notAlone = 'must be only a host name, like calls.example.com: no http://, port or path'
const notName = 'is not a host name'
const notNumbers = 'must be a host name, not an address in numbers'
test.each([
  ['https://calls.example.com', notAlone],
  ['calls.example.com:8080', notAlone],
  ['calls.example.com/login', notAlone],
  ['user@example.com', notAlone],
  ['calls example.com', notAlone],
  ['calls%2eexample.com', notAlone],
  ['[::1]', notAlone],
  ['192.168.1.1', notNumbers],
  ['0x7f.1', notNumbers],
  ['１２７.0.0.1', notNumbers],
  ['example.123', notName],
  ['localhost', 'must be a whole host name, like calls.example.com'],
  ['-calls.example.com', notName],
  ['calls..example.com', notName],
  ['my_calls.example.com', notName],
  ['<b>.example.com', notName],
  [`${'a'.repeat(64)}.example.com`, notName],
  [`${'abcdefghi.'.repeat(26)}com`, notName],
])('%s is no domain', (typed, wrong) => expect(domainOf(typed)).toEqual({ wrong }))

const png = Buffer.from(await pictureFile('logo.png', 120, 40).arrayBuffer())
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
/** Headers of real files, completed to whole ones. */
const gif = hex('474946383961 4000 2000 800000 000000 ffffff 2c 00000000 4000 2000 00 02 02 4401 00 3b')
const jpeg = hex(
  'ffd8 ffe0 0010 4a46494600010100000100010000 ffc0 0011 08 0020 0040 03 012200 021101 031101 ffda 000c 03 010002110311003f00 a5 ffd9',
)
const webp = (body: string) => {
  const bytes = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), hex(body)])
  bytes.writeUInt32LE(bytes.length - 8, 4)
  return bytes
}
const lossy = webp('56503820 0a000000 300100 9d012a 4000 2000 0000')
const lossless = webp('5650384c 0d000000 2f 3fc00700 0000000000000000')
/** A canvas of 64 × 32 pixels and its contents. */
const canvas = '56503858 0a000000 10000000 3f0000 1f0000'
const lossyPart = '56503820 0a000000 300100 9d012a 4000 2000'
const extended = webp(`${canvas} ${lossyPart}`)
/** A frame at 0, 0 of 64 × 32 pixels. */
const animated = webp(`${canvas} 414e4d46 22000000 000000 000000 3f0000 1f0000 640000 00 ${lossyPart}`)

test.each([
  ['image/png', png],
  ['image/gif', gif],
  ['image/jpeg', jpeg],
  ['image/webp', lossy],
  ['image/webp', lossless],
  ['image/webp', extended],
  ['image/webp', animated],
])('%s is recognised by its content', (type, bytes) =>
  expect(logoOf(bytes)).toEqual({ type, width: expect.any(Number), height: expect.any(Number) }),
)

test.each([
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['HTML', '<!doctype html><img src=x>'],
  ['an icon', '\0\0\u0001\0\u0001\0'],
  ['nothing', ''],
])('%s is no logo', (_, text) => expect(logoOf(Buffer.from(text))).toBeNull())

test.each([
  ['a PNG without its end', png.subarray(0, -12)],
  ['a PNG whose chunk reaches beyond it', Buffer.concat([png.subarray(0, 33), hex('ffffffff 49444154')])],
  ['a JPEG without a frame', hex('ffd8 ffe0 0010 4a46494600010100000100010000 ffd9')],
  ['a JPEG that is cut off', jpeg.subarray(0, -2)],
  ['a GIF that is cut off', gif.subarray(0, -1)],
  ['a WebP that is cut off', lossy.subarray(0, -1)],
  ['a WebP that holds no picture', webp(canvas)],
  ['a WebP whose picture is cut off', webp(`${canvas} ${lossyPart.replace('0a00', 'ff00')}`)],
  ['a GIF without a frame', hex('474946383961 4000 2000 000000 3b')],
  ['a GIF whose pieces reach beyond it', gif.subarray(0, -4)],
  ['a WebP of an unknown kind', webp('56503859 0a000000 10000000 3f0000 1f0000')],
])('%s is damaged', (_, bytes) => expect(logoOf(bytes)).toMatchObject({ wrong: 'is damaged or cut off' }))

test.each([
  [
    'a GIF with a frame wider than itself',
    Buffer.from(gif.toString('hex').replace('2c000000004000', '2c00000000ff7f'), 'hex'),
  ],
  ['a GIF with a frame that begins too far right', Buffer.from(gif.toString('hex').replace('2c0000', '2c0100'), 'hex')],
  ['a WebP with a picture higher than its canvas', webp(`${canvas} ${lossyPart.replace('2000', 'ff3f')}`)],
  ['a WebP with a lossless picture larger than its canvas', webp(`${canvas} 5650384c 06000000 2f ffffff0f 00`)],
  [
    'a WebP with a frame that begins too low',
    webp(`${canvas} 414e4d46 22000000 000000 010000 3f0000 1f0000 640000 00 ${lossyPart}`),
  ],
  [
    'a WebP with a picture larger than its frame',
    webp(
      `${canvas} 414e4d46 22000000 000000 000000 0f0000 0f0000 640000 00 ${lossyPart.replace('4000 2000', 'ff3f ff3f')}`,
    ),
  ],
])('%s is refused: a browser would unpack it', (_, bytes) =>
  expect(logoOf(bytes)).toMatchObject({ wrong: 'holds a picture that does not fit into its own size' }),
)

test('whatever bytes follow a picture’s first ones, it says what they are', () => {
  for (const bytes of [png, gif, jpeg, lossy, lossless, extended, animated])
    for (let length = 0; length <= Math.min(bytes.length, 80); length++) {
      expect(() => logoOf(bytes.subarray(0, length))).not.toThrow()
      expect(() => logoOf(Buffer.concat([bytes.subarray(0, length), Buffer.alloc(64, 0xff)]))).not.toThrow()
    }
})

test.each([
  [8, 64],
  [64, 15],
  [2001, 64],
])('%s × %s pixels are refused with what is taken', async (width, height) => {
  const bytes = Buffer.from(await pictureFile('logo.png', width, height).arrayBuffer())
  expect(logoOf(bytes)).toMatchObject({ wrong: `is ${width} × ${height} pixels, 16 to 2000 a side are taken` })
})

test.each([
  '<svg xmlns="http://www.w3.org/2000/svg">',
  '\ufeff \r\n<SVG/>',
  '<?xml version="1.0"?>\n<!-- a > comment --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN">\n<!----><svg>',
])('%j is a drawing', (text) => expect(isSvg(Buffer.from(text))).toBe(true))

test.each(['', '<svg', '<svgs>', '<!-- <svg>', '<!--><svg>', '<html><svg>', 'x<svg>', `${' '.repeat(4096)}<svg>`])(
  '%j is no drawing',
  (text) => expect(isSvg(Buffer.from(text))).toBe(false),
)

test.each([
  ['comments', '<!---->'],
  ['declarations', '<?xml>'],
  ['comments that are never closed', '<!--'],
  ['blanks', ' '],
])('whether a file full of %s is a drawing is answered at once', (_, piece) => {
  const bytes = Buffer.from(piece.repeat(1024))
  // The vm's timeout can interrupt this call; a backtracking pattern would never end.
  const answer: unknown = vm.runInNewContext('isSvg(bytes)', { isSvg, bytes }, { timeout: 10_000 })
  expect(answer).toBe(false)
})
