import { asciiDigits } from '@ghanti/contract/phone.ts'
import { sql, type RawBuilder } from 'kysely'

const lastDigitsIndexed = 4

/**
 * A number whole, its beginning or its last digits, however it is written; nothing for a text without digits. By arithmetic: as text it takes
 * five times as long. Four and more last digits can use an index on `column % 10000`; with `indexed` fewer are no search of last digits.
 */
export function numberLike(column: RawBuilder<unknown>, search: string, { indexed = false } = {}): RawBuilder<boolean> {
  const last = asciiDigits(search).replace(/\D/g, '')
  const first = last.replace(/^(00)?977(?=\d{8})/, '').replace(/^0+/, '')
  if (last === '' || first.length > 10) return sql<boolean>`false`
  const ends = sql<boolean>`${column} % ${10 ** Math.min(last.length, 12)} = ${Number(last.slice(-12))}`
  const begins = [10, 8].flatMap((length) => {
    const step = 10 ** (length - first.length)
    const from = 977 * 10 ** length + Number(first) * step
    return step < 1 || first === '' ? [] : sql<boolean>`${column} between ${from} and ${from + step - 1}`
  })
  const endsByIndex = sql<boolean>`(${column} % 10000 = ${Number(last.slice(-4))} and ${ends})`
  const byEnd = last.length < lastDigitsIndexed ? (indexed ? [] : [ends]) : [indexed ? endsByIndex : ends]
  const ways = [...byEnd, ...begins]
  return ways.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(ways, sql` or `)})`
}
