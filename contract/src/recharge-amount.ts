import * as z from 'zod/mini'
import { messages } from './messages.ts'
import { plainNumber } from './written-number.ts'
import { OneLine, orRequired } from './values.ts'

const rupeesError = 'must be an amount in rupees with at most two decimals, below 1000000000'
const aboveZero = { error: messages.rechargeAmount }
/** Rupees as number or text (grouped or not), read digit by digit into whole paisa: 0.1 has no exact binary form, and a third decimal is an error. */
export const RechargeAmount = z.pipe(
  z.union([z.number({ error: rupeesError }), OneLine({ error: rupeesError })], orRequired(rupeesError)),
  z.pipe(z.transform(paisaOf), z.number({ error: rupeesError }).check(z.minimum(1, aboveZero))),
)

/** NaN for what is no amount; negative for anything that begins with a minus. */
function paisaOf(rupees: number | string): number {
  const [, sign, whole, decimals = ''] = /^(-?)(\d{1,9})(?:\.(\d+))?$/.exec(plainNumber(String(rupees).trim())) ?? []
  if (whole === undefined) return Number.NaN
  if (sign) return -1
  return decimals.length > 2 ? Number.NaN : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}
