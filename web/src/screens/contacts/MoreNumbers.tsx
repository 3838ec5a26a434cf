import type { MoreNumbers as Counted } from '@ghanti/contract/contacts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './MoreNumbers.module.css'

/** `of`: what the row's own number is for, and the others are not. */
type MoreNumbersProps = { counted: Counted | null | undefined; of: 'calls' | 'messages' | 'list' }

/** In how many rows of a file further numbers stand, by column. */
export function MoreNumbers({ counted, of }: MoreNumbersProps) {
  const { moreNumbers: t } = useTexts('common')
  const format = useFormat()
  if (!counted || counted.length === 0) return null
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
