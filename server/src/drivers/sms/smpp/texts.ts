import { splitSms, smsEncodingOf } from '@ghanti/contract/sms-text.ts'
import smpp from 'smpp'

export type Alphabet = 'gsm7' | 'gsm7packed' | 'latin1'
type Coding = { dataCoding: number; encode(part: string, headerBytes: number): Buffer }

const latin1: Coding = { dataCoding: 3, encode: (part) => Buffer.from(part, 'latin1') }
const ucs2: Coding = { dataCoding: 8, encode: (part) => Buffer.from(part, 'utf16le').swap16() }
const septets: Coding = { dataCoding: 0, encode: (part) => smpp.encodings.ASCII.encode(part) }
const packed: Coding = { dataCoding: 0, encode: (part, header) => pack(smpp.encodings.ASCII.encode(part), header) }

export type EncodedText = { parts: readonly string[]; coding: Coding } | { lacks: string }

/** The charged parts as bytes; or the letter that the gateway's alphabet lacks, in a text too long to be sent as UCS-2 instead. */
export function encodingFor(text: string, alphabet: Alphabet): EncodedText {
  const parts = splitSms(text)
  if (smsEncodingOf(text) === 'UCS-2') return { parts, coding: ucs2 }
  if (alphabet === 'gsm7') return { parts, coding: septets }
  if (alphabet === 'gsm7packed') return { parts, coding: packed }
  const lacks = [...text].find((letter) => letter.charCodeAt(0) > 0xff)
  if (lacks === undefined) return { parts, coding: latin1 }
  return text.length <= 70 ? { parts: [text], coding: ucs2 } : { lacks }
}

/**
 * Eight septets in seven bytes (GSM 03.38, 6.1.2.1). After a header they begin at a septet boundary. Seven spare bits at the end are filled with a
 * CR, because they would read as '@'.
 */
export function pack(septetsOf: Buffer, headerBytes = 0): Buffer {
  const fill = (7 - ((headerBytes * 8) % 7)) % 7
  const bits = fill + septetsOf.length * 7
  const spare = (8 - (bits % 8)) % 8
  const all = spare === 7 ? Buffer.concat([septetsOf, Buffer.from([0x0d])]) : septetsOf
  const bytes = Buffer.alloc(Math.ceil((fill + all.length * 7) / 8))
  for (const [index, septet] of all.entries()) {
    const at = fill + index * 7
    const shifted = septet << (at % 8)
    bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (shifted & 0xff)
    if (shifted > 0xff) bytes[(at >> 3) + 1] = (bytes[(at >> 3) + 1] ?? 0) | (shifted >> 8)
  }
  return bytes
}

export function unpack(bytes: Buffer, headerBytes = 0): Buffer {
  const fill = (7 - ((headerBytes * 8) % 7)) % 7
  const count = Math.floor((bytes.length * 8 - fill) / 7)
  const out = Buffer.alloc(Math.max(0, count))
  for (let index = 0; index < count; index += 1) {
    const at = fill + index * 7
    const two = (bytes[at >> 3] ?? 0) | ((bytes[(at >> 3) + 1] ?? 0) << 8)
    out[index] = (two >> (at % 8)) & 0x7f
  }
  // A CR that fills the last byte is padding: see `pack`.
  return (fill + count * 7) % 8 === 0 && out[count - 1] === 0x0d ? out.subarray(0, -1) : out
}

/** Reads an incoming text (GSM 03.38, 4). `headerBytes`: the length of what preceded it. */
export function decodeText(bytes: Buffer, dataCoding: number, alphabet: Alphabet, headerBytes = 0): string {
  const group = dataCoding >> 4
  const isUcs2 = group === 0xe || ((group & 0xc) === 0 && (dataCoding & 0xc) === 8)
  if (isUcs2)
    return Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le')
      .toWellFormed()
  const isBytes =
    dataCoding === 1 ||
    dataCoding === 3 ||
    ((group & 0xc) === 0 && (dataCoding & 0xc) === 4) ||
    (group === 0xf && (dataCoding & 4) !== 0)
  if (isBytes || (dataCoding === 0 && alphabet === 'latin1')) return bytes.toString('latin1')
  const septetsOf = alphabet === 'gsm7packed' ? unpack(bytes, headerBytes) : bytes
  return smpp.encodings.ASCII.decode(septetsOf)
}
