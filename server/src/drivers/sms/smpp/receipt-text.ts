/**
 * The text of a receipt (SMPP 3.4, appendix B), whose form differs by gateway: `id:… sub:… dlvrd:… submit date:… done date:… stat:… err:… text:…`.
 * Fields may be missing, in any order and case, and divided by blanks, line breaks, semicolons, commas or upright lines.
 */
const bytesMax = 2000
/** More colons than any receipt has: each costs a look at every name. */
const signsMax = 64

const fieldOf = new Map<string, keyof ReceiptText | 'text' | null>([
  ...['id', 'msgid', 'msg_id', 'messageid', 'message_id'].map((name) => [name, 'id'] as const),
  ...['stat', 'status', 'state'].map((name) => [name, 'state'] as const),
  ...['err', 'error'].map((name) => [name, 'error'] as const),
  ...['done date', 'done_date', 'donedate'].map((name) => [name, 'doneAt'] as const),
  ...['sub', 'dlvrd', 'submit date', 'submit_date', 'submitdate'].map((name) => [name, null] as const),
  ['text', 'text'],
])
const nameMax = Math.max(...[...fieldOf.keys()].map((name) => name.length))

/** '' where a field is missing. */
export type ReceiptText = { id: string; state: string; error: string; doneAt: string }

/** What follows `text:` is the message's own text, which its sender chose: nothing in it counts. */
export function readReceiptText(body: Buffer): ReceiptText {
  const text = lettersOf(body)
  const read: ReceiptText = { id: '', state: '', error: '', doneAt: '' }
  const names = namesIn(text)
  for (const [index, { field, end }] of names.entries()) {
    if (field === 'text') break
    const value = text.slice(end, names[index + 1]?.begin).trimStart()
    if (field !== null && read[field] === '') read[field] = (value.split(/[\s;,|]/, 1)[0] ?? '').replaceAll(/["']/g, '')
  }
  return read
}

/**
 * Fields are ASCII whatever the coding: in UCS-2 a zero byte stands before each letter, or after it, and some gateways give UCS-2 as the coding of
 * ASCII.
 */
export function lettersOf(body: Buffer): string {
  return body.subarray(0, bytesMax).toString('latin1').replaceAll('\0', '')
}

type Name = { field: keyof ReceiptText | 'text' | null; begin: number; end: number }

function namesIn(text: string): Name[] {
  const lower = text.toLowerCase()
  const names: Name[] = []
  let signs = 0
  for (let at = 0; at < lower.length && signs < signsMax; at += 1) {
    if (lower[at] !== ':' && lower[at] !== '=') continue
    signs += 1
    const from = Math.max(0, at - nameMax - 2)
    const before = lower.slice(from, at).trimEnd()
    for (const [name, field] of fieldOf) {
      const begin = from + before.length - name.length
      if (!before.endsWith(name) || /[a-z0-9_]/.test(lower.charAt(begin - 1))) continue
      names.push({ field, begin, end: at + 1 })
      break
    }
  }
  return names
}
