import type { MoreNumbers as Counted } from '@ghanti/contract/more-numbers.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './MoreNumbers.module.css'

type MoreNumbersListProps = { counted: Counted; of: 'calls' | 'messages' | 'list' }

/** In how many rows of a file further numbers stand, by column. */
export default function MoreNumbersList({ counted, of }: MoreNumbersListProps) {
  const t = useTexts('moreNumbers')
  const format = useFormat()
  const sentence = ({ column, rows, place }: { column: string; rows: string; place: Counted[number]['place'] }) => {
    if (place === 'above') return t.above(rows, of)
    if (place !== undefined) return t[place](column)
    return column === 'mobile' ? t.inCell(rows, of) : t.inColumn(rows, column, of)
  }
  return (
    <ul className={classes.list}>
      {counted.map(({ column, rows, place }) => (
        <li key={`${place} ${column}`}>{sentence({ column, rows: format.count(rows), place })}</li>
      ))}
    </ul>
  )
}
