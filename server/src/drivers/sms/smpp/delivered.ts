import type { Receipt } from '../driver.ts'
import { stateOf } from '../../../lib/receipt-states.ts'
import { sampleOf } from '../../../lib/masked-sample.ts'
import { bytesOf, numberOf, textOf } from './codec.ts'
import { lettersOf, readReceiptText } from './receipt-text.ts'
import { decodeText, type Alphabet } from './texts.ts'

type Piece = { reference: number; number: number; of: number }
type Message = { kind: 'message'; from: string; to: string; text: string; piece: Piece | null }
export type Delivered =
  | { kind: 'receipt'; receipt: Receipt }
  /** It reads like a receipt, but the gateway did not mark it as one: anybody can write such a text. */
  | { kind: 'unmarked'; receipt: Receipt; message: Message }
  /** It is marked as a receipt, and has no id or no state that we know. `sample`: what it says. */
  | { kind: 'notUnderstood'; sample: string }
  | Message
  /** Nothing to store: a user's acknowledgement. */
  | { kind: 'other' }

type Fields = Readonly<Record<string, unknown>>
/** Ten segments of two bytes a letter, as much as is stored of a message. A payload may have five times as many bytes, and thousands are held. */
const textBytesMax = 3200

const userData = 0x40
const [ordinary, receiptKind, intermediate] = [0, 1, 8]

/** `now` resolves a time without a zone. */
export function readDelivered(fields: Fields, alphabet: Alphabet, now: Date): Delivered {
  const esmClass = numberOf(fields, 'esm_class') ?? 0
  const kind = (esmClass >> 2) & 0xf
  const receipt = readReceipt(fields, esmClass, now)
  if (kind === receiptKind || kind === intermediate)
    return receipt ? { kind: 'receipt', receipt } : { kind: 'notUnderstood', sample: sampleOf(saidIn(fields)) }
  const message = readMessage(fields, esmClass, alphabet)
  if (receipt && message.piece === null) return { kind: 'unmarked', receipt, message }
  return kind === ordinary ? message : { kind: 'other' }
}

function bodyOf(fields: Fields): Buffer {
  const short = bytesOf(fields, 'short_message')
  return short.length > 0 ? short : bytesOf(fields, 'message_payload')
}

/** Prefers a receipt's own fields to its text. Null: it names no id, or no state that we know. */
function readReceipt(fields: Fields, esmClass: number, now: Date): Receipt | null {
  const body = bodyOf(fields)
  const text = readReceiptText(body.subarray(headerLength(esmClass, body)))
  const id = textOf(fields, 'receipted_message_id').trim() || text.id
  const is = stateOf(numberOf(fields, 'message_state'), text.state)
  if (id === '' || !is) return null
  const because = is.reason !== null && /^[0-9A-Za-z]+$/.test(text.error) && !/^0+$/.test(text.error)
  return {
    id,
    state: is.state,
    reason: because ? `${is.reason} (${text.error})` : is.reason,
    at: timeOf(text.doneAt, now),
  }
}

/** What it says, for people. */
function saidIn(fields: Fields): string {
  const named = ['receipted_message_id', 'message_state'].flatMap((name) => {
    const value = textOf(fields, name) || numberOf(fields, name)
    return value === null || value === '' ? [] : [`${name}=${value}`]
  })
  return [lettersOf(bodyOf(fields)), ...named].join(' ').trim()
}

const quarterMs = 15 * 60_000
const nepalAheadMs = 345 * 60_000
const oldestMs = 96 * 3_600_000
const aheadMs = 120_000

/**
 * YYMMDDhhmm, optionally with seconds and with the century; null when it is none, is to come or is long past. The zone is rarely given: of UTC and
 * Nepal time, the one that is nearer to now and not in the future.
 */
function timeOf(text: string, now: Date): Date | null {
  const zoned = /^(\d{12})\d(\d\d)([+-])$/.exec(text)
  if (zoned) return withinDays(utcOf(zoned[1] ?? '') - Number(`${zoned[3]}${zoned[2]}`) * quarterMs, now)
  if (!/^\d{10}(\d\d){0,2}$/.test(text)) return null
  const utc = utcOf(text)
  const [nearest = NaN] = [utc, utc - nepalAheadMs]
    .filter((at) => at - now.getTime() < aheadMs)
    .toSorted((one, other) => other - one)
  return withinDays(nearest, now)
}

function withinDays(at: number, now: Date): Date | null {
  const age = now.getTime() - at
  return age > -aheadMs && age < oldestMs ? new Date(at) : null
}

/** By its digits alone; NaN when they are no date. */
function utcOf(digits: string): number {
  const isShort = digits.length === 10 || (digits.length === 12 && Number(digits.slice(2, 4)) <= 12)
  const [year, month, day, hour, minute, second] =
    ((isShort ? '20' : '') + digits).match(/^\d{4}|\d\d/g)?.map(Number) ?? []
  return Date.UTC(year ?? NaN, (month ?? NaN) - 1, day, hour, minute, second ?? 0)
}

/** Of the user data header with its length, which comes before the text. */
function headerLength(esmClass: number, body: Buffer): number {
  return (esmClass & userData) !== 0 && body.length > 0 ? Math.min(body.length, (body[0] ?? 0) + 1) : 0
}

function readMessage(fields: Fields, esmClass: number, alphabet: Alphabet): Message {
  const body = bodyOf(fields)
  const header = headerLength(esmClass, body)
  const text = decodeText(
    body.subarray(header, header + textBytesMax),
    numberOf(fields, 'data_coding') ?? 0,
    alphabet,
    header,
  )
  const piece = header > 0 ? pieceOfHeader(body.subarray(1, header)) : pieceOfFields(fields)
  const [from, to] = [textOf(fields, 'source_addr'), textOf(fields, 'destination_addr')]
  return { kind: 'message', from, to, text, piece: piece && isPiece(piece) ? piece : null }
}

/** Elements of a user data header: id, length, content. 0 and 8 are concatenation, with a reference of one byte or two. */
function pieceOfHeader(header: Buffer): Piece | null {
  for (let at = 0; at + 1 < header.length;) {
    const [id, length] = [header[at], header[at + 1] ?? 0]
    const data = header.subarray(at + 2, at + 2 + length)
    if (id === 0 && data.length === 3)
      return { reference: data.readUInt8(0), of: data.readUInt8(1), number: data.readUInt8(2) }
    if (id === 8 && data.length === 4)
      return { reference: data.readUInt16BE(0), of: data.readUInt8(2), number: data.readUInt8(3) }
    at += 2 + length
  }
  return null
}

function pieceOfFields(fields: Fields): Piece | null {
  const reference = numberOf(fields, 'sar_msg_ref_num')
  const of = numberOf(fields, 'sar_total_segments')
  const number = numberOf(fields, 'sar_segment_seqnum')
  return reference === null || of === null || number === null ? null : { reference, of, number }
}

function isPiece({ number, of }: Piece): boolean {
  return of > 1 && number >= 1 && number <= of
}
