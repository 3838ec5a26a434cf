import { asciiDigits } from './phone.ts'

/** Lakhs (1,25,000; 12,34,567.50) or thousands (125,000; 1,234,567.50). */
const grouped = /^-?(?:\d{1,2}(?:,\d\d)*|\d{1,3}(?:,\d{3})*),\d{3}(?:\.\d*)?$/

/**
 * A number as programs read it: Devanagari digits become ASCII, and the commas of lakhs or thousands are removed. Other commas stay, so that 12,50
 * is refused and not read as 1250.
 */
export function plainNumber(written: string): string {
  const latin = asciiDigits(written)
  return grouped.test(latin) ? latin.replaceAll(',', '') : latin
}
