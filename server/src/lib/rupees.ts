import { rupeesOf } from '@ghanti/contract/money.ts'

const written = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Rupees as people write them, grouped in lakhs: '1,25,000.00'. */
export function rupeesText(paisa: number): string {
  return written.format(rupeesOf(paisa))
}
