/**
 * A contact file as people really send it: header, byte order mark, Windows line ends, every way to write a number, duplicates, blank lines,
 * blanks, letters, landlines, foreign numbers, what Excel leaves of a number, quoted names with commas and line breaks, Nepali names.
 * The same seed gives the same file. What it expects is counted while writing, without the rules that read it.
 */
export type GeneratedContacts = {
  text: string
  /** The counts that an import must return, for a template without spoken columns. */
  expected: { rows: number; accepted: number; invalid: number; duplicate: number; columns: string[] }
  /** In the order of the file: the row's first line, and the number as the database stores it. */
  accepted: { line: number; phone: number; name: string }[]
  refused: { line: number; kind: RefusedKind }[]
}
type RefusedKind =
  | 'duplicate'
  | 'blank'
  | 'letters'
  | 'landline without 0'
  | 'foreign'
  | 'spreadsheet'
  | 'short code'
  | 'cut off'

const lineEnd = '\r\n'
const mobilePrefixes = ['984', '985', '986', '974', '976', '980', '981', '982', '961', '970']
const firstNames = ['Sita', 'Ram', 'Gita', 'Hari', 'सीता', 'राम', 'गीता', 'हरि बहादुर', 'Ñandu', 'Bishnu']
const familyNames = ['Sharma', 'Thapa', 'Shrestha', 'Gurung', 'शर्मा', 'थापा', 'श्रेष्ठ', 'Rai', 'लामा', "O'Neil"]
const places = ['Kathmandu', 'Pokhara', 'काठमाडौं', 'Biratnagar', 'ललितपुर', '']

/** The shares of rows that are refused, by reason. The rest is accepted. */
const refusedShare: readonly [RefusedKind, number][] = [
  ['duplicate', 0.08],
  ['blank', 0.02],
  ['letters', 0.02],
  ['landline without 0', 0.02],
  ['foreign', 0.02],
  ['spreadsheet', 0.02],
  ['short code', 0.01],
  ['cut off', 0.01],
]

/** mulberry32, a small generator that gives the same numbers on every machine. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const devanagari = (text: string): string => text.replace(/\d/g, (digit) => String.fromCharCode(0x0966 + Number(digit)))
const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const mobileForms: readonly ((n: string) => string)[] = [
  (n) => n,
  (n) => n,
  (n) => `+977-${n}`,
  (n) => `00977 ${n}`,
  (n) => `977${n}`,
  (n) => `0${n}`,
  (n) => `+977 ${n.slice(0, 3)} ${n.slice(3, 6)} ${n.slice(6)}`,
  (n) => `${n.slice(0, 3)}-${n.slice(3)}`,
  (n) => `(+977) ${n.slice(0, 4)}.${n.slice(4)}`,
  (n) => devanagari(n),
  (n) => devanagari(`+977-${n}`),
  (n) => ` ${n.slice(0, 5)}\u00a0${n.slice(5)} `,
  (n) => `\u202a+977${n}\u202c`,
]
const landlineForms: readonly ((n: string) => string)[] = [
  (n) => `0${n.slice(0, 1)}-${n.slice(1)}`,
  (n) => `+977-${n.slice(0, 1)}-${n.slice(1)}`,
  (n) => `00977 0${n}`,
  (n) => devanagari(`0${n}`),
]

/** `rows` excludes the header and blank lines. */
export function generateContacts(options: { rows: number; seed?: number }): GeneratedContacts {
  const random = seededRandom(options.seed ?? 1)
  const pick = <T>(from: readonly T[]): T => {
    const picked = from[Math.floor(random() * from.length)]
    if (picked === undefined) throw new Error('nothing to pick from')
    return picked
  }
  const name = (): string => {
    const plain = `${pick(firstNames)} ${pick(familyNames)}`
    const kind = random()
    if (kind < 0.03) return `${plain}, Ward ${Math.floor(random() * 32) + 1}`
    if (kind < 0.05) return `${plain}${lineEnd}Ward ${Math.floor(random() * 32) + 1}`
    return kind < 0.06 ? `${plain} "Kanchha"` : plain
  }
  const made = { accepted: [] as GeneratedContacts['accepted'], refused: [] as GeneratedContacts['refused'] }
  const numbers: { national: string; landline: boolean }[] = []
  const parts = [`\ufeffMobile Number,Name,Address${lineEnd}`]
  let line = 2

  const write = (number: string, called: string): void => {
    const row = [quoted(number), quoted(called), quoted(pick(places))].join(',') + lineEnd
    parts.push(row)
    line += row.split(lineEnd).length - 1
  }
  const writeNumber = ({ national, landline }: { national: string; landline: boolean }, called: string): void =>
    write(pick(landline ? landlineForms : mobileForms)(national), called)

  for (let row = 0; row < options.rows; row++) {
    if (random() < 0.01) {
      parts.push(pick(['', ' ,, ', ',,']) + lineEnd)
      line++
    }
    const kind = numbers.length === 0 ? null : kindOf(random())
    if (kind === null) {
      const digits = String((row * 48_271 + 1) % 10_000_000).padStart(7, '0') // all distinct, because 48,271 and ten million have no common factor
      const landline = random() < 0.04
      const number = landline
        ? { national: `1${digits}`, landline }
        : { national: pick(mobilePrefixes) + digits, landline }
      const called = name()
      numbers.push(number)
      made.accepted.push({ line, phone: Number(`977${number.national}`), name: called })
      writeNumber(number, called)
      continue
    }
    made.refused.push({ line, kind })
    if (kind === 'duplicate') writeNumber(pick(numbers), name())
    else write(refusedNumber(kind, pick, row), name())
  }
  const duplicate = made.refused.filter((row) => row.kind === 'duplicate').length
  return {
    text: parts.join(''),
    expected: {
      rows: options.rows,
      accepted: made.accepted.length,
      invalid: made.refused.length - duplicate,
      duplicate,
      columns: ['mobile', 'Name', 'Address'],
    },
    ...made,
  }
}

function kindOf(chance: number): RefusedKind | null {
  let upTo = 0
  for (const [kind, share] of refusedShare) if (chance < (upTo += share)) return kind
  return null
}

function refusedNumber(
  kind: Exclude<RefusedKind, 'duplicate'>,
  pick: (from: readonly string[]) => string,
  row: number,
): string {
  const tail = String(row % 10_000_000).padStart(7, '0')
  const written: Record<typeof kind, readonly string[]> = {
    blank: ['', ' ', '-'],
    letters: ['abc', 'not given', `98O${tail}`, 'नम्बर छैन', `${tail} ext 12`],
    'landline without 0': [`15${tail.slice(1)}`, `5${tail.slice(1)}`],
    foreign: [`+91 98${tail}1`, `0091-98${tail}1`, `+1 415 ${tail}`, `+88017${tail}1`],
    spreadsheet: ['9.84E+09', '9.80123E+09', '9.84e+09'],
    'short code': ['1414', '100', '197', '16600112345'],
    'cut off': [`984${tail.slice(1)}`, `984${tail}9`, '+977-98'],
  }
  return pick(written[kind])
}
