import type { ReactNode } from 'react'
import classes from './FewRows.module.css'
import { Scroll } from './Scroll.tsx'

export type FewColumn<Row> = {
  key: string
  header: string
  align?: 'right'
  cell(row: Row): ReactNode
}

type FewRowsProps<Row> = {
  labelledBy: string
  /** The first one names the row. */
  columns: readonly FewColumn<Row>[]
  rowId(row: Row): number | string
  rows: readonly Row[]
}

/** A small table inside a page, without search, pages or menu; scrolls sideways. */
export function FewRows<Row>({ labelledBy, columns, rowId, rows }: FewRowsProps<Row>) {
  return (
    <Scroll className={classes.scroll} role="group" aria-labelledby={labelledBy}>
      <table className={classes.table} aria-labelledby={labelledBy}>
        <thead>
          <tr>
            {columns.map(({ key, header, align }) => (
              <th key={key} scope="col" data-align={align}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowId(row)}>
              {columns.map(({ key, align, cell }, n) =>
                n === 0 ? (
                  <th key={key} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={key} data-align={align}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
