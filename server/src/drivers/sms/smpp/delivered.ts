import type { Receipt } from '../driver.ts'
import { bytesOf, numberOf, textOf } from './codec.ts'
import { decodeText, type Alphabet } from './texts.ts'

type Piece = { reference: number; number: number; of: number }
export type Delivered =
  | { kind: 'receipt'; receipt: Receipt }
  | { kind: 'message'; from: string; to: string; text: string; piece: Piece | null }
  /** Nothing to store: a user's acknowledgement, or a receipt without an id. */
  | { kind: 'other' }

type Fields = Readonly<Record<string, unknown>>
type State = Pick<Receipt, 'state' | 'reason'>

const delivered: State = { state: 'delivered', reason: null }
const accepted: State = { state: 'accepted', reason: null }
const expired: State = { state: 'expired', reason: 'the telephone was not reached in time' }
const undeliverable: State = { state: 'failed', reason: 'it could not be delivered' }
const deleted: State = { state: 'failed', reason: 'the gateway deleted it' }
const rejected: State = { state: 'failed', reason: 'the operator rejected it' }
const unknown: State = { state: 'failed', reason: 'the gateway does not know what became of it' }

/** message_state of SMPP 3.4, 5.2.28, and of 5.0. */
const ofNumber: readonly (State | undefined)[] = [
  accepted, // scheduled
  accepted, // enroute
  delivered,
  expired,
  deleted,
  undeliverable,
  accepted,
  unknown,
  rejected,
  undeliverable, // skipped
]
const ofWord = new Map<string, State>([
  ['DELIVRD', delivered],
  ['ACCEPTD', accepted],
  ['ENROUTE', accepted],
  ['BUFFRED', accepted],
  ['SCHEDUL', accepted],
  ['EXPIRED', expired],
  ['UNDELIV', undeliverable],
  ['FAILED', undeliverable],
  ['SKIPPED', undeliverable],
  ['DELETED', deleted],
  ['REJECTD', rejected],
  ['UNKNOWN', unknown],
])

const receiptTextMax = 1000
/** Ten segments of two bytes a letter, as much as is stored of a message. A payload may have five times as many bytes, and thousands are held. */
const textBytesMax = 3200

/** `now` resolves a time without a zone. */
export function readDelivered(fields: Fields, alphabet: Alphabet, now: Date): Delivered {
  const esmClass = numberOf(fields, 'esm_class') ?? 0
  const kind = (esmClass >> 2) & 0xf
  const named = kind === 0 && fields['message_state'] !== undefined && textOf(fields, 'receipted_message_id') !== ''
  if (kind === 1 || kind === 8 || named) return readReceipt(fields, now)
  if (kind !== 0) return { kind: 'other' }
  return readMessage(fields, esmClass, alphabet)
}

function bodyOf(fields: Fields): Buffer {
  const short = bytesOf(fields, 'short_message')
  return short.length > 0 ? short : bytesOf(fields, 'message_payload')
}

/** Prefers a receipt's own fields to its text, whose form differs by gateway (3.4, appendix B). */
function readReceipt(fields: Fields, now: Date): Delivered {
  const text = bodyOf(fields).subarray(0, receiptTextMax).toString('latin1')
  const id = textOf(fields, 'receipted_message_id').trim() || wordAfter(text, 'id:')
  const number = numberOf(fields, 'message_state')
  const state = (number === null ? undefined : ofNumber[number]) ?? ofWord.get(wordAfter(text, 'stat:').toUpperCase())
  if (id === '' || !state) return { kind: 'other' }
  const error = wordAfter(text, 'err:')
  const because = state.reason !== null && /^[0-9A-Za-z]+$/.test(error) && !/^0+$/.test(error) ? ` (${error})` : ''
  const at = timeOf(wordAfter(text, 'done date:'), now)
  return { kind: 'receipt', receipt: { id, state: state.state, reason: state.reason && state.reason + because, at } }
}

/** The value up to the next blank, '' when there is none. Names of fields ignore case. */
function wordAfter(text: string, name: string): string {
  const lower = text.toLowerCase()
  let at = lower.indexOf(name)
  while (at > 0 && text[at - 1] !== ' ') at = lower.indexOf(name, at + 1)
  if (at < 0) return ''
  const rest = text.slice(at + name.length)
  const [word = ''] = rest.trimStart().split(' ', 1)
  const isNext = rest.startsWith(' ') && word.includes(':') // the field is empty, and this is the name of the next one
  return isNext ? '' : word.replaceAll('\0', '')
}

const nepalAheadMs = 345 * 60_000
const oldestMs = 96 * 3_600_000
const aheadMs = 120_000

/**
 * YYMMDDhhmm, optionally with seconds. The zone is not given: of UTC and Nepal time, the one that is nearer to now and not in the future; else null.
 */
function timeOf(text: string, now: Date): Date | null {
  if (!/^\d{10}(\d\d)?$/.test(text)) return null
  const [year, month, day, hour, minute, second] = (text.match(/\d\d/g) ?? []).map(Number)
  const utc = Date.UTC(2000 + (year ?? 0), (month ?? 1) - 1, day, hour, minute, second ?? 0)
  const ages = [utc, utc - nepalAheadMs].map((at) => now.getTime() - at)
  const age = Math.min(...ages.filter((ms) => ms > -aheadMs))
  return age < oldestMs ? new Date(now.getTime() - age) : null
}

function readMessage(fields: Fields, esmClass: number, alphabet: Alphabet): Delivered {
  const body = bodyOf(fields)
  const header = (esmClass & 0x40) !== 0 && body.length > 0 ? Math.min(body.length, (body[0] ?? 0) + 1) : 0
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
