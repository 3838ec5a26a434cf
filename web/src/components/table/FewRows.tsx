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
  /** On phones a row is its name and below it each value with its heading; without this the table scrolls sideways there. */
  stacked?: true
}

/** A small table inside a page, without search, pages or menu. Its roles stay where rows are stacked, which is no table to the browser. */
export function FewRows<Row>({ labelledBy, columns, rowId, rows, stacked }: FewRowsProps<Row>) {
  return (
    <Scroll className={classes.scroll} role="group" aria-labelledby={labelledBy}>
      <table role="table" className={classes.table} aria-labelledby={labelledBy} data-stacked={stacked}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ key, header, align }) => (
              <th key={key} role="columnheader" scope="col" data-align={align}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowId(row)} role="row">
              {columns.map(({ key, header, align, cell }, n) =>
                n === 0 ? (
                  <th key={key} role="rowheader" scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={key} role="cell" data-label={header} data-align={align}>
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
