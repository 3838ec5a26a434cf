import { IconChevronDown } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { useTexts } from '../../../i18n/language.ts'
import { Chooser } from './Chooser.tsx'
import { cardPart } from '../columns/columns.ts'
import classes from '../DataTable.module.css'
import type { Column } from '../DataTable.tsx'
import type { Choose, RowId } from './selection.ts'

type BodyRowProps<Row> = {
  row: Row
  columns: readonly Column<Row>[]
  isChosen: boolean
  /** This and the next two: where rows can be selected. */
  id?: RowId
  name?: string
  choose?: Choose
}

/** Memoised, so that a live update renders only the rows that changed. */
export const BodyRow = memo(function BodyRow<Row>({
  row,
  columns,
  isChosen,
  id,
  name = '',
  choose,
}: BodyRowProps<Row>) {
  const [isOpen, setOpen] = useState(false)
  const chooser = id !== undefined && choose && { id, name, choose }
  const hasMore = columns.some((column) => cardPart(columns, column) === 'more')
  return (
    <tr role="row" data-row={id} data-open={isOpen || undefined} data-chosen={isChosen || undefined}>
      {chooser && (
        <td role="cell" className={classes.chooserCell}>
          <Chooser {...chooser} isChosen={isChosen} />
        </td>
      )}
      {columns.map((column, at) => (
        <td
          key={column.key}
          role="cell"
          data-label={column.header}
          data-align={column.align}
          data-nowrap={column.nowrap}
          data-pinned={column.pinned}
          data-card={cardPart(columns, column)}
          data-first={at === 0 || undefined}
        >
          <Content row={row} column={column} />
        </td>
      ))}
      {hasMore && <MoreCell isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />}
    </tr>
  )
}) as <Row>(props: BodyRowProps<Row>) => React.ReactNode

/** A plain figure needs no element of its own. */
function Content<Row>({ row, column }: { row: Row; column: Column<Row> }) {
  const content = column.cell(row)
  const isBare = column.controls || column.pinned || (column.align === 'right' && typeof content === 'string')
  return isBare ? content : <div className={classes.cell}>{content}</div>
}

function MoreCell({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const { table } = useTexts('common')
  return (
    <td role="cell" className={classes.moreCell}>
      <button type="button" className={classes.moreButton} aria-expanded={isOpen} onClick={onToggle}>
        {isOpen ? table.less : table.more}
        <IconChevronDown size={14} aria-hidden />
      </button>
    </td>
  )
}
