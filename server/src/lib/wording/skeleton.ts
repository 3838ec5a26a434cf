import confusables from 'unhomoglyph/data.json' with { type: 'json' }

/** Letters and dots that Unicode's table leaves apart from the ASCII ones that a reader takes them for. */
const own = new Map([...pairs('ᴀƅʙᴅᴇꜰɢʜᴊĸʟʍɴᴎᴘꞯʀᴙᴛʏßꞓ', 'abbdefghjklmnnpqrrtybe'), ...pairs('·。۔◦∘●⚫', '.......')])
/** Letters and numerals in circles and squares, which NFKC keeps: the range, and what its first one stands for. */
const enclosedLetters = [0x1f150, 0x1f170, 0x1f1e6]
const enclosedNumerals = [
  { from: 0x2776, to: 0x277f, first: 1 },
  { from: 0x2780, to: 0x2789, first: 1 },
  { from: 0x278a, to: 0x2793, first: 1 },
  { from: 0x24eb, to: 0x24f4, first: 11 },
  { from: 0x24f5, to: 0x24fe, first: 1 },
  { from: 0x24ff, to: 0x24ff, first: 0 },
  { from: 0x1f10b, to: 0x1f10b, first: 0 },
  { from: 0x1f10c, to: 0x1f10c, first: 0 },
]
const table: ReadonlyMap<string, string> = new Map(Object.entries(confusables))

const ascii = /^[\t\n\r -~]*$/
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u
const mark = /\p{M}/u
/** Scripts whose marks decorate letters, and the nukta. In Indic scripts marks are vowels: without them 'मोबाइल' and 'मबइल' would be one word. */
const decorated =
  /[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\u093c]/u
const devanagari = /^[\p{Script=Devanagari}\u0964\u0965]+$/u

/** By code point, each worked out once, because files have millions of values; null where it looks as it is written. */
const known = new Map<number, string | null>()

/**
 * A text as it looks: what is confusable by Unicode's table (UTS 39) becomes the same, mostly ASCII, with digits of all scripts as 0 to 9 and
 * without invisible characters and decorating marks. ASCII and its upper case stay, as do Devanagari letters. To compare, never to show.
 */
export function skeletonOf(text: string): string {
  if (ascii.test(text)) return text
  let skeleton = ''
  let from = 0 // where the part begins that looks as it is written
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0
    const after = at + (code > 0xffff ? 2 : 1)
    const look = code > 0x7f ? knownLook(code) : null
    if (look !== null) {
      skeleton += text.slice(from, at) + look
      from = after
    }
    at = after
  }
  return from === 0 ? text : skeleton + text.slice(from)
}

function knownLook(code: number): string | null {
  let look = known.get(code)
  if (look !== undefined) return look
  const sign = String.fromCodePoint(code)
  look = lookOf(sign)
  known.set(code, look === sign ? null : look)
  return look === sign ? null : look
}

function lookOf(sign: string): string {
  return Array.from(sign.normalize('NFKD'), (part) => (part <= '\u007f' ? part : lookOfPart(part))).join('')
}

function lookOfPart(part: string): string {
  if (invisible.test(part) || (mark.test(part) && decorated.test(part))) return ''
  const plain = own.get(part) ?? digitOf(part) ?? enclosedIn(part)
  if (plain !== undefined) return plain
  const alike = table.get(part)
  if (alike === undefined || (devanagari.test(part) && !devanagari.test(alike))) return part
  return Array.from(alike, (one) => (one <= '\u007f' ? one : lookOf(one))).join('')
}

const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code))

/** Decimal digits of a script stand together, 0 first. */
function digitOf(part: string): string | undefined {
  const code = part.codePointAt(0) ?? 0
  if (!isDigit(code)) return undefined
  let before = 0
  while (isDigit(code - before - 1)) before++
  return String(before % 10)
}

function enclosedIn(part: string): string | undefined {
  const code = part.codePointAt(0) ?? 0
  const letters = enclosedLetters.find((first) => code >= first && code < first + 26)
  if (letters !== undefined) return String.fromCodePoint(0x41 + code - letters)
  const numerals = enclosedNumerals.find(({ from, to }) => code >= from && code <= to)
  return numerals && String(numerals.first + code - numerals.from)
}

function pairs(signs: string, looks: string): [string, string][] {
  return Array.from(signs, (sign, at) => [sign, looks[at] ?? sign])
}
