import type { MoreNumbers as Counted } from '@ghanti/contract/more-numbers.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './MoreNumbers.module.css'

type MoreNumbersListProps = { counted: Counted; of: 'calls' | 'messages' | 'list' }

/** In how many rows of a file further numbers stand, by column. */
export default function MoreNumbersList({ counted, of }: MoreNumbersListProps) {
  const t = useTexts('moreNumbers')
  const format = useFormat()
  return (
    <ul className={classes.list}>
      {counted.map(({ column, rows }) => (
        <li key={column}>
          {column === 'mobile' ? t.inCell(format.count(rows), of) : t.inColumn(format.count(rows), column, of)}
        </li>
      ))}
    </ul>
  )
}
