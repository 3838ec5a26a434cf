import * as z from 'zod/mini'
import { OneLine } from './values.ts'

/** Operators of mobile numbers: by name on the wire, by code in the database. */
export const operatorCode = { other: 0, ntc: 1, ncell: 2, smart: 3 } as const
export type Operator = keyof typeof operatorCode
export const operators = ['ntc', 'ncell', 'smart'] as const satisfies readonly Operator[]

/** `other`: numbers without a known prefix, landlines among them. */
export const everyOperator = [...operators, 'other'] as const satisfies readonly Operator[]

export const operatorLabel: Record<Operator, string> = {
  ntc: 'Nepal Telecom',
  ncell: 'Ncell',
  smart: 'Smart Telecom',
  other: 'Other',
}

export function operatorOfCode(code: number): Operator | undefined {
  return (Object.keys(operatorCode) as Operator[]).find((operator) => operatorCode[operator] === code)
}

const Prefix = OneLine({ error: 'must be text' }).check(
  z.regex(/^9\d{1,8}$/, { error: 'must be the first 2 to 9 digits of mobile numbers, like 984' }),
)
const Prefixes = z
  .array(Prefix, { error: 'must be a list of prefixes' })
  .check(z.maxLength(100, { error: 'has more than 100 prefixes' }))

/** First digits of each operator's mobile numbers, without country code. When two fit, the longer one wins. */
export const OperatorPrefixes = z.object({ ntc: Prefixes, ncell: Prefixes, smart: Prefixes }).check(
  z.refine((prefixes) => twiceGiven(prefixes) === undefined, {
    error: ({ input }) => `${twiceGiven(input as OperatorPrefixes)} is listed twice`,
  }),
)
export type OperatorPrefixes = Record<(typeof operators)[number], string[]>

function twiceGiven(prefixes: OperatorPrefixes): string | undefined {
  const all = operators.flatMap((operator) => prefixes[operator])
  return all.find((prefix, index) => all.indexOf(prefix) !== index)
}

export const operatorPrefixesDefault: OperatorPrefixes = {
  ntc: ['974', '975', '976', '984', '985', '986'],
  ncell: ['970', '980', '981', '982'],
  smart: ['961', '962', '988'],
}

const mobileDigits = /^977(9\d{9})$/

/** Whether a number (977 and its national digits) can receive messages: only mobiles can. */
export function takesMessages(phone: number | string): boolean {
  return mobileDigits.test(String(phone))
}

/** The operator of a number (977 and its national digits). Landlines, and mobiles without a known prefix, are 'other'. */
export function operatorOf(phone: number | string, prefixes: OperatorPrefixes): Operator {
  const national = mobileDigits.exec(String(phone))?.[1]
  if (national === undefined) return 'other'
  let [found, length]: [Operator, number] = ['other', 0]
  for (const operator of operators)
    for (const prefix of prefixes[operator])
      if (prefix.length > length && national.startsWith(prefix)) [found, length] = [operator, prefix.length]
  return found
}

/**
 * Where each operator's numbers begin (977 and national digits, ascending) and whose they are from there on; one array per column, for
 * `width_bucket`.
 */
export type OperatorRanges = { boundaries: number[]; codes: number[] }

export function operatorRangesOf(prefixes: OperatorPrefixes): OperatorRanges {
  const all = operators.flatMap((operator) => prefixes[operator].map(rangeOf))
  const boundaries = [...new Set(all.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  return { boundaries, codes: boundaries.map((from) => operatorCode[operatorOf(from, prefixes)]) }
}

/** The first number of a prefix, and the first one after its last. */
function rangeOf(prefix: string): { from: number; to: number } {
  const numbers = 10 ** (10 - prefix.length)
  const from = 977e10 + Number(prefix) * numbers
  return { from, to: from + numbers }
}
