import { ownValue } from '@ghanti/contract/own-values.ts'

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Texts as an array that PostgreSQL reads; null is null. COPY needs it escaped. */
export function arrayLiteral(texts: readonly (string | null)[]): string {
  return `{${texts.map((text) => (text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`
}

export function copyEscaped(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (sign) => ownValue(escapes, sign) ?? sign)
}
