import { asciiDigits } from '@ghanti/contract/phone.ts'
import { sql, type RawBuilder } from 'kysely'

const lastDigitsIndexed = 4

const digitsOf = (search: string) => asciiDigits(search).replace(/\D/g, '')
const firstOf = (digits: string) => digits.replace(/^(00)?977(?=\d{8})/, '').replace(/^0+/, '')

/**
 * Whether so few numbers (100,000 mobiles) begin like this that all of them can be found and sorted. A longer list is walked from its newest
 * row, which soon meets matches.
 */
export function beginsFew(search: string): boolean {
  return firstOf(digitsOf(search)).length >= 5
}

/**
 * Finds a number by the whole, its beginning or its last digits, however it is written; nothing for a text without digits. It uses arithmetic,
 * because text comparison takes five times as long. Four or more last digits can use an index on `column % 10000`; with `indexed`, fewer last
 * digits find nothing. Without `begins` only whole numbers are found by their first digits, for tables without an index for beginnings.
 */
export function numberLike(
  column: RawBuilder<unknown>,
  search: string,
  { indexed = false, begins = true } = {},
): RawBuilder<boolean> {
  const last = digitsOf(search)
  const first = firstOf(last)
  if (last === '' || first.length > 10) return sql<boolean>`false`
  const ends = sql<boolean>`${column} % ${10 ** Math.min(last.length, 12)} = ${Number(last.slice(-12))}`
  const beginnings = [10, 8].flatMap((length) => {
    const step = 10 ** (length - first.length)
    const from = 977 * 10 ** length + Number(first) * step
    if (step === 1) return sql<boolean>`(${column} % 10000 = ${from % 10_000} and ${column} = ${from})`
    return step < 1 || first === '' || !begins ? [] : sql<boolean>`${column} between ${from} and ${from + step - 1}`
  })
  const endsByIndex = sql<boolean>`(${column} % 10000 = ${Number(last.slice(-4))} and ${ends})`
  const byEnd = last.length < lastDigitsIndexed ? (indexed ? [] : [ends]) : [indexed ? endsByIndex : ends]
  const ways = [...byEnd, ...beginnings]
  return ways.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(ways, sql` or `)})`
}
