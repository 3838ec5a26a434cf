import classes from '../DataTable.module.css'

/** In a cell, why a row is as it is: below all its cells, across the row, and cut only where the row ends. */
export function RowReason({ children }: { children: string }) {
  return <span className={classes.reason}>{children}</span>
}
