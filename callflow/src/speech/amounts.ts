import { plainNumber } from '@ghanti/contract/written-number.ts'
import { read, refused, type Reading } from './reading.ts'

/** 99,99,99,999.99 rupees. */
export const amountPaisaMax = 99_99_99_999_99

const before = /^(?:n\.? ?rs|npr|rs|re|rupees?|₨|ने\.? ?रु|रु|रू|रुपैयाँ|रूपैयाँ|रुपियाँ)\.? ?:? ?/
/** '/-', '/=', '।–', '.-', 'only' and a currency; '-' alone is a sign. */
const after = / ?(?:[/।] ?[-–—=]?|\. ?[-–—]|=|only|मात्र|(?:nrs|npr|rs|re|rupees?|₨|ने\.? ?रु|रु|रू|रुपैयाँ|रूपैयाँ|रुपियाँ)\.?)$/
/** More than people write around one amount. */
const afterMax = 6
const minus = /^[-–−] ?/
const spacesOfGroups = /(?<=\d)[\u00a0\u2009\u202f](?=\d)/g

/**
 * An amount as people write it, with ASCII digits: 'Rs. 1,25,000/- only' is 125000.00. Commas, and the blanks that spreadsheets put between groups, must
 * stand where those of lakhs or of thousands do: '1.250,00' and '1250,50' are refused, never read as another amount.
 */
export function readAmount(text: string): Reading {
  const plain = /^(\d+)(?:\.(\d+))?$/.exec(text)
  if (plain) return checked(plain[1] ?? '', plain[2] ?? '')
  const signed = withoutAfter(text.replace(spacesOfGroups, ',').replace(/\s+/g, ' ').toLowerCase())
  const inBrackets = signed.startsWith('(') && signed.endsWith(')')
  const written = inBrackets ? signed.slice(1, -1).trim() : signed
  const bare = withoutAfter(written.replace(minus, '').replace(before, '').replace(minus, ''))
  const isNegative = inBrackets || minus.test(written) || minus.test(written.replace(before, '')) || bare.endsWith('-')
  const parts = /^(\d+)(?:\.(\d*))?$/.exec(ungrouped(bare.replace(/ ?-$/, '')))
  if (!parts) return refused(/^[\d.]*,[\d.,]*$/.test(bare) ? wrongCommas : noAmount)
  if (isNegative) return refused('is negative')
  return checked(parts[1] ?? '', parts[2] ?? '')
}

const noAmount = 'is not an amount: write it like 1234567.50 or 12,34,567.50'
const wrongCommas = 'has commas where no amount has them: write it like 1234567.50 or 12,34,567.50'

function withoutAfter(text: string): string {
  let left = text
  for (let n = 0; n < afterMax && after.test(left); n++) left = left.replace(after, '')
  return left
}

/** Groups never begin with 0: '0,250' may be a quarter. */
function ungrouped(text: string): string {
  return /^0\d*,/.test(text) ? text : plainNumber(text)
}

/** Databases write '500.0000'. Three decimals are refused: '1.250' may be a thousand. */
function checked(rupees: string, written: string): Reading {
  const decimals = /^\d\d00+$/.test(written) ? written.slice(0, 2) : written
  if (decimals.length > 2) return refused('has more than two decimals')
  const whole = rupees.replace(/^0+/, '') || '0'
  const paisa = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  if (paisa > amountPaisaMax) return refused('is more than 99,99,99,999.99')
  if (paisa === 0) return refused('is zero')
  return read(`${whole}.${decimals.padEnd(2, '0')}`)
}
