import { asciiDigits } from './phone.ts'

/** 1,25,000 and 12,34,567.50: three digits, before them pairs; 125,000 and 1,234,567.50: threes. */
const grouped = /^-?(?:\d{1,2}(?:,\d\d)*|\d{1,3}(?:,\d{3})*),\d{3}(?:\.\d*)?$/

/**
 * A number as programs read it: Devanagari digits become ASCII, and the commas of lakhs or thousands go. Commas that group in no such way stay,
 * so that 12,50 is refused and not taken for 1250.
 */
export function plainNumber(written: string): string {
  const latin = asciiDigits(written)
  return grouped.test(latin) ? latin.replaceAll(',', '') : latin
}
