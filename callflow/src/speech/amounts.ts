import { read, refused, type Reading } from './reading.ts'

/** 99,99,99,999.99 rupees. */
export const amountPaisaMax = 99_99_99_999_99

export function readAmount(text: string): Reading {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(text)
  if (!parts) return refused('is not an amount: write digits without commas or words, like 1234567.50')
  const [, rupees = '', decimals = ''] = parts
  if (decimals.length > 2) return refused('has more than two decimals')
  const whole = rupees.replace(/^0+/, '') || '0'
  const paisa = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  if (paisa > amountPaisaMax) return refused('is more than 99,99,99,999.99')
  return read(`${whole}.${decimals.padEnd(2, '0')}`)
}
